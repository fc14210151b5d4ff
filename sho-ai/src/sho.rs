//! The bots of Sho.

mod defaults;
mod easy;
mod evaluation;
pub mod expectimax;
mod exposure;
mod features;
mod named;
mod near;
mod tuned;
mod weights;

pub use easy::Easy;
pub use evaluation::Evaluation;
pub use exposure::{WHOLE, chance_of, hit_chance};
pub use features::Features;
#[cfg(feature = "serde")]
pub use weights::WeightsError;
pub use weights::{MOST_WEIGHT, Weights};

use sho_core::Throw;
use sho_core::sho::{Action, Engine, Rules, Sho, plain};

use self::defaults::Defaults;

use crate::evaluate::Evaluate;
use crate::greedy::Greedy;
use crate::playout::{Playouts, action_word, outcome_word, sho_playouts};
use crate::policy::{Policy, Random};
use crate::search::expectimax::Expectimax;
use crate::spec::{BotError, BotInfo, BotSpec, Bots, ChosenWeights, ReadFile};

const BOTS: &[BotInfo] = &[
    BotInfo {
        name: "random",
        aliases: &[],
        about: "chooses uniformly among the legal actions",
        options: &[],
        draws: true,
    },
    BotInfo {
        name: "easy",
        aliases: &["greedy"],
        about: "kills when it can, else joins, else runs furthest",
        options: &[],
        draws: false,
    },
    BotInfo {
        name: "medium",
        aliases: &[],
        about: "weighs what each kill, join, homecoming and end of a move is worth, and to whom",
        options: &[],
        draws: false,
    },
    BotInfo {
        name: "hard",
        aliases: &[],
        about: "also reads every enemy stack behind each of its own, with the chance to be hit, and builds tall stacks",
        options: &[],
        draws: false,
    },
    #[cfg(feature = "serde")]
    BotInfo {
        name: "weighted",
        aliases: &[],
        about: "plays as hard does, by the weights of a file",
        options: &[("weights", WEIGHTS_ABOUT)],
        draws: false,
    },
    expectimax::INFO,
];

#[cfg(feature = "serde")]
const WEIGHTS_ABOUT: &str = "a file with a whole number for each weight, JSON or lines name=value";

/// How a bot of Sho thinks.
enum Thought {
    /// It looks at no numbers: `random` and `easy`.
    None,
    /// By its own weights.
    Own(Defaults),
    /// By the weights of a file.
    #[cfg(feature = "serde")]
    File(Weights),
}

impl Thought {
    /// How the bot of a spec thinks; all its options are checked.
    fn of(spec: &BotSpec, read: &mut ReadFile<'_>) -> Result<Self, BotError> {
        Ok(match spec.name {
            "medium" | "hard" => Self::own(spec),
            #[cfg(feature = "serde")]
            "weighted" => Self::File(weights_of_file(spec, read)?),
            "expectimax" => {
                expectimax::limits(spec)?;
                #[cfg(feature = "serde")]
                if spec.options.iter().any(|(name, _)| name == "weights") {
                    return Ok(Self::File(weights_of_file(spec, read)?));
                }
                Self::own(spec)
            }
            _ => {
                let _ = read;
                Self::None
            }
        })
    }

    /// By the weights that the bot has by itself.
    fn own(spec: &BotSpec) -> Self {
        defaults_of(spec).map_or(Self::None, Self::Own)
    }

    /// The weights for these rules.
    fn weights(&self, rules: &Rules) -> Option<&Weights> {
        match self {
            Self::None => None,
            Self::Own(defaults) => Some(&defaults.of(rules).weights),
            #[cfg(feature = "serde")]
            Self::File(weights) => Some(weights),
        }
    }

    /// Which of its weights it plays by under these rules.
    fn chosen(&self, rules: &Rules) -> Option<ChosenWeights> {
        match self {
            Self::Own(defaults) => Some(defaults.of(rules).chosen(rules)),
            _ => None,
        }
    }

    /// All its weights as text.
    fn text(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Own(defaults) => Some(defaults.to_string()),
            #[cfg(feature = "serde")]
            Self::File(weights) => Some(weights.to_string()),
        }
    }
}

/// The weights in the file that the spec's option names.
#[cfg(feature = "serde")]
fn weights_of_file(spec: &BotSpec, read: &mut ReadFile<'_>) -> Result<Weights, BotError> {
    let (bot, option) = (spec.name, "weights");
    let given = spec.options.iter().find(|(name, value)| name == option && !value.is_empty());
    let Some((_, file)) = given else {
        return Err(BotError::MissingOption { bot, option, about: WEIGHTS_ABOUT });
    };
    read(file)
        .and_then(|text| Weights::from_text(&text).map_err(|error| error.to_string()))
        .map_err(|reason| BotError::BadFile { bot, option, file: file.clone(), reason })
}

