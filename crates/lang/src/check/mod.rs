//! x
pub fn check(_p: &crate::syntax::Program) -> Vec<crate::Diagnostic> {
    vec![]
}
