//! What is counted in games of Sho: [`ShoMeter`].

use sho_ai::arena::Observer;
use sho_core::sho::{Action, Engine, Gap, GoingHome, Landing, Setup, Sho, Waiting, plain};
use sho_core::{MAX_SEATS, PerSeat, Seat, Throw};

use super::{Lead, Measured, Meter, Metric, least_alone, metrics};

metrics! {
    Kills "kills" Sum
        "actions that kill, for the side that kills";
    OpeningKills "opening_kills" Sum
        "openings that kill, for the side that opens; they are among the kills";
    CoinsKilled "coins_killed" Sum
        "coins sent back to a hand, for the side that kills them";
    CoinsLost "coins_lost" Sum
        "coins sent back to a hand, for the side that loses them";
    Joins "joins" Sum
        "actions that join, for the side that joins";
    PaRas "pa_ras" Sum
        "throws of 1-1, for the side that throws";
    ExtraThrows "extra_throws" Sum
        "throws after the first of a turn, for the side that throws";
    LostThrows "lost_throws" Sum
        "throws that end a turn since nothing can be played, for the side that throws";
    LostValues "lost_values" Sum
        "waiting values that are dropped at the end of a turn, for the side that threw them";
    Openings "openings" Sum
        "openings made, first ones and again, for the side that opens";
    Entries "entries" Sum
        "single coins entered, left-over entries too, for the side that enters";
    Pairs "pairs" Sum
        "pairs entered in gap 2 by a pa ra outside of openings, for the side that enters";
    SixThrees "six_threes" Sum
        "six-threes that bring many coins to gap 9, for the side that brings them";
    LeftOvers "left_overs" Sum
        "left-over counts that are played, for the side that plays them";
    HomeMoves "home_moves" Sum
        "actions that carry a stack home, for the side that goes home";
    CoinsHome "coins_home" Sum
        "coins at home when the game is over, for their side";
    CoinsCalledBack "coins_called_back" Sum
        "coins that a champion had to put back into its hand, for the champion";
    NineStacks "nine_stacks" Sum
        "landings that make one stack of all coins of a side, for that side";
    TallestStack "tallest_stack" Greatest
        "coins in the tallest stack that a landing made, for its side; of a game the greatest";
    LeadChanges "lead_changes" Sum
        "turns' ends at which the lead in gaps to go has passed to another side, for the side that takes it";
    PaRasUsed "pa_ras_used" Sum
        "pa ras whose 2 is played, alone, in a sum or as a pair, for the side that plays it";
    PaRaThrows "pa_ra_throws" Sum
        "extra throws that a pa ra just before has earned, for the side that throws";
    StuckStacks "stuck_stacks" Sum
        "stacks that a throw leaves in place since every waiting value would carry them past home, which must be hit \
         exactly, for their side; each counts once a throw";
}

/// Counts what happens in a game of Sho.
///
/// It follows where the coins stand, since neither an action nor its effect says whose coins are killed, and a whole
/// [`Setup`] for each throw would cost more than the throw. Where they stand says how a legal action lands; only how
/// many coins an opening brings, and what a champion is, the engine is asked. In builds with debug assertions it is
/// asked about every action, and where the coins stand is compared after each turn.
#[derive(Clone, Debug)]
pub struct ShoMeter<E: Engine> {
    counts: Counts,
    /// Where games start as a rule, and its board: so most games begin with a copy.
    usual: (E::State, Board),
    board: Board,
    /// Whose turn it is; nothing before the first step.
    turn_of: Option<Seat>,
    /// What waits.
    waiting: Waiting,
    /// Whether the last step was a throw.
    thrown: bool,
    /// Whether the next throw is one that a pa ra has earned.
    owed: bool,
    lead: Lead,
}

/// Where the coins are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Board {
    seats: usize,
    /// Coins by gap, place 0 unused.
    coins: [u8; 64],
    /// Whose they are; A where there are none.
    owners: [Seat; 64],
    homes: PerSeat<u8>,
    /// Gaps that each side's coins have still to go.
    to_go: PerSeat<u32>,
}

impl Board {
    fn of(setup: &Setup, shells: u8) -> Self {
        let mut board = Self {
            seats: setup.seats,
            coins: [0; 64],
            owners: [Seat::A; 64],
            homes: PerSeat::default(),
            to_go: PerSeat::default(),
        };
        for (seat, side) in setup.sides.iter(setup.seats) {
            board.homes[seat] = side.home;
            board.to_go[seat] = u32::from(side.hand) * u32::from(shells);
            for (gap, coins) in side.stacks() {
                board.coins[gap.index()] = coins;
                board.owners[gap.index()] = seat;
                board.to_go[seat] += u32::from(coins) * u32::from(shells - gap.number());
            }
        }
        board
    }

