//! Who meets whom: [`Lineups`]. Pure functions of a number of bots and of seats.

use serde::{Deserialize, Serialize};

/// How line-ups are made of a pool of bots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lineups {
    /// One line-up: the bots as they are named, one for each seat.
    #[default]
    Given,
    /// Every set of as many different bots as there are seats; for two seats every pair.
    All,
    /// The first bot against each of the others. With three or four seats both ways: one of the first among copies of the
    /// other, and one of the other among copies of the first.
    Gauntlet,
}

/// Why a pool makes no line-ups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineupsError {
    /// A pool that is too small.
    #[error("line-ups {} of {bots} different bots for {sides} sides: at least {least} are needed", .lineups.name())]
    TooFewBots {
        /// How line-ups were to be made.
        lineups: Lineups,
        /// How many different bots there are.
        bots: usize,
        /// How many sides play.
        sides: usize,
        /// How many different bots there must be.
        least: usize,
    },
    /// More line-ups than anybody plays.
    #[error(
        "{0} different bots make more than {MAX_LINEUPS} line-ups, which is the most that there can be"
    )]
    TooMany(usize),
}

/// The most line-ups of an experiment. It bounds the size of tallies, and of the ratings' sums.
pub const MAX_LINEUPS: usize = 10_000;

impl Lineups {
    /// All ways, with their names.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::Given, "given"), (Self::All, "all"), (Self::Gauntlet, "gauntlet")];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|&(lineups, _)| lineups == self).map_or("", |(_, name)| name)
    }

    /// The line-ups of `entries`, indexes of bots, for tables of `sides` sides: for each line-up the indexes of its
    /// entries. [`Given`](Self::Given) gives `entries` back, whatever their number. The other two take a bot that was
    /// named twice once.
    ///
    /// # Errors
    /// Where there are too few different bots, or too many.
    ///
    /// ```
    /// use sho_bench::Lineups;
    /// assert_eq!(Lineups::All.of(&[0, 1, 2], 2)?, [[0, 1], [0, 2], [1, 2]]);
    /// assert_eq!(Lineups::Gauntlet.of(&[0, 1], 3)?, [[0, 1, 1], [1, 0, 0]]);
    /// # Ok::<(), sho_bench::LineupsError>(())
    /// ```
    pub fn of(self, entries: &[usize], sides: usize) -> Result<Vec<Vec<usize>>, LineupsError> {
        let mut bots: Vec<usize> = Vec::new();
        for &entry in entries {
            if !bots.contains(&entry) {
                bots.push(entry);
            }
        }
        let least = match self {
            Self::Given => return Ok(vec![entries.to_vec()]),
            Self::All => sides,
            Self::Gauntlet => 2,
        };
        if bots.len() < least {
            let bots = bots.len();
            return Err(LineupsError::TooFewBots { lineups: self, bots, sides, least });
        }
        let mut lineups = Vec::new();
        match self {
            Self::Given => {}
            Self::All => {
                if !sets(&bots, sides, &mut Vec::new(), &mut lineups) {
                    return Err(LineupsError::TooMany(bots.len()));
                }
            }
            Self::Gauntlet => {
                let one_among = |one: usize, others: usize| {
                    let mut lineup = vec![others; sides];
                    lineup[0] = one;
                    lineup
                };
                for &other in &bots[1..] {
                    lineups.push(one_among(bots[0], other));
                    if sides > 2 {
                        lineups.push(one_among(other, bots[0]));
                    }
                }
                if lineups.len() > MAX_LINEUPS {
                    return Err(LineupsError::TooMany(bots.len()));
                }
            }
        }
        Ok(lineups)
    }
}

/// Adds all sets of `size` further bots to `sets`, each in the order of the bots. Whether there was room for all.
fn sets(bots: &[usize], size: usize, chosen: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) -> bool {
    if size == 0 {
        found.push(chosen.clone());
        return found.len() <= MAX_LINEUPS;
    }
    (0..bots.len()).all(|index| {
        chosen.push(bots[index]);
        let room = sets(&bots[index + 1..], size - 1, chosen, found);
        chosen.pop();
        room
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_make_the_line_ups_that_they_say() {
        assert_eq!(Lineups::Given.of(&[0, 0, 1], 3).unwrap(), [[0, 0, 1]]);
        let sets = Lineups::All.of(&[0, 1, 2, 3, 4], 3).unwrap();
        assert_eq!(sets.len(), 10);
        assert_eq!((&sets[0][..], &sets[9][..]), (&[0, 1, 2][..], &[2, 3, 4][..]));
        assert_eq!(Lineups::All.of(&[0, 1, 1, 0, 2], 2).unwrap(), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(Lineups::Gauntlet.of(&[0, 1, 2], 2).unwrap(), [[0, 1], [0, 2]]);
        let both_ways = [[2, 0, 0, 0], [0, 2, 2, 2], [2, 1, 1, 1], [1, 2, 2, 2]];
        assert_eq!(Lineups::Gauntlet.of(&[2, 0, 1], 4).unwrap(), both_ways);
    }

    #[test]
    fn pools_that_are_too_small_or_too_large_are_refused() {
        let line = Lineups::All.of(&[0, 1, 1], 3).unwrap_err().to_string();
        assert_eq!(line, "line-ups all of 2 different bots for 3 sides: at least 3 are needed");
        assert!(Lineups::Gauntlet.of(&[0, 0], 2).is_err());
        let many: Vec<usize> = (0..200).collect();
        assert_eq!(Lineups::All.of(&many, 4), Err(LineupsError::TooMany(200)));
        assert_eq!(Lineups::All.of(&many[..100], 2).unwrap().len(), 4950);
    }
}
