//! Private temporary folders of commands, and files that are in memory alone.

use std::fs::{DirBuilder, File};
use std::io::{self, Seek, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;

use rustix::fs::{MemfdFlags, memfd_create};

use super::tree;

/// Begins the name of a command's private temporary folder.
const TEMPORARY: &str = "planwright-";

/// Why commands could not have files of their own for a while, and what helps; `None` where they can.
pub(super) fn temporary_problem() -> Option<String> {
    let tried = make_temporary().and_then(|folder| {
        let written = std::fs::write(folder.join("trial"), [0; 4096]);
        written.and(std::fs::remove_dir_all(folder))
    });
    let base = std::env::temp_dir();
    tried.err().map(|error| {
        format!(
            "No temporary files can be written in {}: {error}. Make room there or make it writable, or set TMPDIR \
             to a folder that is.",
            base.display()
        )
    })
}

pub(super) fn make_temporary() -> io::Result<PathBuf> {
    let base = std::env::temp_dir();
    tree::sweep(&base, TEMPORARY);
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

/// A nameless file in memory, read from its beginning.
pub(super) fn in_memory(bytes: &[u8], flags: MemfdFlags) -> io::Result<File> {
    let mut file = File::from(memfd_create("planwright", flags)?);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}