    /// Empties a gap, and says whose coins stood there and how many.
    fn take(&mut self, gap: u8) -> (Seat, u8) {
        let gap = usize::from(gap);
        (
            std::mem::replace(&mut self.owners[gap], Seat::A),
            std::mem::replace(&mut self.coins[gap], 0),
        )
    }
}

impl<E: Engine> ShoMeter<E> {
    fn new(game: &E) -> Self {
        let start = game.start();
        let board = Board::of(&game.setup(&start), game.rules().shells);
        Self {
            counts: Counts::default(),
            usual: (start, board),
            board,
            turn_of: None,
            waiting: Waiting::NONE,
            thrown: false,
            owed: false,
            lead: Lead::default(),
        }
    }

    /// How many stacks of `seat` would go past home by any of the values that wait, of which there is at least one. Sums
    /// go further still, so the least value decides.
    fn stuck(&self, shells: u8, seat: Seat) -> u32 {
        let least = self.waiting.values().distinct().next().map_or(0, |(value, _)| value.into());
        let shells = usize::from(shells);
        let too_near = (shells + 1).saturating_sub(least).max(1)..shells;
        let stacks = too_near.filter(|&gap| self.board.coins[gap] > 0);
        stacks.filter(|&gap| self.board.owners[gap] == seat).count() as u32
    }

    /// Looks at the state before the first step.
    #[cold]
    fn begin(&mut self, game: &E, state: &E::State, seat: Option<Seat>) {
        self.turn_of = seat;
        if *state == self.usual.0 {
            self.board = self.usual.1;
        } else {
            let setup = game.setup(state);
            self.board = Board::of(&setup, game.rules().shells);
            self.waiting = setup.waiting;
        }
        self.judge_lead();
    }

    /// The turn of `seat` is over.
    fn pass(&mut self, seat: Seat) {
        self.counts.add(Index::LostThrows, seat, self.thrown.into());
        self.counts.add(Index::LostValues, seat, self.waiting.len() as u32);
        self.waiting = Waiting::NONE;
        self.owed = false;
        self.judge_lead();
    }

    fn judge_lead(&mut self) {
        let front = least_alone(&self.board.to_go, self.board.seats);
        if let Some(seat) = self.lead.judge(front) {
            self.counts.one(Index::LeadChanges, seat);
        }
    }

    /// How many coins a legal action moves.
    #[inline]
    fn coins(&self, game: &E, state: &E::State, action: Action) -> u8 {
        match action {
            Action::Move { from, .. } => self.board.coins[from.index()],
            Action::Enter { .. } => 1,
            Action::Pair => 2,
            Action::Open { .. } | Action::SixThree => game.effect(state, action).coins,
            Action::Again => 0,
        }
    }

    /// How a legal action of `seat` comes down, if it moves coins.
    fn landing(&self, shells: u8, seat: Seat, action: Action) -> Option<Landing> {
        let at = action.landing();
        match action {
            Action::Again => None,
            _ if at >= shells => Some(Landing::Home),
            _ if self.board.coins[usize::from(at)] == 0 => Some(Landing::Quiet),
            _ if self.board.owners[usize::from(at)] == seat => Some(Landing::Join),
            _ => Some(Landing::Kill),
        }
    }

    /// Coins of `seat` pass the last shell.
    fn go_home(&mut self, game: &E, state: &E::State, seat: Seat, action: Action, coins: u8) {
        let rules = game.rules();
        let from = action.from().map_or(0, Gap::number);
        self.counts.one(Index::HomeMoves, seat);
        self.board.homes[seat] += coins;
        self.board.to_go[seat] -= u32::from(coins) * u32::from(rules.shells - from);
        let all = self.board.homes[seat] == rules.coins;
        if all && rules.has_alliance() && game.setup(state).sides[seat].champion {
            self.counts.one(Index::CoinsCalledBack, seat);
            self.board.homes[seat] -= 1;
            self.board.to_go[seat] += u32::from(rules.shells);
        }
    }

    /// Coins of `seat` land on the board.
    fn land(&mut self, all: u8, seat: Seat, action: Action, coins: u8, landing: Landing) {
        let at = action.landing();
        self.board.to_go[seat] -= u32::from(coins) * u32::from(action.distance());
        let mut stack = coins;
        match landing {
            Landing::Kill => {
                let (victim, lost) = self.board.take(at);
                self.board.to_go[victim] += u32::from(lost) * u32::from(at);
                self.counts.one(Index::Kills, seat);
                self.counts.add(Index::CoinsKilled, seat, lost.into());
                self.counts.add(Index::CoinsLost, victim, lost.into());
                if matches!(action, Action::Open { .. }) {
                    self.counts.one(Index::OpeningKills, seat);
                }
            }
            Landing::Join => {
                stack += self.board.coins[usize::from(at)];
                self.counts.one(Index::Joins, seat);
            }
            Landing::Quiet | Landing::Home => {}
        }
        self.board.coins[usize::from(at)] = stack;
        self.board.owners[usize::from(at)] = seat;
        self.counts.raise(Index::TallestStack, seat, stack.into());
        // A stack that was whole before has only been carried on.
        let carried = matches!(action, Action::Move { .. }) && coins == all;
        if stack == all && !carried {
            self.counts.one(Index::NineStacks, seat);
        }
    }
}

