//! The folders of a history: a workspace with its log of effects, and two data folders.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::record::Damage;

/// The script that every command of a plan runs: it appends its word to the log and waits while it
/// is paused.
const MAKE: &str = "echo \"$1\" >> log\nwhile [ -e \"hold/$1\" ]; do sleep 0.01; done\n";

/// The folders of a history.
#[derive(Debug)]
pub struct Stage {
    folder: TempDir,
}

impl Stage {
    /// Creates the folders with a few files. `proof` is the stored result of an earlier sandbox
    /// test.
    ///
    /// # Errors
    /// If they cannot be created.
    pub fn new(plan: &str, proof: Option<&[u8]>) -> Result<Self, String> {
        let folder = tempfile::Builder::new()
            .prefix("planwright-sound-")
            .tempdir();
        let stage = Self {
            folder: folder.map_err(|error| error.to_string())?,
        };
        for name in ["f1", "f2"] {
            write(&stage.workspace().join(name), b"old")?;
        }
        write(&stage.workspace().join("make"), MAKE.as_bytes())?;
        write(&stage.plan(), plan.as_bytes())?;
        make(&stage.workspace().join("hold"))?;
        for home in [0, 1] {
            make(&stage.home(home).join("data"))?;
            if let Some(proof) = proof {
                write(&stage.proof(home), proof)?;
            }
        }
        Ok(stage)
    }

    /// The working folder of the plan's commands.
    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    /// The data folder with this number.
    pub fn home(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("home{number}"))
    }

    /// The file with the result of the sandbox test, which is valid until the next reboot or the
    /// next version of the program.
    pub fn proof(&self, home: usize) -> PathBuf {
        self.home(home).join("data/sandbox-auto.json")
    }

    /// The path of the plan file.
    pub fn plan(&self) -> PathBuf {
        self.workspace().join("plans/p.md")
    }

    /// The text of the plan file; empty if it is missing.
    pub fn text(&self) -> String {
        fs::read_to_string(self.plan()).unwrap_or_default()
    }

    /// Writes or deletes the plan file, as another program would.
    ///
    /// # Errors
    /// If that fails.
    pub fn set_text(&self, text: Option<&str>) -> Result<(), String> {
        match text {
            Some(text) => write(&self.plan(), text.as_bytes()),
            None if self.plan().exists() => failed(&self.plan(), fs::remove_file(self.plan())),
            None => Ok(()),
        }
    }

    /// The words that commands have logged so far, in order.
    pub fn log(&self) -> Vec<String> {
        let log = fs::read_to_string(self.workspace().join("log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    /// The current files, except plans and the files that pause commands.
    pub fn world(&self) -> BTreeMap<String, String> {
        let entries = fs::read_dir(self.workspace())
            .into_iter()
            .flatten()
            .flatten();
        let files = entries.filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            Some((name, fs::read_to_string(entry.path()).ok()?))
        });
        files.collect()
    }

    /// Pauses the command with this word once it has logged it.
    ///
    /// # Errors
    /// If that fails.
    pub fn hold(&self, word: &str) -> Result<(), String> {
        write(&self.workspace().join("hold").join(word), b"")
    }

    /// Whether the command with this word is paused now: it was the last to log its word, and
    /// undoing an earlier one did not remove its pause file.
    pub fn is_held(&self, word: &str) -> bool {
        let hold = self.workspace().join("hold").join(word);
        self.log().last().is_some_and(|last| last == word) && hold.exists()
    }

    /// Releases all paused commands except the one with this word. Several commands can be paused,
    /// because an undo may have restored a pause file.
    pub fn release_but(&self, word: Option<&str>) {
        let held = fs::read_dir(self.workspace().join("hold"))
            .into_iter()
            .flatten()
            .flatten();
        for one in held.filter(|one| Some(one.file_name().as_os_str()) != word.map(OsStr::new)) {
            // An error means that it is already gone.
            let _ = fs::remove_file(one.path());
        }
    }

    /// Writes a file outside the workspace and returns its path.
    ///
    /// # Errors
    /// If that fails.
    pub fn note(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.folder.path().join(name);
        write(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Damages the database.
    ///
    /// # Errors
    /// If that fails.
    pub fn damage(&self, damage: Damage) -> Result<(), String> {
        let data = self.home(0).join("data");
        let database = data.join("planwright.db");
        let remove = |ending: &str| {
            // An error means that it does not exist.
            let _ = fs::remove_file(data.join(format!("planwright.db{ending}")));
        };
        match damage {
            Damage::Gone => ["", "-wal", "-shm"].into_iter().for_each(remove),
            Damage::NoLog => ["-wal", "-shm"].into_iter().for_each(remove),
            Damage::Garbage => write(&database, b"not a database any more")?,
            Damage::Cut => {
                let bytes = fs::read(&database).unwrap_or_default();
                write(&database, &bytes[..bytes.len() / 2])?;
            }
            Damage::Row => lose_row(&database).map_err(|error| error.to_string())?,
        }
        Ok(())
    }
}

/// Deletes the newest row of the journal, bypassing the trigger that protects it.
fn lose_row(database: &Path) -> rusqlite::Result<()> {
    let database = rusqlite::Connection::open(database)?;
    let has_journal = database.query_row(
        "SELECT count(*) FROM sqlite_master WHERE name = 'journal'",
        [],
        |row| row.get::<_, i64>(0),
    )?;
    if has_journal == 0 {
        return Ok(());
    }
    let trigger: String = database.query_row(
        "SELECT sql FROM sqlite_master WHERE name = 'journal_is_never_deleted'",
        [],
        |row| row.get(0),
    )?;
    database.execute_batch(&format!(
        "DROP TRIGGER journal_is_never_deleted;
         DELETE FROM journal WHERE (at_ms, seq) IN (SELECT at_ms, seq FROM journal ORDER BY at_ms DESC, seq DESC LIMIT 1);
         {trigger};"
    ))
}

fn make(folder: &Path) -> Result<(), String> {
    failed(folder, fs::create_dir_all(folder))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        make(folder)?;
    }
    failed(path, fs::write(path, bytes))
}

fn failed(path: &Path, done: std::io::Result<()>) -> Result<(), String> {
    done.map_err(|error| format!("{}: {error}", path.display()))
}
