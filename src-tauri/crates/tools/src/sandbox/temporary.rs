//! Private temporary folders of commands, and in-memory files.

use std::fs::{DirBuilder, File};
use std::io::{self, Seek, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::fs::{MemfdFlags, memfd_create};

use super::tree;

/// Name prefix of a command's private temporary folder.
const TEMPORARY: &str = "planwright-";

/// Why commands can't have temporary files, and how to fix it; `None` if they can.
pub(super) fn temporary_problem() -> Option<String> {
    let tried = make_temporary().and_then(|folder| {
        let written = std::fs::write(folder.join("trial"), [0; 4096]);
        written.and(std::fs::remove_dir_all(folder))
    });
    let base = std::env::temp_dir();
    tried.err().map(|error| {
        format!(
            "Can't write temporary files to {}: {error}. Free some space, make it writable, or \
             set TMPDIR to another folder.",
            base.display()
        )
    })
}

pub(super) fn make_temporary() -> io::Result<PathBuf> {
    make_folder(&std::env::temp_dir())
}

/// A new folder in `base` that only the user can enter. Those of processes that ended without
/// removing them are removed.
pub(crate) fn make_folder(base: &Path) -> io::Result<PathBuf> {
    tree::sweep(base, TEMPORARY);
    for number in 0..1000 {
        let path = base.join(format!("{TEMPORARY}{}-{number}", std::process::id()));
        match DirBuilder::new().mode(0o700).create(&path) {
            Ok(()) => return path.canonicalize(),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// An anonymous in-memory file, positioned at its start.
pub(super) fn in_memory(bytes: &[u8], flags: MemfdFlags) -> io::Result<File> {
    let mut file = File::from(memfd_create("planwright", flags)?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}
