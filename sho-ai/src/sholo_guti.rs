//! The bots of Sholo Guti.

mod alphabeta;
mod easy;
mod tactics;
mod weights;

pub use alphabeta::Searcher;
pub use easy::Easy;
pub use weights::Weights;

use sho_core::sholo_guti::{Engine, SholoGuti, plain};

use crate::policy::{Policy, Random};
use crate::search::alphabeta::{Limits, MAX_DEPTH};
use crate::spec::{BotError, BotInfo, BotSpec, Bots, ReadFile};

const BOTS: &[BotInfo] = &[
    BotInfo {
        name: "random",
        aliases: &[],
        about: "chooses uniformly among the legal turns, by path",
        options: &[],
        draws: true,
    },
    BotInfo {
        name: "easy",
        aliases: &["greedy"],
        about: "takes the most it can, and goes where the reply takes the least",
        options: &[],
        draws: false,
    },
    BotInfo {
        name: "alphabeta",
        aliases: &[],
        about: "looks ahead as far as it is told, then as long as somebody takes, and judges what it sees",
        options: &[
            ("depth", "turns to look ahead, 1 to 64; 4 where neither option is given"),
            ("nodes", "positions to look at before it stops looking further, from 1"),
        ],
        draws: false,
    },
];

fn bot<E: Engine>(spec: &BotSpec) -> Result<Box<dyn Policy<E>>, BotError> {
    Ok(match spec.name {
        "random" => Box::new(Random),
        "easy" => Box::new(Easy),
        "alphabeta" => Box::new(Searcher::new(Weights::default(), limits(spec)?)),
        name => unreachable!("a spec names one of the bots of Sholo Guti, not {name}"),
    })
}

/// How far the bot looks ahead by default: some milliseconds a turn.
const DEPTH: u32 = 4;

/// The most positions that can be asked for: more than a year of them.
const MAX_NODES: u64 = 1_000_000_000_000;

/// How far a spec says that the bot looks ahead.
fn limits(spec: &BotSpec) -> Result<Limits, BotError> {
    let nodes = spec.number("nodes", 1..=MAX_NODES)?;
    let depth = spec.number("depth", 1..=MAX_DEPTH.into())?.map(|depth| depth as u32);
    Ok(Limits {
        depth: depth.unwrap_or(if nodes.is_some() { MAX_DEPTH } else { DEPTH }),
        nodes: nodes.unwrap_or(u64::MAX),
    })
}

macro_rules! has_bots_of_sholo_guti {
    ($engine:ty) => {
        impl Bots for $engine {
            const BOTS: &'static [BotInfo] = BOTS;
            const DEFAULT_BOT: &'static str = "easy";

            fn bot_with(
                _: &Self,
                spec: &BotSpec,
                _: &mut ReadFile<'_>,
            ) -> Result<Box<dyn Policy<Self>>, BotError> {
                bot(spec)
            }

            fn weights(spec: &BotSpec, _: &mut ReadFile<'_>) -> Result<Option<String>, BotError> {
                bot::<Self>(spec).map(|_| None)
            }
        }
    };
}

has_bots_of_sholo_guti!(SholoGuti);
has_bots_of_sholo_guti!(plain::SholoGuti);
