//! Writes to a plan file: the new content is recorded as a revision, then replaces exactly the
//! content that it is based on.

use gate::{Bearer, Permit};
use plan::edit::{self, Applied, EditError, Splice};
use plan::{Plan, Revision, source};
use store::{Author, NewUndo, RevisionEvent, Store};
use tools::{ContentHash, ToolError, Workspace, atomic, documents};

use super::disk_history::has_moved_on;
use super::reader::{MERGED, Reader};
use super::{Content, PlanFile, record};
use crate::Workbench;
use crate::approval::revision_text;
use crate::error::{Error, Result};

/// The reason recorded for a revision that is recorded again because its successor couldn't be
/// written.
pub const NOT_WRITTEN: &str = "not written";

/// How often a write is retried while others keep writing.
pub const WRITE_ATTEMPTS: usize = 40;

/// Maximum number of names tried for a new file.
const MAX_NAMES: usize = 1_000;

/// Writes changes to a plan file.
pub struct Writer<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) file: &'a PlanFile,
    pub(crate) store: &'a Store,
    pub(crate) now: i64,
    pub(crate) author: Author,
    /// The gate's permit to write this file.
    pub(crate) permit: Permit,
    /// The reason for the change, recorded in the history.
    pub(crate) reason: &'a str,
}

impl<'a> Writer<'a> {
    /// A writer on behalf of a person, for this file only.
    pub fn person(
        bench: &'a Workbench,
        workspace: &'a Workspace,
        file: &'a PlanFile,
        reason: &'a str,
    ) -> Self {
        Self {
            workspace,
            file,
            store: &bench.store,
            now: bench.clock.now_ms(),
            author: Author::Person,
            permit: file.permit(Bearer::Person),
            reason,
        }
    }
    /// Adds a written change to the undo history, labeled with the reason; returns its number.
    pub fn remember(&self, before: &str, after: &Revision) -> Result<i64> {
        Ok(self.store.plan_undo().push(&NewUndo {
            plan: &self.file.key(),
            before,
            after: after.as_str(),
            label: self.reason,
            at_ms: self.now,
        })?)
    }

    /// Computes splices for the current content and writes the result. Returns the new content;
    /// without splices, nothing is written.
    pub(crate) fn edit(
        &self,
        splices: impl Fn(&str, &Plan) -> std::result::Result<Vec<Splice>, EditError>,
    ) -> Result<Content> {
        for _ in 0..WRITE_ATTEMPTS {
            let reader = Reader::new(self.workspace, self.file, self.store, self.now);
            let before = reader.read()?.content;
            let (plan, _) = plan::parse(&before.text);
            let failed =
                |error: EditError| err!(Failed: "can't edit {}: {error}", self.file.relative);
            let splices = splices(&before.text, &plan).map_err(failed)?;
            if splices.is_empty() {
                return Ok(before);
            }
            let Applied { text, .. } = edit::apply(&before.text, &splices).map_err(failed)?;
            if let Some(after) = self.replace(&before, Content::of(text))? {
                return Ok(after);
            }
        }
        Err(busy(self.file))
    }

    /// Records content as a revision, then writes it in place of `before`, which must already be
    /// recorded. Returns `None` and writes nothing if the file changed in the meantime.
    pub fn replace(&self, before: &Content, after: Content) -> Result<Option<Content>> {
        self.replace_from(before, after, Some(before.revision.as_str()))
    }

    /// Like [`Writer::replace`], but with a parent revision other than the replaced one.
    pub(super) fn replace_from(
        &self,
        before: &Content,
        after: Content,
        parent: Option<&str>,
    ) -> Result<Option<Content>> {
        let (store, file) = (self.store, self.file);
        let bytes = after.text.as_bytes();
        if bytes.len() as u64 > source::LIMIT {
            let bytes = bytes.len() as u64;
            let error = source::SourceError::TooLarge { bytes };
            return Err(err!(Usage: "the edit would make {} too large: {error}", file.relative));
        }
        let key = file.key();
        let _turn = store.turn()?;
        // Checking for changes here keeps the history clean; the write itself checks again. A merge
        // is recorded in any case, since newer changes are merged with it.
        if !self.reason.starts_with(MERGED) && has_moved_on(&key, before) {
            return Ok(None);
        }
        // Others may have written since `before` was read, so a failed write reverts to the newest
        // revision instead.
        let known = store.revisions().latest(&key)?;
        self.record(&after, parent)?;
        let expected = hash_of(before);
        let temp = atomic::temp_name(&file.relative, Some(expected), Some(hash_of(&after)));
        let written = atomic::replace(
            &self.permit,
            self.workspace,
            &file.relative,
            Some(expected),
            bytes,
            &temp,
        );
        // The recorded revision wasn't written, unless it is a merge, which stays the newest one
        // anyway.
        if written.is_err()
            && !self.reason.starts_with(MERGED)
            && let Err(error) = self.note_not_written(&key, known.as_ref())
        {
            tracing::warn!(%error, "couldn't record that a write failed");
        }
        match written {
            Ok(()) => Ok(Some(after)),
            Err(ToolError::ChangedMeanwhile { .. }) => Ok(None),
            Err(error) => Err(unwritten(file, error)),
        }
    }
}

