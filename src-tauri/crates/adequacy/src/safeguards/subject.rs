//! The things that a step is about, used to tell the backup of one thing from the loss of another.

use std::collections::HashSet;

use plan::Task;

use crate::task_text::TaskText;

/// The things that a step is about.
#[derive(Debug)]
pub(crate) struct Subject {
    /// Words that identify the things: "orders", "coupons".
    names: HashSet<String>,
    /// The kinds of the things: databases, files, a repository.
    kinds: u8,
    /// Whether the step is about everything.
    is_all: bool,
    /// Whether it names something that contains other things: a whole database, server or disk.
    is_container: bool,
}

const DATABASE: u8 = 1;
const FILES: u8 = 2;
const BUCKET: u8 = 4;
const HISTORY: u8 = 8;

impl Subject {
    pub(crate) fn of(task: &Task, text: &TaskText) -> Self {
        let mut subject = Self::empty();
        for action in text.actions() {
            subject.read(action);
        }
        task.files.iter().for_each(|path| subject.read(path));
        subject
    }

    fn read(&mut self, text: &str) {
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
            let word = word.to_lowercase();
            let word = word.strip_suffix("'s").unwrap_or(&word);
            match word {
                "everything" | "alles" | "tout" | "todo" | "tutto" | "complete" | "server"
                | "machine" | "system" => {
                    self.is_all = true;
                }
                "db" | "database" | "databases" | "cluster" | "pg_dump" | "pg_dumpall"
                | "mysqldump" | "datenbank" | "postgres" | "mysql" => {
                    self.kinds |= DATABASE;
                    self.is_container = true;
                }
                "table" | "tables" | "rows" | "records" | "schema" | "column" | "columns"
                | "sql" | "row" | "customer" | "customers" | "accounts" | "users" | "tabelle" => {
                    self.kinds |= DATABASE
                }
                "disk" | "volume" | "drive" | "partition" | "host" => {
                    self.kinds |= FILES;
                    self.is_container = true;
                }
                "file" | "files" | "folder" | "directory" | "rm" | "uploads" => self.kinds |= FILES,
                "bucket" | "buckets" | "s3" => self.kinds |= BUCKET,
                "git" | "history" | "branch" | "main" | "master" | "push" | "repository"
                | "repo" | "commit" | "commits" => self.kinds |= HISTORY,
                _ => {}
            }
            // In scripts without spaces, one "word" can be a whole sentence.
            let is_one_word = word.chars().all(|c| c < '\u{0e00}');
            if is_one_word
                && word.len() >= 3
                && !word.bytes().all(|byte| byte.is_ascii_digit())
                && !is_common(word)
            {
                self.names.insert(stem(word).to_owned());
            }
        }
    }

    /// The subject according to the title alone.
    pub(crate) fn of_title(task: &Task) -> Self {
        let mut subject = Self::empty();
        subject.read(&task.title);
        subject
    }

    fn empty() -> Self {
        Self {
            names: HashSet::new(),
            kinds: 0,
            is_all: false,
            is_container: false,
        }
    }

    /// The identifying words, without plural endings.
    pub(crate) fn into_names(self) -> impl Iterator<Item = String> {
        self.names.into_iter()
    }

    /// Whether the step names nothing specific.
    pub(crate) fn is_unnamed(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether both subjects name the same thing.
    pub(crate) fn shares_name(&self, other: &Self) -> bool {
        !self.names.is_disjoint(&other.names)
    }

    /// Whether a safeguard with this subject can protect against `danger`.
    pub(crate) fn covers(&self, danger: &Self) -> bool {
        if self.is_all || !self.names.is_disjoint(&danger.names) {
            return true;
        }
        let says_nothing = self.names.is_empty() || danger.names.is_empty();
        if self.kinds == 0 || danger.kinds == 0 {
            return says_nothing;
        }
        self.kinds & danger.kinds != 0
            && (says_nothing || (self.is_container && !danger.is_container))
    }
}

/// Removes a plural ending, so that "order" matches "orders".
fn stem(word: &str) -> &str {
    word.strip_suffix('s')
        .filter(|stem| stem.len() >= 3)
        .unwrap_or(word)
}

/// Whether a word describes an action or its manner rather than an object.
fn is_common(word: &str) -> bool {
    #[rustfmt::skip] // rustfmt would put each word on its own line
    const COMMON: &[&str] = &[
        "after", "again", "all", "and", "any", "archive", "are", "back", "backed", "backing", "backup", "backups",
        "before", "bucket", "buckets", "change", "clear", "cleared", "clone", "cluster", "column", "columns",
        "commit", "copy", "create", "current", "daily", "data", "database", "databases", "datenbank", "delete",
        "deleted", "deploy", "deployment", "die", "das", "der", "directory", "disk", "done", "drive", "end", "drop",
        "dropped", "dry", "dump", "each", "empty", "eine", "every", "existing", "export", "fails", "file", "files",
        "first", "folder", "for", "force", "fresh", "from", "full", "git", "goes", "have", "history", "host", "if",
        "import", "into", "its", "keep", "last", "les", "live", "main", "make", "master", "migrate", "migration",
        "must", "mysql", "mysqldump", "new", "note", "now", "off", "old", "once", "onto", "our", "over", "partition",
        "pg_dump", "pg_dumpall", "plan", "postgres", "prod", "production", "produktionsdatenbank", "publish",
        "purge", "push", "read", "record", "records", "release", "remove", "repo", "repository", "reset", "restore",
        "result", "revert", "roll", "rollback", "rolling", "row", "rows", "run", "running", "safe", "schema",
        "script", "review", "ship", "should", "sichere", "snapshot", "snapshots", "something", "sql", "state", "step", "steps",
        "storage", "store", "table", "tables", "take", "test", "that", "the", "their", "then", "this", "und", "undo",
        "until", "update", "verify", "version", "volume", "what", "when", "whole", "wipe", "with", "wrong",
    ];
    COMMON.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(title: &str) -> Subject {
        let (plan, _) = plan::parse(&format!("# P\n\n- [ ] **T1** {title}\n"));
        Subject::of(&plan.tasks[0], &TaskText::of(&plan.tasks[0]))
    }

    #[test]
    fn a_safeguard_is_about_the_same_thing() {
        for (guard, danger, covers) in [
            ("Back up the table coupons", "Drop table coupons", true),
            ("Back up the orders table", "Drop table coupons", false),
            ("Take a backup", "Drop table coupons", true),
            (
                "Back up the production database",
                "Drop table coupons",
                true,
            ),
            ("Back up the images", "Drop table coupons", false),
            (
                "Back up the database legacy",
                "Drop the database shop",
                false,
            ),
            ("Take a snapshot of the volume", "Drop table coupons", false),
            ("Take a snapshot of the server", "Drop table coupons", true),
            (
                "Copy the branch to a backup branch",
                "Force push main",
                true,
            ),
            ("Back up the production database", "Force push main", false),
            ("Back up everything", "rm -rf /srv/uploads", true),
            ("备份数据库", "清空生产数据库", true),
        ] {
            assert_eq!(
                subject(guard).covers(&subject(danger)),
                covers,
                "{guard} / {danger}"
            );
        }
    }
}
