//! Files that are there whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Writes a file by way of another one beside it, so that it never stands there half written, whatever happens.
///
/// # Errors
/// Where the folder is not there or cannot be written, or the disk is full; the file is then as it was.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.finish()
}

/// Writes a file of a text and the contents of other files, one behind the other.
///
/// # Errors
/// As for [`write_whole`], and where one of the files cannot be read.
pub fn write_joined(path: &Path, head: &str, parts: &[PathBuf]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(head.as_bytes())?;
    for part in parts {
        io::copy(&mut File::open(part)?, &mut file)?;
    }
    file.finish()
}

/// A file that is written bit by bit, and stands in its place only when it is [finished](Self::finish).
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl WholeFile {
    /// A file that is to stand at `path`.
    ///
    /// # Errors
    /// Where the folder is not there or cannot be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        #[cfg_attr(not(unix), expect(unused_mut, reason = "there are no permissions to set"))]
        let mut builder = tempfile::Builder::new();
        // A temporary file is its owner's alone; this one is to be as any other file, as the umask says.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        Ok(Self { path: path.to_owned(), file: builder.tempfile_in(folder)? })
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// Where that is not possible; what stood there before still does.
    pub fn finish(self) -> io::Result<()> {
        // What a crash of the machine leaves must be one of the two files as well.
        self.file.as_file().sync_all()?;
        self.file.persist(self.path).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
