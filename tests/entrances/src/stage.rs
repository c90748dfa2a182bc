//! The folders of a history: a project, the user's data, and files that must not change. The
//! database is read with SQL, not with the program's code.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;
use workbench::{Environment, Workbench};

use crate::record::{StoredApproval, StoredRun};

/// A program with two functions, which editors ask to rename.
const SOURCE: &str =
    "def total(rows):\n    return sum(rows)\n\n\ndef report(rows):\n    return str(total(rows))\n";

/// A file that isn't a plan.
pub const GUIDE: &str = "# Guide\n\nRun `report.py`. It prints the total.\n";

/// The files of an empty data folder, so that histories needn't each create a database.
static FRESH: OnceLock<Result<Files, String>> = OnceLock::new();

/// Paths and contents of files.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// The folders of a history.
pub struct Stage {
    _folder: TempDir,
    base: PathBuf,
    /// The user's data, opened on first use.
    bench: OnceCell<Workbench>,
}

impl Stage {
    /// Creates the folders.
    ///
    /// # Errors
    /// If a folder or file can't be created.
    pub fn new() -> Result<Self, String> {
        let stage = Self::bare()?;
        let fresh = FRESH.get_or_init(fresh).as_ref().map_err(Clone::clone)?;
        for (path, bytes) in fresh {
            write(&stage.data().join(path), bytes)?;
        }
        write(&stage.project().join("src/report.py"), SOURCE.as_bytes())?;
        write(&stage.project().join("docs/guide.md"), GUIDE.as_bytes())?;
        write(&stage.base.join("outside.md"), GUIDE.as_bytes())?;
        make(&stage.project().join("plans"))?;
        make(&stage.project().join(".planwright"))?;
        let link = stage.project().join("plans/link.md");
        std::os::unix::fs::symlink("../docs/guide.md", link).map_err(said)?;
        Ok(stage)
    }

    fn bare() -> Result<Self, String> {
        let folder = tempfile::Builder::new()
            .prefix("planwright-entrances-")
            .tempdir()
            .map_err(said)?;
        let base = folder.path().canonicalize().map_err(said)?;
        for name in ["home", "data", "project"] {
            make(&base.join(name))?;
        }
        let _folder = folder;
        let bench = OnceCell::new();
        Ok(Self {
            _folder,
            base,
            bench,
        })
    }

    /// The project folder.
    pub fn project(&self) -> PathBuf {
        self.base.join("project")
    }

    fn data(&self) -> PathBuf {
        self.base.join("data")
    }

    /// The environment variables for each process. Runs use no sandbox, because no history has a
    /// step with a command.
    pub fn variables(&self) -> Vec<(String, PathBuf)> {
        vec![
            ("HOME".to_owned(), self.base.join("home")),
            ("PLANWRIGHT_HOME".to_owned(), self.data()),
            ("PLANWRIGHT_SANDBOX".to_owned(), PathBuf::from("none")),
            ("PATH".to_owned(), PathBuf::from("/usr/bin:/bin")),
        ]
    }

    /// The environment for opening the user's data in this process.
    pub fn environment(&self) -> Environment {
        let variables = self.variables().into_iter();
        Environment {
            variables: variables
                .map(|(name, value)| (name, value.into_os_string()))
                .collect(),
            cwd: self.project(),
            program: PathBuf::from("/nonexistent"),
        }
    }

    /// Opens the user's data for a hook, an agent or an editor, with a separate database
    /// connection.
    ///
    /// # Errors
    /// If the data can't be opened.
    pub fn open(&self) -> Result<Workbench, String> {
        let words = |error: workbench::Error| error.message;
        let bench = match self.bench.get() {
            Some(bench) => bench,
            None => {
                let (bench, _) = Workbench::open(self.environment()).map_err(words)?;
                self.bench.get_or_init(|| bench)
            }
        };
        bench.again().map_err(words)
    }

