//! Code for the processor at hand. Distributed binaries are built for the oldest 64-bit processors, which have
//! neither a bit count nor wide vectors; compiled rules are built for the very machine. To be fair rivals the
//! loops here exist twice: for any processor, and for those with AVX2 and the bit instructions that came with
//! it. The choice is made once, outside the loop.
//!
//! This is the room's only unsafe code, one call in the macro. Invariant: code compiled with a processor feature is
//! called only after the processor said that it has it.

/// Defines a function in two versions and calls the one that suits the processor. The body calls itself by the
/// name behind `recursing as`; where it needs different code for the two, it finds it in the module behind
/// `with`, which is the first of the two named ones on any processor and the second one with AVX2.
macro_rules! dispatched {
    (
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty,
        recursing as $again:ident $(, with $lanes:ident from $portable:path | $wide:path)* $body:block
    ) => {
        $(#[$attribute])*
        #[allow(unsafe_code)]
        $visibility fn $name($($argument: $type),*) -> $result {
            #[cfg(target_arch = "x86_64")]
            {
                $(use $wide as $lanes;)*
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                fn $again($($argument: $type),*) -> $result $body

                if crate::processor::is_wide() {
                    // SAFETY: the processor has the features that the function was compiled for.
                    return unsafe { $again($($argument),*) };
                }
            }
            $(use $portable as $lanes;)*
            // Only the other version of the body needs closures around functions with processor features.
            #[allow(clippy::redundant_closure)]
            fn $again($($argument: $type),*) -> $result $body
            $again($($argument),*)
        }
    };
}

/// Whether the processor has AVX2 and the bit instructions.
#[cfg(target_arch = "x86_64")]
pub(crate) fn is_wide() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}
