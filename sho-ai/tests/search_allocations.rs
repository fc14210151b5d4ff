//! The search of games of chance allocates nothing once its buffers have their size: not for a decision, nor for anything
//! that it looks at. What is allocated is counted on the thread that searches.
#![allow(
    unsafe_code,
    reason = "a global allocator is an unsafe trait; this one counts and passes on"
)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::{Race, positions, rule_sets};
use sho_ai::search::alphabeta::Limits;
use sho_ai::search::expectimax::Expectimax;
use sho_core::Game;
use sho_core::sho::Sho;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    // A thread that ends has no count left, and nothing to count.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps what `alloc` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations made by `work`.
fn allocations<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = ALLOCATIONS.get();
    let done = work();
    (ALLOCATIONS.get() - before, done)
}

#[test]
fn what_allocates_is_counted() {
    assert_eq!(allocations(|| vec![0u8; 100]).0, 1);
    assert_eq!(allocations(|| [0u8; 100]).0, 0);
}

#[test]
fn searches_allocate_nothing() {
    let mut judged = 0;
    for limits in [Limits::depth(3), Limits::nodes(2000)] {
        for (label, rules) in (0..).zip(rule_sets()) {
            let game = Sho::new(rules).unwrap();
            let states = positions(&game, 4, label, |_| true);
            let mut search = Expectimax::new(limits, Race);
            let mut all = || states.iter().map(|state| search.search(&game, state).leaves).sum();
            let first: u64 = all();
            let (made, again) = allocations(all);
            assert_eq!((made, again), (0, first), "{rules}");
            judged += again;
        }
    }
    assert!(judged > 200_000, "{judged}");
}
