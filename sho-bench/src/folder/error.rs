//! What is wrong with a folder: [`FolderError`].

use std::io;

use crate::entrant::EntrantError;
use crate::experiment::ExperimentError;
use crate::study::StudyError;
use crate::tournament::RunError;

/// What is wrong with a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// A file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// What the system says.
        error: io::Error,
    },
    /// A file does not say what it should.
    #[error("{path}: {problem}")]
    Content {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// The folder holds an experiment already.
    #[error(
        "{0}: it holds an experiment already; go on with it (`sho resume {0}`), or name another folder"
    )]
    Taken(String),
    /// There is no such shard.
    #[error("no shard {given}: the experiment has shards 0 to {last}")]
    NoSuchShard {
        /// The number that was given.
        given: u64,
        /// The last shard.
        last: u64,
    },
    /// A number of shards that makes no sense.
    #[error("{shards} shards for {blocks} blocks: each shard needs a block, and there must be one")]
    Shards {
        /// The number of shards.
        shards: u64,
        /// The number of blocks.
        blocks: u64,
    },
    /// A bot that plays by other weights than when the experiment was made.
    #[error(
        "bot {0}: its weights are not those with which the experiment was made; put the file back, or begin another one"
    )]
    OtherWeights(String),
    /// A sequential test in shards.
    #[error("a sequential test looks at its blocks in order, and cannot be cut into {0} shards")]
    TestInShards(u64),
    /// A name that is none for a file in the folder.
    #[error(
        "`{0}`: with --out this file is kept in the folder: a plain name was expected, as in games.jsonl, that no other \
         file there has"
    )]
    KeptName(String),
    /// A tuning, of which there is nothing to be put together or checked.
    #[error(
        "{0}: it holds a tuning, which is one piece: `sho resume {0}` goes on with it and prints its result"
    )]
    Tuning(String),
    /// Not everything has been played.
    #[error("shards {0} are not whole; play them with `sho run-shard`, or all with `sho resume`")]
    Missing(String),
    /// The experiment cannot be played by this program.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// The study cannot be played by this program.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// A game could not be played.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<EntrantError> for FolderError {
    fn from(error: EntrantError) -> Self {
        Self::Experiment(error.into())
    }
}
