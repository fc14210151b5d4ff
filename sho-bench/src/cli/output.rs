//! Standard output: one buffered writer, its colours, and files that are there whole or not at all.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::Path;

use anyhow::Context;

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

/// Writes a file by way of another one beside it, so that it never stands there half written.
pub(crate) fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let place = path.display();
    if !folder.is_dir() {
        return Err(Usage::error(format!("{place}: there is no folder `{}`", folder.display())));
    }
    let mut builder = tempfile::Builder::new();
    // A temporary file is its owner's alone; this one is to be as any other file, as the umask says.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).or_usage_in(&place)?;
    file.write_all(text.as_bytes()).with_context(|| place.to_string())?;
    file.persist(path).map_err(|error| error.error).or_usage_in(&place)?;
    Ok(())
}
