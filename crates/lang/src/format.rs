//! placeholder
/// placeholder
#[must_use]
pub fn format(source: &crate::Source) -> String {
    source.text.clone()
}
