//! Files that are there whole or not at all.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file by way of another one beside it, so that it never stands there half written, whatever happens.
///
/// # Errors
/// Where the folder is not there or cannot be written, or the disk is full; the file is then as it was.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    // A temporary file is its owner's alone; this one is to be as any other file, as the umask says.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    // What a crash of the machine leaves must be one of the two files as well.
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