impl Writer<'_> {
    /// Creates a new file and records it under the same lock, so that anyone who sees the file
    /// finds it in the history as ours. Returns `false` and writes nothing if the name is taken.
    pub fn create(&self, content: &Content, parent: Option<&str>) -> Result<bool> {
        let file = self.file;
        let _turn = self.store.turn()?;
        let created = documents::create(
            &self.permit,
            self.workspace,
            &file.relative,
            content.text.as_bytes(),
        );
        let is_new = created.map_err(|error| unwritten(file, error))?;
        if is_new {
            self.record(content, parent)?;
        }
        Ok(is_new)
    }

    fn record(&self, content: &Content, parent: Option<&str>) -> Result<()> {
        let (key, now) = (self.file.key(), self.now);
        record(
            self.store,
            &key,
            content,
            parent,
            self.author,
            self.reason,
            now,
        )
    }

    fn note_not_written(&self, key: &str, known: Option<&RevisionEvent>) -> Result<()> {
        let Some(known) = known else { return Ok(()) };
        let content = Content::of(revision_text(self.store, &known.hash)?);
        let (author, parent) = (Author::App, None);
        record(
            self.store,
            key,
            &content,
            parent,
            author,
            NOT_WRITTEN,
            self.now,
        )
    }
}

impl Workbench {
    /// Creates a file with the first free name in a folder: `NAME.md`, `NAME-2.md` and so on.
    /// `None` if too many are taken.
    pub fn write_new(
        &self,
        workspace: &Workspace,
        folder: &str,
        name: &str,
        content: &Content,
        author: Author,
        reason: &str,
    ) -> Result<Option<PlanFile>> {
        let folder = folder.trim_end_matches('/');
        let root = workspace.path().join(folder);
        let root = root.canonicalize().unwrap_or(root);
        for number in 1..=MAX_NAMES {
            let name = match number {
                1 => format!("{name}.md"),
                number => format!("{name}-{number}.md"),
            };
            let (path, relative) = (root.join(&name), format!("{folder}/{name}"));
            let file = PlanFile { path, relative };
            let writer = Writer {
                author,
                ..Writer::person(self, workspace, &file, reason)
            };
            if writer.create(content, None)? {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }
}

/// The hash of the content, taken from its revision: both are the SHA-256 of its bytes.
fn hash_of(content: &Content) -> ContentHash {
    let known = content.revision.as_str().parse();
    known.unwrap_or_else(|_| ContentHash::of(content.text.as_bytes()))
}

fn unwritten(file: &PlanFile, error: ToolError) -> Error {
    err!(Workspace: "can't write the plan {}: {error}", file.relative).because(error)
}

/// The error for a plan that other programs keep writing while it is read.
pub fn busy(file: &PlanFile) -> Error {
    err!(Workspace: "another program keeps writing {}; try again", file.relative)
}

/// Edits the plan as the app; see `Writer::edit`.
pub fn edit_as_app(
    workspace: &Workspace,
    file: &PlanFile,
    store: &Store,
    now: i64,
    reason: &str,
    splices: impl Fn(&str, &Plan) -> std::result::Result<Vec<Splice>, EditError>,
) -> Result<Content> {
    let writer = Writer {
        workspace,
        file,
        store,
        now,
        author: Author::App,
        permit: file.permit(Bearer::App),
        reason,
    };
    writer.edit(splices)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic fails the test")]

    use std::cell::Cell;
    use std::fs;

    use super::*;

    #[test]
    fn an_edit_that_others_were_quicker_than_leaves_no_line_in_the_history() {
        let (folder, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (store, _) = Store::open(data.path(), 0).unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let path = workspace.path().join("p.md");
        fs::write(&path, "# Plan\n\n- [ ] **T1** One\n").unwrap();
        let file = PlanFile {
            path: path.clone(),
            relative: "p.md".to_owned(),
        };
        let tries = Cell::new(0);
        let after = edit_as_app(&workspace, &file, &store, 1, "tick", |text, _| {
            tries.set(tries.get() + 1);
            if tries.get() == 1 {
                fs::write(&path, format!("{text}\nWords of another program.\n")).unwrap();
            }
            let at = text.find("[ ]").unwrap();
            let (range, text) = (at..at + 3, "[x]".to_owned());
            Ok(vec![Splice { range, text }])
        });
        let text = after.unwrap().text;
        assert!(text.contains("[x] **T1**") && text.contains("another program"));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        assert_eq!(tries.get(), 2);
        let events = store.revisions().page(&file.key(), None, 10).unwrap();
        let reasons: Vec<&str> = events.iter().map(|event| event.reason.as_str()).collect();
        assert_eq!(reasons, ["tick", "found on disk", "found on disk"]);
    }

    #[test]
    fn who_sees_a_new_file_at_once_finds_it_to_be_ours() {
        const FILES: usize = 40;
        let (folder, data) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (store, _) = Store::open(data.path(), 0).unwrap();
        let others = store.again().unwrap();
        let workspace = Workspace::open(folder.path()).unwrap();
        let files: Vec<PlanFile> = (0..FILES)
            .map(|at| PlanFile {
                path: workspace.path().join(format!("p{at}.md")),
                relative: format!("p{at}.md"),
            })
            .collect();
        std::thread::scope(|scope| {
            let (files, folder) = (&files, folder.path());
            scope.spawn(move || {
                let workspace = Workspace::open(folder).unwrap();
                for file in files {
                    while !file.path.exists() {
                        std::hint::spin_loop();
                    }
                    Reader::new(&workspace, file, &others, 2).read().unwrap();
                }
            });
            for file in files {
                let writer = Writer {
                    workspace: &workspace,
                    file,
                    store: &store,
                    now: 1,
                    author: Author::Model,
                    permit: file.permit(Bearer::App),
                    reason: "written for a goal",
                };
                let content = Content::of(format!("# {}\n\n- [ ] One\n", file.relative));
                assert!(writer.create(&content, None).unwrap());
                assert!(!writer.create(&content, None).unwrap(), "it is there");
            }
        });
        for file in &files {
            let events = store.revisions().page(&file.key(), None, 9).unwrap();
            let authors: Vec<Author> = events.iter().map(|event| event.author).collect();
            assert_eq!(authors, [Author::Model], "{}", file.relative);
        }
    }
}
