//! Writes the settings file.

use std::io::Write as _;
use std::path::Path;

/// Replaces the file atomically. A symlink is followed, since the file may be part of the user's
/// dotfiles.
pub fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    let target = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = target.parent().unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut temp = tempfile::NamedTempFile::new_in(folder)?;
    temp.write_all(text.as_bytes())?;
    temp.as_file().sync_all()?;
    temp.persist(&target).map_err(|error| error.error)?;
    Ok(())
}
