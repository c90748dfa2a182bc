//! The folders that a history plays in: a workspace with its log of effects, and two data folders.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::record::Damage;

/// The program that every command of a plan is: it notes its word, and waits as long as it is held.
const MAKE: &str = "echo \"$1\" >> log\nwhile [ -e \"hold/$1\" ]; do sleep 0.01; done\n";

/// The folders.
#[derive(Debug)]
pub struct Stage {
    folder: TempDir,
}

impl Stage {
    /// Folders with a few files. `proof` is what an earlier process noted of the sandbox here.
    ///
    /// # Errors
    /// A sentence where they cannot be made.
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

    /// Where the plan's commands work.
    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    /// One of the data folders.
    pub fn home(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("home{number}"))
    }

    /// What a process notes of the sandbox, for others of the same boot and version.
    pub fn proof(&self, home: usize) -> PathBuf {
        self.home(home).join("data/sandbox-auto.json")
    }

    /// The plan file.
    pub fn plan(&self) -> PathBuf {
        self.workspace().join("plans/p.md")
    }

    /// The text of the plan file; of none, nothing.
    pub fn text(&self) -> String {
        fs::read_to_string(self.plan()).unwrap_or_default()
    }

    /// Others write the plan file, or delete it.
    ///
    /// # Errors
    /// A sentence where that fails.
    pub fn set_text(&self, text: Option<&str>) -> Result<(), String> {
        match text {
            Some(text) => write(&self.plan(), text.as_bytes()),
            None if self.plan().exists() => failed(&self.plan(), fs::remove_file(self.plan())),
            None => Ok(()),
        }
    }

    /// The effects there were.
    pub fn log(&self) -> Vec<String> {
        let log = fs::read_to_string(self.workspace().join("log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    /// The files there are, but for plans and what holds commands.
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

    /// The command of this word waits once it has noted it.
    ///
    /// # Errors
    /// A sentence where that cannot be said.
    pub fn hold(&self, word: &str) -> Result<(), String> {
        write(&self.workspace().join("hold").join(word), b"")
    }

    /// Whether the command of this word waits now: it was the last to note its word, and undoing an earlier
    /// one did not take its hold away.
    pub fn is_held(&self, word: &str) -> bool {
        let hold = self.workspace().join("hold").join(word);
        self.log().last().is_some_and(|last| last == word) && hold.exists()
    }

    /// No command waits any more, but for the one of this word; undoing one may have made it.
    pub fn release_but(&self, word: Option<&str>) {
        let held = fs::read_dir(self.workspace().join("hold"))
            .into_iter()
            .flatten()
            .flatten();
        for one in held.filter(|one| Some(one.file_name().as_os_str()) != word.map(OsStr::new)) {
            // An error means that it went by itself.
            let _ = fs::remove_file(one.path());
        }
    }

    /// Writes a file beside the workspace; returns its path.
    ///
    /// # Errors
    /// A sentence where that fails.
    pub fn note(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.folder.path().join(name);
        write(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Something becomes of the database.
    ///
    /// # Errors
    /// A sentence where it cannot.
    pub fn damage(&self, damage: Damage) -> Result<(), String> {
        let data = self.home(0).join("data");
        let database = data.join("planwright.db");
        let remove = |ending: &str| {
            // An error means that it is not there.
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

/// The newest row of the journal goes, in spite of the trigger that keeps it.
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
