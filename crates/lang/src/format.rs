//! x
pub fn format(_s: &crate::Source) -> String {
    String::new()
}
