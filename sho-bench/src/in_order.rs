//! Jobs done by many threads, and handed on in their order: [`in_order`].

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How many jobs a thread may be ahead of the one that everybody waits for. It bounds what is held in memory, however
/// slow a single job is.
const AHEAD: u64 = 16;

/// How many threads a number stands for: 0 is one for each core.
pub(crate) fn thread_count(asked: usize) -> usize {
    match asked {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        _ => asked,
    }
}

/// What the threads share.
struct Shared<T, E, F> {
    /// The next job to begin.
    next: u64,
    /// The next job to hand on.
    due: u64,
    /// Jobs that are done, and wait for one before them.
    done: BTreeMap<u64, T>,
    /// The first job that failed, and why.
    failed: Option<(u64, E)>,
    /// Whether no further job is to begin.
    closed: bool,
    /// Whether `take` wanted no more.
    satisfied: bool,
    take: F,
}

/// Does `jobs` jobs with `threads` threads (0: one for each core), each of which has a worker of its own, and gives what
/// they make to `take`, in the order of their numbers. Jobs begin in that order too. No further one begins once `stop`
/// says so, or `take` breaks; those that were begun before a stop are finished and handed on.
///
/// What `take` is given, and so whatever it decides, does not depend on the number of threads. Nor does the error: it is
/// that of the first job that failed, and comes only after all jobs before it were handed on.
pub(crate) fn in_order<W, T: Send, E: Send + From<io::Error>>(
    threads: usize,
    jobs: u64,
    worker: impl Fn() -> Result<W, E> + Sync,
    work: impl Fn(&mut W, u64) -> Result<T, E> + Sync,
    stop: impl Fn() -> bool + Sync,
    take: impl FnMut(T) -> ControlFlow<()> + Send,
) -> Result<(), E> {
    let threads = thread_count(threads);
    let ahead = AHEAD * threads as u64;
    let shared = Mutex::new(Shared {
        next: 0,
        due: 0,
        done: BTreeMap::new(),
        failed: None,
        closed: false,
        satisfied: false,
        take,
    });
    let changed = Condvar::new();
    let one_thread = || -> Result<(), E> {
        // A thread that ends early, by an error or a panic, must not leave the others waiting for its job.
        let _close = Close { shared: &shared, changed: &changed };
        let mut worker = worker()?;
        loop {
            let mut now = locked(&shared);
            while !now.closed && now.next < jobs && now.next >= now.due + ahead {
                now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
            }
            if now.closed || now.next == jobs || stop() {
                return Ok(());
            }
            let job = now.next;
            now.next += 1;
            drop(now);
            let made = work(&mut worker, job);
            let mut now = locked(&shared);
            match made {
                Ok(made) => {
                    now.done.insert(job, made);
                    now.hand_on();
                }
                Err(error) => {
                    now.closed = true;
                    if now.failed.as_ref().is_none_or(|&(first, _)| job < first) {
                        now.failed = Some((job, error));
                    }
                }
            }
            changed.notify_all();
        }
    };
    thread::scope(|scope| {
        let begun: Vec<_> =
            (1..threads).map(|_| thread::Builder::new().spawn_scoped(scope, one_thread)).collect();
        // The thread that asked works too.
        let mut ended = vec![one_thread()];
        for thread in begun {
            ended.push(match thread {
                Ok(thread) => {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                }
                Err(error) => Err(error.into()),
            });
        }
        ended.into_iter().collect::<Result<(), E>>()
    })?;
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    match shared.failed {
        Some((_, error)) if !shared.satisfied => Err(error),
        _ => Ok(()),
    }
}

/// Lets no further job begin when it is dropped.
struct Close<'a, T, E, F> {
    shared: &'a Mutex<Shared<T, E, F>>,
    changed: &'a Condvar,
}

impl<T, E, F> Drop for Close<'_, T, E, F> {
    fn drop(&mut self) {
        locked(self.shared).closed = true;
        self.changed.notify_all();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panicked is joined, and its panic goes on there.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T, E, F: FnMut(T) -> ControlFlow<()>> Shared<T, E, F> {
    /// Hands on what is done and waits for nothing before it.
    fn hand_on(&mut self) {
        while !self.satisfied
            && let Some(made) = self.done.remove(&self.due)
        {
            self.due += 1;
            if (self.take)(made).is_break() {
                self.satisfied = true;
                self.closed = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    /// What is handed on, and how it ended.
    fn taken(
        threads: usize,
        jobs: u64,
        enough: u64,
        fails: impl Fn(u64) -> bool + Sync,
    ) -> (Vec<u64>, Result<(), String>) {
        let mut taken = Vec::new();
        let ended = in_order(
            threads,
            jobs,
            || Ok(()),
            |(), job| {
                // Later jobs are done earlier.
                thread::sleep(Duration::from_micros(50 * (7 - job % 7)));
                if fails(job) { Err(Failed(job)) } else { Ok(job) }
            },
            || false,
            |job| {
                taken.push(job);
                if taken.len() as u64 == enough {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        (taken, ended.map_err(|Failed(job)| format!("job {job}")))
    }

    struct Failed(u64);

    impl From<io::Error> for Failed {
        fn from(_: io::Error) -> Self {
            Self(u64::MAX)
        }
    }

    #[test]
    fn the_number_of_threads_cannot_be_seen() {
        for threads in [1, 2, 3, 8] {
            assert_eq!(taken(threads, 200, u64::MAX, |_| false), ((0..200).collect(), Ok(())));
            assert_eq!(taken(threads, 200, 50, |_| false), ((0..50).collect(), Ok(())));
            // The first failure counts, after all jobs before it.
            let failed = (((0..31).collect()), Err("job 31".to_owned()));
            assert_eq!(taken(threads, 200, u64::MAX, |job| job % 32 == 31), failed);
            // A failure after there was enough is none.
            assert_eq!(taken(threads, 200, 30, |job| job == 31), ((0..30).collect(), Ok(())));
            assert_eq!(taken(threads, 0, u64::MAX, |_| false), (vec![], Ok(())));
        }
    }

    #[test]
    fn what_was_begun_before_a_stop_is_handed_on() {
        let (begun, mut taken) = (AtomicU64::new(0), 0);
        let ended: Result<(), Failed> = in_order(
            3,
            1000,
            || Ok(()),
            |(), _| {
                begun.fetch_add(1, Ordering::Relaxed);
                Ok(())
            },
            || begun.load(Ordering::Relaxed) >= 20,
            |()| {
                taken += 1;
                ControlFlow::Continue(())
            },
        );
        assert!(ended.is_ok());
        assert_eq!(taken, begun.load(Ordering::Relaxed));
        assert!((20..=23).contains(&taken), "{taken}");
    }

    #[test]
    fn nobody_runs_far_ahead_of_a_slow_job() {
        let begun = AtomicU64::new(0);
        let ended: Result<(), Failed> = in_order(
            2,
            500,
            || Ok(()),
            |(), job| {
                if job == 0 {
                    thread::sleep(Duration::from_millis(50));
                    assert!(begun.load(Ordering::Relaxed) < 2 * AHEAD);
                } else {
                    begun.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            },
            || false,
            |()| ControlFlow::Continue(()),
        );
        assert!(ended.is_ok());
        assert_eq!(begun.load(Ordering::Relaxed), 499);
    }
}
