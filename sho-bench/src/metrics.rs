//! What happens in games, counted: [`Measured`] games, their [`Meter`]s, and [`MetricTally`].
//!
//! A meter watches one game and counts for each seat; a tally adds up games and blocks. The project's `docs/metrics.md`
//! defines each metric exactly. The turns of an [opening](sho_ai::opening::Opening) count as any others, for the seats
//! whose turns they are.

mod sho;
mod sholo_guti;
mod tally;

pub use self::sho::ShoMeter;
pub use self::sholo_guti::SholoGutiMeter;
pub use self::tally::{
    BlockMetrics, BotMetric, MetricCounts, MetricResult, MetricTally, metric_results,
};

use sho_ai::arena::Observer;
use sho_core::{Game, PerSeat, Seat};

/// Something that is counted in a game, for each seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name as in result files.
    pub name: &'static str,
    /// What is counted, in which unit, and which seat it is credited to: one sentence.
    pub about: &'static str,
    /// How a game's value comes from those of its seats.
    pub together: Together,
}

/// How a game's value of a metric comes from those of its seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Together {
    /// They are added up.
    Sum,
    /// The greatest of them.
    Greatest,
}

impl Metric {
    /// A game's value, given those of its seats.
    ///
    /// # Panics
    /// If `seats` is above [`MAX_SEATS`](sho_core::MAX_SEATS).
    #[must_use]
    pub fn of_game(&self, by_seat: &PerSeat<u32>, seats: usize) -> u32 {
        let values = by_seat.as_slice(seats).iter().copied();
        match self.together {
            Together::Sum => values.sum(),
            Together::Greatest => values.max().unwrap_or(0),
        }
    }
}

/// A game of which is known what can be counted in it.
///
/// ```
/// use sho_ai::{Policy, arena::Arena, sho::Easy};
/// use sho_bench::metrics::{Measured, Meter};
/// use sho_core::sho::{Rules, Sho};
/// use sho_core::{Game, Seat};
///
/// let game = Sho::new(Rules::lhasa())?;
/// let (mut arena, mut meter) = (Arena::new(game), game.meter());
/// let mut entries: [Box<dyn Policy<Sho>>; 3] = [Box::new(Easy), Box::new(Easy), Box::new(Easy)];
/// let played = arena.play_game(1, 0, 0, &mut entries, &mut meter)?;
///
/// let home = Sho::METRICS.iter().position(|metric| metric.name == "coins_home");
/// let home = &meter.counts()[home.ok_or("no such metric")?];
/// let winner = Seat::all(3).find(|&seat| played.payoffs[seat] == 12).ok_or("shared")?;
/// assert_eq!(home[winner], 9);
/// meter.clear();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Measured: Game {
    /// What is counted, in the order of [`Meter::counts`] and of result files.
    const METRICS: &'static [Metric];

    /// What counts it.
    type Meter: Meter<Self>;

    /// A meter for one game after the other, empty.
    fn meter(&self) -> Self::Meter;
}

/// Watches a game of the kind that made it, from its first step to its end, and counts what happens.
///
/// A meter is for one game at a time: [`clear`](Self::clear) it before the next. It allocates nothing.
pub trait Meter<G: Game>: Observer<G> + Clone + std::fmt::Debug + Send {
    /// What was counted, by metric in the order of [`Measured::METRICS`], and by seat. It is complete when the game is
    /// over; seats beyond the table have 0.
    fn counts(&self) -> &[PerSeat<u32>];

    /// Empties it for the next game.
    fn clear(&mut self);
}

/// Counts nothing: for games without metrics.
impl<G: Game> Meter<G> for () {
    fn counts(&self) -> &[PerSeat<u32>] {
        &[]
    }

    fn clear(&mut self) {}
}

/// Who was the last to be alone in front. Ties leave the lead where it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Lead(Option<Seat>);

impl Lead {
    /// Looks at the side that is alone in front, if any is, and says who has taken the lead from another side by it. The
    /// first to lead takes it from nobody.
    fn judge(&mut self, alone_in_front: Option<Seat>) -> Option<Seat> {
        let front = alone_in_front?;
        let before = self.0.replace(front);
        before.filter(|&leader| leader != front).map(|_| front)
    }
}

/// The one seat with the least value, if only one has it.
fn least_alone(values: &PerSeat<u32>, seats: usize) -> Option<Seat> {
    let (mut least, mut alone) = (u32::MAX, None);
    for (seat, &value) in values.iter(seats) {
        if value < least {
            (least, alone) = (value, Some(seat));
        } else if value == least {
            alone = None;
        }
    }
    alone
}

/// Writes down the metrics of a game: an `enum` of indices and the table in the same order.
macro_rules! metrics {
    ($($index:ident $name:literal $together:ident $about:literal;)+) => {
        #[derive(Clone, Copy, Debug)]
        enum Index {
            $($index),+
        }

        const METRICS: &[$crate::metrics::Metric] = &[$($crate::metrics::Metric {
            name: $name,
            about: $about,
            together: $crate::metrics::Together::$together,
        }),+];

        /// Counts by metric and seat.
        #[derive(Clone, Copy, Debug, Default)]
        struct Counts([sho_core::PerSeat<u32>; METRICS.len()]);

        impl Counts {
            #[inline]
            fn add(&mut self, index: Index, seat: sho_core::Seat, more: u32) {
                self.0[index as usize][seat] += more;
            }

            #[inline]
            fn one(&mut self, index: Index, seat: sho_core::Seat) {
                self.add(index, seat, 1);
            }

            #[inline]
            fn raise(&mut self, index: Index, seat: sho_core::Seat, value: u32) {
                let greatest = &mut self.0[index as usize][seat];
                *greatest = value.max(*greatest);
            }
        }
    };
}
use metrics;
