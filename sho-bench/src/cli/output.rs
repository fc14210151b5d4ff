//! Standard output: one buffered writer, its colours, and files that are there whole or not at all.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;

use super::failure::{OrUsage, Usage};
use super::options::OutputOptions;

/// Standard output, and how a person wants it.
#[derive(Debug)]
pub(crate) struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    /// Whether to print in colour.
    pub(crate) color: bool,
    /// Whether remarks on standard error are unwanted.
    pub(crate) quiet: bool,
}

impl Output {
    /// Standard output as the options and the environment ask for it.
    pub(crate) fn new(options: OutputOptions) -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let stdout = io::stdout();
        // https://no-color.org: set and not empty turns colours off, whatever the value.
        let terminal = stdout.is_terminal() && !set("NO_COLOR") && !dumb;
        Self {
            color: options.color(terminal),
            quiet: options.quiet,
            writer: BufWriter::new(stdout.lock()),
        }
    }

    /// Says something that is not a result, on standard error.
    pub(crate) fn remark(&self, text: &str) {
        if !self.quiet {
            // Nobody has to listen to remarks.
            let _ = writeln!(io::stderr(), "{text}");
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Writes a file that is there whole or not at all, in a folder that is there.
pub(crate) fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    check_folder(path)?;
    sho_bench::files::write_whole(path, text).or_usage_in(path.display())
}

/// Refuses the path of a file in a folder that is not there.
pub(crate) fn check_folder(path: &Path) -> anyhow::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let place = path.display();
    if !folder.is_dir() {
        return Err(Usage::error(format!("{place}: there is no folder `{}`", folder.display())));
    }
    Ok(())
}
