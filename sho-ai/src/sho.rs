//! The bots of Sho.

mod easy;
pub mod expectimax;

pub use easy::Easy;

use sho_core::sho::{Engine, Sho, plain};

use crate::playout::{Playouts, sho_playouts};
use crate::policy::{Policy, Random};
use crate::spec::{BotError, BotInfo, BotSpec, Bots};

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
];

fn bot<E: Engine>(spec: &BotSpec) -> Box<dyn Policy<E>> {
    match spec.name {
        "random" => Box::new(Random),
        "easy" => Box::new(Easy),
        name => unreachable!("a spec names one of the bots of Sho, not {name}"),
    }
}

macro_rules! has_bots_of_sho {
    ($engine:ty $(, $playouts:path)?) => {
        impl Bots for $engine {
            const BOTS: &'static [BotInfo] = BOTS;
            const DEFAULT_BOT: &'static str = "easy";

            fn bot(spec: &BotSpec) -> Result<Box<dyn Policy<Self>>, BotError> {
                Ok(bot(spec))
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
