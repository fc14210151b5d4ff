//! What a turn does, how the game ends, and what play remembers.

use alloc::vec::Vec;

use super::End;
use super::board::Points;
use super::generate::Pieces;
use super::setup::Setup;
use super::state::State;
use super::turn::Turn;
use crate::seat::Seat;

impl State {
    /// Plays a turn that is open.
    #[inline]
    pub(super) fn play(&mut self, turn: Turn) {
        let Pieces { own, enemy } = self.pieces;
        let step = turn.is_step();
        let taken = if step { 0 } else { turn.crossed() };
        self.pieces = Pieces {
            own: enemy & !taken,
            // A run may end where it began, or where it took.
            enemy: own & !(1 << turn.start_cell()) | 1 << turn.end_cell(),
        };
        // Both counts may be at their bounds only where draws are left out, or where a line says so.
        self.quiet = if step { self.quiet.saturating_add(1) } else { 0 };
        self.turn = self.turn.saturating_add(1);
        self.mover = self.mover.next(2);
        self.repeated = false;
        debug_assert!(self.pieces.own & self.pieces.enemy == 0);
    }

    /// How the game ended. A win comes before a draw; `quiet_turns` is nothing where draws are left out.
    #[inline]
    pub(super) fn end(&self, quiet_turns: Option<u16>) -> Option<End> {
        if self.pieces.own == 0 {
            return Some(End::Taken);
        }
        if !self.pieces.can_move() {
            return Some(End::Stuck);
        }
        match quiet_turns? {
            _ if self.repeated => Some(End::Repetition),
            limit if self.quiet >= limit => Some(End::Quiet),
            _ => None,
        }
    }
}

/// The positions that have stood since the last take; those before it can never come again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    // Whole positions, never hashes: two that differ are never taken for one.
    positions: Vec<(Pieces, Seat)>,
}

impl History {
    pub(super) fn new(state: &State) -> Self {
        let mut history = Self { positions: Vec::new() };
        history.add(state);
        history
    }

    /// How often the position has stood, with the same side to move.
    ///
    /// For the state that play is in this counts its present time too; for one that may follow, only earlier times.
    #[must_use]
    pub fn times(&self, state: &State) -> usize {
        // Only every other position has the same side to move, but a plain scan of a few dozen is as fast.
        self.positions.iter().filter(|&&position| position == (state.pieces, state.mover)).count()
    }

    /// The positions in order, each as a setup with counts that mean nothing.
    pub(super) fn setups(&self) -> impl Iterator<Item = Setup> {
        self.positions.iter().map(|&(pieces, mover)| {
            let mut setup = Setup { mover, ..Setup::empty() };
            for (set, seat) in [(pieces.own, mover), (pieces.enemy, mover.next(2))] {
                for point in Points(set).iter() {
                    setup[point] = Some(seat);
                }
            }
            setup
        })
    }

    /// Adds the position that has come to stand, and returns how often it has stood by now.
    pub(super) fn add(&mut self, state: &State) -> usize {
        if state.quiet == 0 {
            self.positions.clear();
        }
        self.positions.push((state.pieces, state.mover));
        self.times(state)
    }
}