/// The weights by which a bot plays under these rules of itself; nothing where it has none, or plays by a file's.
///
/// ```
/// use sho_ai::{Bots, sho::{Weights, own_weights}};
/// use sho_core::sho::{Rules, Sho};
/// assert!(own_weights(&Sho::spec("hard")?, &Rules::lhasa()).is_some());
/// assert_eq!(own_weights(&Sho::spec("easy")?, &Rules::lhasa()), None);
/// # Ok::<(), sho_ai::BotError>(())
/// ```
#[must_use]
pub fn own_weights(spec: &BotSpec, rules: &Rules) -> Option<&'static Weights> {
    let by_file = spec.options.iter().any(|(option, _)| option == "weights");
    defaults_of(spec).filter(|_| !by_file).map(|defaults| &defaults.of(rules).weights)
}

/// The weights that the bot of a spec has by itself.
fn defaults_of(spec: &BotSpec) -> Option<Defaults> {
    match spec.name {
        "medium" => Some(Defaults::MEDIUM),
        "hard" => Some(Defaults::HARD),
        "expectimax" => Some(Defaults::of_search(expectimax::limits(spec).ok()?)),
        _ => None,
    }
}

/// The bot of a spec, playing by weights of a file of this name instead of its own: `hard` becomes `weighted`, and
/// `expectimax` keeps its options. Nothing where the bot looks at no such weights.
///
/// ```
/// use sho_ai::{Bots, sho::by_weights};
/// use sho_core::sho::Sho;
/// let spec = |text| by_weights(&Sho::spec(text).unwrap(), "mine.json").map(|spec| spec.to_string());
/// assert_eq!(spec("hard").unwrap(), "weighted:weights=mine.json");
/// assert_eq!(spec("expectimax:depth=3").unwrap(), "expectimax:depth=3:weights=mine.json");
/// assert_eq!(spec("easy"), None);
/// ```
#[cfg(feature = "serde")]
#[must_use]
pub fn by_weights(spec: &BotSpec, file: &str) -> Option<BotSpec> {
    let name = match spec.name {
        "hard" | "weighted" => "weighted",
        "expectimax" => "expectimax",
        _ => return None,
    };
    let mut options: Vec<_> =
        spec.options.iter().filter(|(option, _)| option != "weights").cloned().collect();
    options.push(("weights".to_owned(), file.to_owned()));
    Some(BotSpec { name, options })
}

fn bot<E: Engine + 'static>(
    game: &E,
    spec: &BotSpec,
    read: &mut ReadFile<'_>,
) -> Result<Box<dyn Policy<E>>, BotError>
where
    Evaluation: Evaluate<E>,
{
    if let Some(weights) = Thought::of(spec, read)?.weights(game.rules()) {
        let evaluation = Evaluation::new(*weights);
        return Ok(match spec.name {
            "expectimax" => Box::new(Expectimax::new(expectimax::limits(spec)?, evaluation)),
            _ => Box::new(Greedy::new(evaluation)),
        });
    }
    Ok(match spec.name {
        "random" => Box::new(Random),
        "easy" => Box::new(Easy),
        name => unreachable!("a spec names one of the bots of Sho, not {name}"),
    })
}

macro_rules! has_bots_of_sho {
    ($engine:ty $(, $playouts:path)?) => {
        impl Bots for $engine {
            const BOTS: &'static [BotInfo] = BOTS;
            const DEFAULT_BOT: &'static str = "medium";

            fn bot_with(
                game: &Self,
                spec: &BotSpec,
                read: &mut ReadFile<'_>,
            ) -> Result<Box<dyn Policy<Self>>, BotError> {
                bot(game, spec, read)
            }

            fn weights(
                spec: &BotSpec,
                read: &mut ReadFile<'_>,
            ) -> Result<Option<String>, BotError> {
                Ok(Thought::of(spec, read)?.text())
            }

            fn judges_by(rules: &Rules, spec: &BotSpec) -> Option<ChosenWeights> {
                // A bot that plays by a file has named it already.
                Thought::of(spec, &mut |_| Err(String::new())).ok()?.chosen(rules)
            }

            #[inline]
            fn outcome_word(throw: Throw) -> u64 {
                outcome_word(throw)
            }

            #[inline]
            fn action_word(action: Action) -> u64 {
                action_word(action)
            }
            $(

                fn playouts(game: &Self, bots: &[&BotSpec]) -> Option<Box<dyn Playouts<Self>>> {
                    $playouts(game, bots)
                }
            )?
        }
    };
}

has_bots_of_sho!(Sho, sho_playouts);
has_bots_of_sho!(plain::Sho);
