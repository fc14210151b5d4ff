//! Bots that the calling program brings along: [`GuestBot`].

use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use sho_ai::{Bots, Policy};

use crate::entrant::EntrantError;

/// What comes before the name of a guest in texts.
const MARK: &str = "guest:";

/// A bot of the program that uses this library: a name, and a function that makes its policies. Each thread makes one for
/// each entry of a line-up.
///
/// It prints as `guest:NAME`. That text names it in results and records, and makes it for nobody else: commands and
/// folders, which read bots from texts, refuse it. Two guests are the same bot if they are copies of one another.
///
/// ```
/// use sho_ai::Random;
/// use sho_bench::{Amount, Entrant, Experiment, GuestBot, Lineups, Schedule, run};
/// use sho_core::sho::{Rules, Sho};
///
/// let mut rules = Rules::lhasa();
/// rules.sides = 2;
/// let mine = GuestBot::new::<Sho, _>("mine", || Random)?;
/// let bots = [Entrant::Guest(mine), Entrant::parse::<Sho>("easy")?];
/// let (amount, rotations) = (Amount::Blocks(10), Schedule::Rotations);
/// let experiment = Experiment::of_entrants::<Sho>(rules, &bots, Lineups::Given, rotations, 1, amount)?;
/// assert_eq!(run::<Sho>(&experiment, 1, &())?.tally.games, 20);
/// assert_eq!(experiment.bots[0].to_string(), "guest:mine");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct GuestBot {
    name: String,
    /// A `Maker<G>` of the game that it plays.
    maker: Arc<dyn Any + Send + Sync>,
}

type Maker<G> = Box<dyn Fn() -> Box<dyn Policy<G>> + Send + Sync>;

impl GuestBot {
    /// A bot of this name, of which `make` gives a new policy each time. It plays with the engine `G` and no other.
    ///
    /// # Errors
    /// Where the name is not made of ASCII letters, digits, `-`, `_` and `.`: it stands in lists and tables.
    pub fn new<G: Bots + 'static, P: Policy<G> + 'static>(
        name: &str,
        make: impl Fn() -> P + Send + Sync + 'static,
    ) -> Result<Self, EntrantError> {
        let fits = |char: char| char.is_ascii_alphanumeric() || "-_.".contains(char);
        if name.is_empty() || !name.chars().all(fits) {
            return Err(EntrantError::GuestName(name.to_owned()));
        }
        let maker: Maker<G> = Box::new(move || Box::new(make()));
        Ok(Self { name: name.to_owned(), maker: Arc::new(maker) })
    }

    /// A policy that plays so.
    ///
    /// # Errors
    /// Where it is a bot of another game or engine.
    pub fn policy<G: Bots + 'static>(&self) -> Result<Box<dyn Policy<G>>, EntrantError> {
        let maker = self.maker.downcast_ref::<Maker<G>>();
        let maker = maker.ok_or_else(|| EntrantError::GuestOfAnother(self.name.clone(), G::NAME));
        maker.map(|make| make())
    }

    /// Whether a text is that of a guest.
    pub(crate) fn is_meant(text: &str) -> bool {
        text.starts_with(MARK)
    }

    /// What tells two bots of one name apart.
    fn place(&self) -> *const () {
        Arc::as_ptr(&self.maker).cast()
    }
}

impl fmt::Display for GuestBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{MARK}{}", self.name)
    }
}

impl fmt::Debug for GuestBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuestBot").field("name", &self.name).finish_non_exhaustive()
    }
}

impl PartialEq for GuestBot {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for GuestBot {}

impl PartialOrd for GuestBot {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for GuestBot {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.name, self.place()).cmp(&(&other.name, other.place()))
    }
}

impl Hash for GuestBot {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}
