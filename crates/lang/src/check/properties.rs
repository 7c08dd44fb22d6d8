//! The ranges of properties.

use super::report::Report;
use crate::diagnostic::Diagnostic;
use crate::syntax::{Program, PropertyKind};

/// The greatest value of a property that positions keep.
const STORED_MAX: i64 = (1 << 23) - 1;

/// The greatest value of a property that lives for a move.
const MOVE_MAX: i64 = (1 << 47) - 1;

pub(super) fn check(tree: &Program, report: &mut Report) {
    for property in &tree.properties {
        let limit = if property.kind == PropertyKind::Move { MOVE_MAX } else { STORED_MAX };
        let (low, high) = (property.low, property.high);
        if low > high {
            report.error(|| {
                Diagnostic::error("E028", property.range_span, format!("no number is from {low} to {high}"))
                    .hint(format!("the lower limit comes first: `[{high} .. {low}]`"))
            });
        } else if low < -limit || high > limit {
            report.error(|| {
                Diagnostic::error("E028", property.range_span, "this range is too wide")
                    .hint(format!("between -{limit} and {limit}"))
            });
        }
    }
}