    /// The absolute paths of the plan files, sorted.
    pub fn plans(&self) -> Vec<String> {
        let folders = ["plans", ".claude/plans"].map(|name| self.project().join(name));
        let entries = folders
            .iter()
            .filter_map(|folder| fs::read_dir(folder).ok());
        let paths = entries.flatten().flatten().map(|entry| entry.path());
        let mut plans: Vec<String> = paths
            .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
            .filter(|path| !path.is_symlink())
            .map(|path| path.display().to_string())
            .collect();
        plans.sort();
        plans
    }

    /// The contents of all files except plans, the user's data and `.planwright`, by path.
    pub fn world(&self) -> BTreeMap<String, String> {
        let (mut files, mut folders) = (BTreeMap::new(), vec![self.base.clone()]);
        let kept = [self.data(), self.project().join(".planwright")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if kept.contains(&path) {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let relative = path.strip_prefix(&self.base).unwrap_or(&path);
                let relative = relative.display().to_string();
                if !is_plan(&relative) {
                    let bytes = fs::read(&path).unwrap_or_default();
                    files.insert(relative, String::from_utf8_lossy(&bytes).into_owned());
                }
            }
        }
        files
    }

    /// The text of a file; `None` if it can't be read.
    pub fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(path).ok()
    }

    /// Writes a file, or deletes it if there is no text, as another program would.
    ///
    /// # Errors
    /// If that fails.
    pub fn set(&self, path: &str, text: Option<&str>) -> Result<(), String> {
        let path = Path::new(path);
        match text {
            Some(text) => write(path, text.as_bytes()),
            None if path.exists() => fs::remove_file(path).map_err(said),
            None => Ok(()),
        }
    }

    fn database(&self) -> Result<Connection, String> {
        let path = self.data().join("data/planwright.db");
        Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(said)
    }

    /// The approvals in the database.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn approvals(&self) -> Result<Vec<StoredApproval>, String> {
        let database = self.database()?;
        let sql = "SELECT plan, revision, run, upto FROM approvals ORDER BY seq";
        let mut query = database.prepare(sql).map_err(said)?;
        let rows = query.query_map([], |row| {
            Ok(StoredApproval {
                plan: row.get(0)?,
                revision: row.get(1)?,
                run: row.get(2)?,
                upto: row.get(3)?,
            })
        });
        rows.map_err(said)?.collect::<Result<_, _>>().map_err(said)
    }

    /// The runs in the database.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn runs(&self) -> Result<Vec<StoredRun>, String> {
        let database = self.database()?;
        let mut query = database
            .prepare("SELECT id, plan, revision FROM runs")
            .map_err(said)?;
        let rows = query.query_map([], |row| {
            Ok(StoredRun {
                id: row.get(0)?,
                plan: row.get(1)?,
                revision: row.get(2)?,
            })
        });
        rows.map_err(said)?.collect::<Result<_, _>>().map_err(said)
    }

    /// The texts of the person's comments in the database.
    ///
    /// # Errors
    /// If the database can't be read.
    pub fn comments(&self) -> Result<Vec<String>, String> {
        let database = self.database()?;
        let mut query = database
            .prepare("SELECT text FROM comments")
            .map_err(said)?;
        let rows = query.query_map([], |row| row.get(0)).map_err(said)?;
        rows.collect::<Result<_, _>>().map_err(said)
    }
}

/// Whether a path is that of a plan file: a Markdown file in a plan folder.
fn is_plan(relative: &str) -> bool {
    let folders = ["project/plans/", "project/.claude/plans/"];
    relative.ends_with(".md") && folders.iter().any(|folder| relative.starts_with(folder))
}

/// Creates an empty data folder and returns its files.
fn fresh() -> Result<Vec<(PathBuf, Vec<u8>)>, String> {
    let mut stage = Stage::bare()?;
    drop(stage.open()?);
    // Closing the last connection writes everything to the database file.
    stage.bench.take();
    let (mut files, mut folders) = (Vec::new(), vec![stage.data()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).map_err(said)? {
            let path = entry.map_err(said)?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let relative = path.strip_prefix(stage.data()).map_err(said)?;
            files.push((relative.to_owned(), fs::read(&path).map_err(said)?));
        }
    }
    Ok(files)
}

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        make(folder)?;
    }
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

fn said(error: impl ToString) -> String {
    error.to_string()
}