impl<E: Engine> Observer<E> for ShoMeter<E> {
    #[inline]
    fn cast(&mut self, game: &E, state: &E::State, seat: Seat, throw: Throw) {
        match self.turn_of {
            Some(turn_of) if turn_of == seat => {
                self.counts.one(Index::ExtraThrows, seat);
                self.counts.add(Index::PaRaThrows, seat, self.owed.into());
            }
            Some(turn_of) => {
                self.turn_of = Some(seat);
                self.pass(turn_of);
                debug_assert_eq!(self.board, Board::of(&game.setup(state), game.rules().shells));
            }
            None => self.begin(game, state, Some(seat)),
        }
        self.thrown = true;
        self.owed = throw.is_pa_ra();
        let rules = game.rules();
        if !throw.is_pa_ra() {
            self.waiting = self.waiting.add(throw.total(), throw.is_six_three());
            if rules.going_home == GoingHome::Exact {
                let stuck = self.stuck(rules.shells, seat);
                self.counts.add(Index::StuckStacks, seat, stuck);
            }
            return;
        }
        self.counts.one(Index::PaRas, seat);
        // Where the list is full a pa ra brings nothing.
        if self.waiting.len() + 1 < usize::from(rules.waiting_limit) {
            self.waiting = self.waiting.add(2, false);
        }
    }

    #[inline]
    fn action(&mut self, game: &E, state: &E::State, seat: Seat, action: Action) {
        if self.turn_of.is_none() {
            self.begin(game, state, Some(seat));
        }
        let rules = game.rules();
        let coins = self.coins(game, state, action);
        let landing = self.landing(rules.shells, seat, action);
        self.thrown = false;
        self.owed = action == Action::Again;
        self.waiting = match action {
            Action::SixThree => self.waiting.spend_six_three(),
            _ => self.waiting.spend(action.spent()),
        };
        // Only a pa ra brings a 2.
        self.counts.add(Index::PaRasUsed, seat, action.spent().count(2).into());
        if cfg!(debug_assertions) {
            let effect = game.effect(state, action);
            debug_assert_eq!((effect.landing, effect.coins), (landing, coins), "{action:?}");
            debug_assert_eq!(effect.left, self.waiting, "{action:?}");
        }
        let Some(landing) = landing else { return };
        match action {
            Action::Move { from, .. } => {
                self.board.take(from.number());
            }
            Action::Enter { .. } => self.counts.one(Index::Entries, seat),
            Action::Open { .. } => self.counts.one(Index::Openings, seat),
            Action::Pair => self.counts.one(Index::Pairs, seat),
            Action::SixThree => self.counts.one(Index::SixThrees, seat),
            Action::Again => {}
        }
        // Only a left-over spends no value.
        if action.spent().is_empty() {
            self.counts.one(Index::LeftOvers, seat);
        }
        if landing == Landing::Home {
            self.go_home(game, state, seat, action, coins);
        } else {
            self.land(rules.coins, seat, action, coins, landing);
        }
    }

    fn over(&mut self, game: &E, state: &E::State) {
        match self.turn_of {
            None => self.begin(game, state, None),
            // The cap ends a game between two turns or within one; then, as after a win, nothing was lost.
            Some(seat) => {
                let won = self.board.homes[seat] == game.rules().coins;
                if !won && game.setup(state).mover != seat {
                    self.pass(seat);
                } else {
                    self.judge_lead();
                }
            }
        }
        debug_assert_eq!(self.board, Board::of(&game.setup(state), game.rules().shells));
        for (seat, &home) in self.board.homes.iter(MAX_SEATS) {
            self.counts.raise(Index::CoinsHome, seat, home.into());
        }
    }
}

impl<E: Engine> Meter<E> for ShoMeter<E> {
    fn counts(&self) -> &[PerSeat<u32>] {
        &self.counts.0
    }

    fn clear(&mut self) {
        self.counts = Counts::default();
        self.turn_of = None;
        self.waiting = Waiting::NONE;
        self.thrown = false;
        self.owed = false;
        self.lead = Lead::default();
    }
}

impl Measured for Sho {
    const METRICS: &'static [Metric] = METRICS;
    type Meter = ShoMeter<Self>;

    fn meter(&self) -> ShoMeter<Self> {
        ShoMeter::new(self)
    }
}

impl Measured for plain::Sho {
    const METRICS: &'static [Metric] = METRICS;
    type Meter = ShoMeter<Self>;

    fn meter(&self) -> ShoMeter<Self> {
        ShoMeter::new(self)
    }
}
