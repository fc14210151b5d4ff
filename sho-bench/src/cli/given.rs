//! Options with the words that they were given in: [`Given`].

use std::marker::PhantomData;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};
use sho_bench::jobs::shell_word;

/// Options of another command, without those that the command at hand decides itself.
pub(crate) trait LeftOut {
    /// The names of those, and why there are none.
    const OPTIONS: &'static [(&'static str, &'static str)];
}

/// Options of another command, and the words on the command line that they were made of, to be said again.
#[derive(Clone, Debug)]
pub(crate) struct Given<T, L> {
    pub(crate) options: T,
    words: Vec<Word>,
    left_out: PhantomData<L>,
}

/// An option that was given.
#[derive(Clone, Debug)]
struct Word {
    /// As clap knows it.
    id: String,
    /// Its name, and its value where it takes one.
    texts: Vec<String>,
}

impl<T, L> Given<T, L> {
    /// Whether an option was given, by its name with `_` for `-`.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.words.iter().any(|word| word.id == id)
    }

    /// The options that were given as words of a shell, but for some.
    pub(crate) fn but(&self, ids: &[&str]) -> Vec<String> {
        let words = self.words.iter().filter(|word| !ids.contains(&word.id.as_str()));
        words.flat_map(|word| word.texts.iter().map(|text| shell_word(text))).collect()
    }
}

impl<T: Args, L: LeftOut> Given<T, L> {
    fn hidden(mut command: Command) -> Command {
        for &(id, _) in L::OPTIONS {
            command = command.mut_arg(id, |option| option.hide(true));
        }
        command
    }

    fn words(matches: &ArgMatches) -> Result<Vec<Word>, Error> {
        let given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        if let Some((id, why)) = L::OPTIONS.iter().find(|&&(id, _)| given(id)) {
            let message = format!("--{}: {why}\n", id.replace('_', "-"));
            return Err(Error::raw(clap::error::ErrorKind::ArgumentConflict, message));
        }
        let command = T::augment_args(Command::new("given"));
        let mut words = Vec::new();
        for option in command.get_arguments() {
            let id = option.get_id().as_str();
            let Some(long) = option.get_long().filter(|_| given(id)) else { continue };
            for values in matches.get_raw_occurrences(id).into_iter().flatten() {
                let mut texts = vec![format!("--{long}")];
                texts.extend(values.map(|value| value.to_string_lossy().into_owned()));
                words.push(Word { id: id.to_owned(), texts });
            }
        }
        Ok(words)
    }
}

impl<T: Args, L: LeftOut> FromArgMatches for Given<T, L> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Self::from_arg_matches_mut(&mut matches.clone())
    }

    fn from_arg_matches_mut(matches: &mut ArgMatches) -> Result<Self, Error> {
        let words = Self::words(matches)?;
        let options = T::from_arg_matches_mut(matches)?;
        Ok(Self { options, words, left_out: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.words = Self::words(matches)?;
        self.options.update_from_arg_matches(matches)
    }
}

impl<T: Args, L: LeftOut> Args for Given<T, L> {
    fn augment_args(command: Command) -> Command {
        Self::hidden(T::augment_args(command))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::hidden(T::augment_args_for_update(command))
    }
}
