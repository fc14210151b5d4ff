//! What a position of Sho looks like to each side, in numbers: [`Features`].

use sho_core::Seat;
use sho_core::sho::{Gap, MAX_GAP, Phase, Rules, Setup};

use super::exposure::{WHOLE, chance_of, either, hit_chance, reaches};

/// A stack so near home that a single throw may bring it there.
const LAST_LAP: i64 = 12;

/// Calls another macro with the features: a doc comment and a name for each. It is the one list of them.
macro_rules! for_each_feature {
    ($with:ident) => {
        $with! {
            /// Coins home.
            home,
            /// Coins in the hand.
            hand,
            /// Whether the side is opening, so that its next entry brings several coins.
            opening,
            /// Whether it is a champion, and owes a coin.
            champion,
            /// The gaps to go, coin by coin, of its coins on the board.
            coins_to_go,
            /// Its stacks on the board.
            stacks,
            /// The gaps to go, stack by stack: a stack needs no more throws than a coin.
            stacks_to_go,
            /// The squares of its stacks' heights: tall stacks rather than many.
            squares,
            /// Those squares, each by the gaps that the stack has to go.
            squares_to_go,
            /// Stacks that are 12 gaps from home or less.
            last_lap,
            /// The coins in them.
            last_lap_coins,
            /// How many sides throw before it: 0 for the side to move.
            sides_before,
            /// Whether its throw is due.
            throw_due,
            /// The distance that waits to be spent by it, or the count left over.
            to_spend,
            /// The chances that one of its stacks, or a coin from its hand, lands on another of its stacks, summed over
            /// those stacks.
            joins,
            /// The chances that it hits, summed over the stacks of all enemies.
            hits,
            /// The chances that it is stopped by a stack that is too big, summed over the stacks of all enemies.
            blocked,
            /// The chance of each stack to be hit before its side's next throw.
            exposed,
            /// The same by its coins.
            exposed_coins,
            /// The same by the gaps that it has to go.
            exposed_to_go,
            /// The same by its coins and the gaps that it has to go.
            exposed_coins_to_go,
            /// The chance of each stack to be hit after its side's next throw, if it stays, by the sides that throw
            /// after it in this round.
            threatened,
            /// The same by its coins.
            threatened_coins,
            /// The same by the gaps that it has to go.
            threatened_to_go,
            /// The same by its coins and the gaps that it has to go.
            threatened_coins_to_go,
        }
    };
}

pub(super) use for_each_feature;

macro_rules! features {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// What a position looks like to one side. All numbers are in units of 1/[`WHOLE`], so that chances are exact: a
        /// coin home counts 1296.
        ///
        /// *To go* is the number of gaps to home, 64 from the hand on the usual board. Chances to land are those of one
        /// turn, with a throw or with a pa ra and the throw after it; [`hit_chance`](super::hit_chance) says what counts.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Features {
            $($(#[$doc])+ pub $name: i64,)+
        }

        impl Features {
            /// The names, in the order of [`values`](Self::values).
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            /// The numbers.
            #[must_use]
            pub const fn values(&self) -> [i64; Self::NAMES.len()] {
                [$(self.$name),+]
            }
        }
    };
}

for_each_feature!(features);

impl Features {
    /// What the position is to `seat`, counted plainly. Of a position that is over only where the coins are means
    /// anything.
    ///
    /// # Panics
    /// If `seat` is not at the table.
    #[must_use]
    pub fn of(rules: &Rules, setup: &Setup, seat: Seat) -> Self {
        let seats = setup.seats;
        let side = &setup.sides[seat];
        let mut features = Self {
            home: i64::from(side.home),
            hand: i64::from(side.hand),
            opening: i64::from(side.is_opening()),
            champion: i64::from(side.champion),
            ..Self::default()
        };
        let before = (seat.index() + seats - setup.mover.index()) % seats;
        features.sides_before = before as i64;
        if before == 0 {
            features.throw_due = i64::from(setup.phase == Phase::Throw);
            features.to_spend = match setup.left_over {
                0 => i64::from(setup.waiting.values().sum()),
                left_over => i64::from(left_over),
            };
        }
        // The enemies in the order of turns from the side to move.
        let mut enemies = Vec::new();
        let mut enemy = setup.mover;
        for _ in 0..seats {
            enemies.push(enemy);
            enemy = enemy.next(seats);
        }
        let (earlier, later) = (&enemies[..before], &enemies[before + 1..]);
        for (gap, height) in side.stacks() {
            let (to_go, height) = (i64::from(rules.shells - gap.number()), i64::from(height));
            features.coins_to_go += height * to_go;
            features.stacks += 1;
            features.stacks_to_go += to_go;
            features.squares += height * height;
            features.squares_to_go += height * height * to_go;
            if to_go <= LAST_LAP {
                features.last_lap += 1;
                features.last_lap_coins += height;
            }
        }
        // All so far are whole numbers, and what follows are chances.
        features = features.scaled();
        for (gap, height) in side.stacks() {
            let (to_go, height) = (i64::from(rules.shells - gap.number()), i64::from(height));
            features.joins += chance_of(own_distances(setup, seat, gap));
            let chance = |enemies: &[Seat]| {
                let hits = enemies.iter().map(|&enemy| hit_chance(rules, setup, enemy, seat, gap));
                hits.fold(0, either)
            };
            let chances = (chance(earlier), chance(later));
            features.exposed += chances.0;
            features.exposed_coins += chances.0 * height;
            features.exposed_to_go += chances.0 * to_go;
            features.exposed_coins_to_go += chances.0 * height * to_go;
            features.threatened += chances.1;
            features.threatened_coins += chances.1 * height;
            features.threatened_to_go += chances.1 * to_go;
            features.threatened_coins_to_go += chances.1 * height * to_go;
        }
        for &enemy in enemies.iter().filter(|&&enemy| enemy != seat) {
            for (gap, _) in setup.sides[enemy].stacks() {
                features.hits += hit_chance(rules, setup, seat, enemy, gap);
                if !side.is_opening() {
                    features.blocked += chance_of(reaches(rules, setup, seat, enemy, gap).1);
                }
            }
        }
        features
    }

    /// Whole numbers in units of 1/[`WHOLE`].
    fn scaled(mut self) -> Self {
        for value in [
            &mut self.home,
            &mut self.hand,
            &mut self.opening,
            &mut self.champion,
            &mut self.coins_to_go,
            &mut self.stacks,
            &mut self.stacks_to_go,
            &mut self.squares,
            &mut self.squares_to_go,
            &mut self.last_lap,
            &mut self.last_lap_coins,
            &mut self.sides_before,
            &mut self.throw_due,
            &mut self.to_spend,
        ] {
            *value *= WHOLE;
        }
        self
    }
}

/// The distances to the stack in `gap` from what its own side has behind it, the hand included.
fn own_distances(setup: &Setup, seat: Seat, gap: Gap) -> u64 {
    let side = &setup.sides[seat];
    (1..=MAX_GAP.min(gap.number()))
        .filter(|&distance| match gap.number() - distance {
            0 => side.hand > 0,
            from => side.stacks[usize::from(from)] > 0,
        })
        .map(|distance| 1 << distance)
        .sum()
}
