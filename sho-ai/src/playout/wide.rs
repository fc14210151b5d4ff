//! The one place where processor features are chosen at run time: [`wide`].
#![allow(
    unsafe_code,
    reason = "calling a function with processor features is unsafe; it is done once, right after they were detected. \
              The engine takes a fifth fewer instructions with them (docs/performance.md)"
)]

/// Something to do that gains from the processor's bit instructions.
pub(super) trait Task {
    /// What it gives back.
    type Output;

    /// Does it. Must be `inline(always)`, or it is compiled without the features.
    fn run(self) -> Self::Output;
}

/// Whether playouts use the bit instructions of the processor that this runs on (x86-64: those of about 2013 and later).
/// They take fewer instructions with them, and play the same games.
#[must_use]
#[inline]
pub fn has_bit_instructions() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("lzcnt")
            && std::arch::is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Does `task`, compiled for the bit instructions of the processor where it has them. What it gives back is the same.
pub(super) fn wide<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_features<T: Task>(task: T) -> T::Output {
            task.run()
        }

        if has_bit_instructions() {
            // SAFETY: the processor has every feature that the function was compiled for.
            return unsafe { with_features(task) };
        }
    }
    task.run()
}
