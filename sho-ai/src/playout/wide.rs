//! The one place where processor features are chosen at run time: [`Processor`], [`wide`].
#![allow(
    unsafe_code,
    reason = "calling a function with processor features is unsafe; it is done in one place, right after they were detected. \
              The engine takes a fifth fewer instructions with them (docs/performance.md)"
)]

use std::fmt;
use std::sync::LazyLock;

/// What of the processor playouts use. They play the same games with each, in less time with the later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Processor {
    /// What every processor of the target has.
    Plain,
    /// On x86-64: AVX2, and bit instructions (BMI1, BMI2, LZCNT, POPCNT), as since about 2013.
    Avx2,
    /// AVX-512 as well (F, BW, CD, DQ, VL), as servers have had since about 2017 or 2022.
    Avx512,
}

impl Processor {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Avx2, Self::Avx512];

    /// What the processor has that this runs on.
    #[must_use]
    #[inline]
    pub fn here() -> Self {
        // Asked once: ten questions before each task would be one instruction in a hundred.
        static HERE: LazyLock<Processor> = LazyLock::new(Processor::detected);
        *HERE
    }

    fn detected() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let has_avx2 =
                has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
            let has_avx512 = has!("avx512f")
                && has!("avx512bw")
                && has!("avx512cd")
                && has!("avx512dq")
                && has!("avx512vl");
            if has_avx2 && has_avx512 {
                return Self::Avx512;
            }
            if has_avx2 {
                return Self::Avx2;
            }
        }
        Self::Plain
    }

    /// Its name in results: `plain`, `avx2`, `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for Processor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something to do that gains from the processor's bit and vector instructions.
pub(super) trait Task {
    /// What it gives back.
    type Output;

    /// Does it. Must be `inline(always)`, or it is compiled without the features.
    fn run(self) -> Self::Output;
}

/// Does `task`, compiled for what the processor has. What it gives back is the same.
pub(super) fn wide<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_avx2<T: Task>(task: T) -> T::Output {
            task.run()
        }

        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
        fn with_avx512<T: Task>(task: T) -> T::Output {
            task.run()
        }

        let processor = Processor::here();
        #[cfg(test)]
        let processor = processor.min(tests::AT_MOST.get());
        // SAFETY: the processor has every feature that the function was compiled for.
        match processor {
            Processor::Plain => {}
            Processor::Avx2 => return unsafe { with_avx2(task) },
            Processor::Avx512 => return unsafe { with_avx512(task) },
        }
    }
    task.run()
}

#[cfg(test)]
pub(super) mod tests {
    use super::Processor;
    use std::cell::Cell;

    thread_local! {
        /// What tests let this thread use of the processor.
        pub(super) static AT_MOST: Cell<Processor> = const { Cell::new(Processor::Avx512) };
    }

    /// Does something with each kind of instructions that the processor has.
    pub(in super::super) fn with_each(mut work: impl FnMut(Processor)) {
        for processor in Processor::ALL.into_iter().filter(|all| *all <= Processor::here()) {
            AT_MOST.set(processor);
            work(processor);
        }
        AT_MOST.set(Processor::Avx512);
    }
}
