//! The outcome of a command, stored before anything reports it.
//!
//! The helper writes the record once the command and all of its processes have ended. After a crash
//! of the app, the record distinguishes "done" from "unknown": if there is one, the command ended
//! by itself, on request or by timeout; otherwise its outcome is unknown.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{CommandOutcome, SandboxError};

/// Maximum size of a record, in bytes; reading a larger file fails.
const LARGEST: u64 = 1024 * 1024;

/// The stored outcome of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeRecord {
    /// The marker of the command, which distinguishes it from an older one.
    pub marker: String,
    /// The result of the command.
    pub outcome: CommandOutcome,
}

/// Reads the record of a command; `None` if there is none, so the outcome is unknown.
pub fn read_outcome_record(path: &Path) -> Result<Option<OutcomeRecord>, SandboxError> {
    let doing = "read a command's outcome record";
    let bytes = match std::fs::metadata(path) {
        Ok(data) if data.len() <= LARGEST => {
            std::fs::read(path).map_err(SandboxError::io(doing))?
        }
        Ok(_) => Vec::new(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(SandboxError::io(doing)(error)),
    };
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| SandboxError::io(doing)(error.into()))
}

/// Writes the record atomically, even in case of a power failure.
pub(super) fn write(path: &Path, record: &OutcomeRecord) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}", std::process::id()));
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&temporary)?;
    file.write_all(&serde_json::to_vec(record)?)?;
    file.sync_all()?;
    std::fs::rename(&temporary, path)?;
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{Exit, Tier};

    #[test]
    fn what_is_written_is_read_and_what_is_absent_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("outcome");
        assert_eq!(read_outcome_record(&path).unwrap(), None);
        let outcome = CommandOutcome {
            exit: Exit::Signaled(9),
            tier: Tier::None,
            bytes: 3,
            head: "a\u{0}b".into(),
            tail: String::new(),
            elapsed_ms: 7,
            alarms: vec!["x".into()],
        };
        let record = OutcomeRecord {
            marker: "r1".into(),
            outcome,
        };
        write(&path, &record).unwrap();
        assert_eq!(read_outcome_record(&path).unwrap(), Some(record));
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            1,
            "no temporary file stays"
        );
    }

    #[test]
    fn a_damaged_record_is_an_error_and_not_an_outcome() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("outcome");
        std::fs::write(&path, b"{\"marker\":").unwrap();
        assert!(read_outcome_record(&path).is_err());
    }
}
