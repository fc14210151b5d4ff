//! What is counted in games of Sholo Guti: [`SholoGutiMeter`].

use sho_ai::arena::Observer;
use sho_core::sholo_guti::{Engine, SholoGuti, Takes, Turn, plain};
use sho_core::{PerSeat, Seat};

use super::{Lead, Measured, Meter, Metric, least_alone, metrics};

metrics! {
    Takes "takes" Sum
        "pieces taken, for the side that takes them";
    PiecesLost "pieces_lost" Sum
        "pieces taken, for the side that loses them";
    TakingTurns "taking_turns" Sum
        "turns that take, for the side that takes";
    LongRuns "long_runs" Sum
        "turns that take two pieces or more, for the side that takes";
    LongestRun "longest_run" Greatest
        "pieces taken by the longest run, for the side that takes; of a game the greatest";
    Retakes "retakes" Sum
        "turns that take right after a turn of the other side that took, for the side that takes back";
    Steps "steps" Sum
        "turns that take nothing, for the side that steps";
    DeclinedTakes "declined_takes" Sum
        "steps made while a take was open, for the side that steps";
    LeadChanges "lead_changes" Sum
        "turns at whose end the lead in pieces has passed to another side, for the side that takes it";
}

/// Counts what happens in a game of Sholo Guti.
#[derive(Clone, Debug)]
pub struct SholoGutiMeter<E: Engine> {
    counts: Counts,
    /// Where games start as a rule, and how many pieces are taken there.
    usual: (E::State, PerSeat<u32>),
    /// How many pieces each side has lost, those that the start lacks too.
    taken: PerSeat<u32>,
    begun: bool,
    /// Whether the last turn took.
    took: bool,
    lead: Lead,
}

impl<E: Engine> SholoGutiMeter<E> {
    fn new(game: &E) -> Self {
        let start = game.start();
        let taken = taken(game, &start);
        Self {
            counts: Counts::default(),
            usual: (start, taken),
            taken,
            begun: false,
            took: false,
            lead: Lead::default(),
        }
    }

    /// Looks at the state before the first turn.
    #[cold]
    fn begin(&mut self, game: &E, state: &E::State) {
        self.begun = true;
        self.taken = if *state == self.usual.0 { self.usual.1 } else { taken(game, state) };
        self.judge_lead();
    }

    fn judge_lead(&mut self) {
        if let Some(seat) = self.lead.judge(least_alone(&self.taken, 2)) {
            self.counts.one(Index::LeadChanges, seat);
        }
    }
}

/// How many of its pieces each side lacks.
fn taken<E: Engine>(game: &E, state: &E::State) -> PerSeat<u32> {
    let setup = game.setup(state);
    let all = sho_core::sholo_guti::PIECES as u32;
    PerSeat::from_fn(
        |seat| if seat.index() < 2 { all - setup.pieces(seat).len() as u32 } else { 0 },
    )
}

impl<E: Engine> Observer<E> for SholoGutiMeter<E> {
    fn action(&mut self, game: &E, state: &E::State, seat: Seat, turn: Turn) {
        if !self.begun {
            self.begin(game, state);
        }
        let takes = turn.takes() as u32;
        if takes == 0 {
            self.took = false;
            self.counts.one(Index::Steps, seat);
            // Where takes are forced a step says that none was open.
            if game.rules().takes == Takes::Optional && game.most_takes(state) > 0 {
                self.counts.one(Index::DeclinedTakes, seat);
            }
            return;
        }
        let other = seat.next(2);
        self.taken[other] += takes;
        self.counts.add(Index::Takes, seat, takes);
        self.counts.add(Index::PiecesLost, other, takes);
        self.counts.one(Index::TakingTurns, seat);
        self.counts.add(Index::LongRuns, seat, (takes > 1).into());
        self.counts.raise(Index::LongestRun, seat, takes);
        self.counts.add(Index::Retakes, seat, self.took.into());
        self.took = true;
        self.judge_lead();
    }
}

impl<E: Engine> Meter<E> for SholoGutiMeter<E> {
    fn counts(&self) -> &[PerSeat<u32>] {
        &self.counts.0
    }

    fn clear(&mut self) {
        self.counts = Counts::default();
        self.begun = false;
        self.took = false;
        self.lead = Lead::default();
    }
}

impl Measured for SholoGuti {
    const METRICS: &'static [Metric] = METRICS;
    type Meter = SholoGutiMeter<Self>;

    fn meter(&self) -> SholoGutiMeter<Self> {
        SholoGutiMeter::new(self)
    }
}

impl Measured for plain::SholoGuti {
    const METRICS: &'static [Metric] = METRICS;
    type Meter = SholoGutiMeter<Self>;

    fn meter(&self) -> SholoGutiMeter<Self> {
        SholoGutiMeter::new(self)
    }
}
