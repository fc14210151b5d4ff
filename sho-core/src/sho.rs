//! The game of Sho: a race of stacks round a spiral of cowries, for two to four sides.

mod action;
mod engine;
mod game;
mod gap;
mod generate;
mod lanes;
mod notation;
pub mod plain;
mod rules;
mod run;
mod setup;
mod state;
mod transition;
mod values;

pub use action::{Action, Effect, Landing};
pub use engine::Engine;
pub use game::Sho;
pub use gap::{Gap, MAX_GAP};
pub use generate::Actions;
pub use lanes::{
    LANE_CASTS, LANES, LaneCounts, LaneMoves, LanePick, LanePlay, LanePlayed, LaneThrow, Lanes,
    SeatCounts,
};
pub use rules::{
    GoingHome, Kill, LeftOver, NineStack, OpeningClash, PaRa, Reopen, Rules, SixThree, Totals,
};
pub use run::{Counted, Either, EitherPick, Moves, Pick, SimplePlay};
pub use setup::{Opening, Phase, Setup, Side};
pub use state::{Bits, State};
pub use values::{MAX_WAITING, Values, Waiting};

/// The ways in which a game of Sho ends: a side brings its last coin home, throws a third pa ra in a row where that
/// wins, or the throws run out.
const ENDS: &[&str] = &["home", "three_pa_ra", "cap"];

/// What the length of a game is counted in.
const UNITS: &[crate::Unit] = &[crate::Unit::Throws, crate::Unit::Turns, crate::Unit::Decisions];

/// What a throw takes at a table, in seconds: the cup, the slam, the count and the move.
const SECONDS_A_THROW: u32 = 6;

/// How a game that is over ended, as an index into [`ENDS`]. The state need not remember it: if a winner has all its
/// coins home that ended it, else the run of pa ras did, else nothing but the cap is left.
fn end_of(rules: &Rules, all_home: bool, run: u16) -> usize {
    if all_home {
        0
    } else if rules.three_pa_ra_wins && run >= 3 {
        1
    } else {
        2
    }
}
