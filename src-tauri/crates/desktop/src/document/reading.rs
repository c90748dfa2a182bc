//! Resolves a plan's key to its location, its current text, or its text at a revision.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plan::source;
use store::Lookup;
use tools::Workspace;

use super::parsed::ParsedPlan;
use crate::{Shared, lock};
use workbench::Workbench;
use workbench::error::{Error, Result};
use workbench::foreign_folders::{HomeFolder, home_folder_of};
use workbench::plan_file::{self, Content, PlanFile};

/// A plan file and the folder it belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Located {
    pub(crate) root: PathBuf,
    pub(crate) file: PlanFile,
    /// The display path of the other program's home folder that contains it, if any.
    pub(crate) foreign: Option<String>,
}

impl Located {
    /// Whether Planwright may write the file: it doesn't belong to another program, and the
    /// permissions of the file and its folder allow writing. A read-only file counts as not
    /// writable even though it could be replaced, because somebody made it read-only on purpose.
    pub(crate) fn is_writable(&self) -> bool {
        self.refusal().is_none()
    }

    /// The display path: relative to the workspace, or below the home folder.
    pub(crate) fn shown(&self) -> String {
        match &self.foreign {
            Some(place) => format!("{place}/{}", self.file.relative),
            None => self.file.relative.clone(),
        }
    }

    /// Why the file can't be written, and what to do.
    pub(crate) fn refusal(&self) -> Option<String> {
        if let Some(place) = &self.foreign {
            return Some(HomeFolder::refusal(place));
        }
        let relative = &self.file.relative;
        let is_closed = |path: &Path| {
            let is_readonly = path
                .metadata()
                .is_ok_and(|found| found.permissions().readonly());
            is_readonly || rustix::fs::access(path, rustix::fs::Access::WRITE_OK).is_err()
        };
        if is_closed(&self.file.path) {
            return Some(format!(
                "{relative} is read-only, so nothing was written. Make it writable (`chmod u+w`) and try again; your text is kept"
            ));
        }
        let folder = self.file.path.parent()?;
        is_closed(folder).then(|| {
            let folder = folder.display();
            format!(
                "the folder {folder} is read-only, so {relative} wasn't written. Make it writable (`chmod u+w`) and try again; your text is kept"
            )
        })
    }
}

impl Shared {
    /// Locates a plan, which may no longer exist. A plan that was moved is found at its new path.
    pub(crate) fn locate(&self, workbench: &Workbench, plan: &str) -> Result<Located> {
        let path = Path::new(plan);
        if !path.is_absolute() {
            return Err(err!(Usage: "“{plan}” isn't the absolute path of a plan"));
        }
        let home = home_folder_of(workbench, path);
        let foreign = home.as_ref().map(|home| home.shown.clone());
        let root = match (home, self.workspace_around(path)) {
            (Some(home), _) => home.path,
            (None, Some(root)) => root,
            (None, None) => {
                let (user, _) = workbench.settings_for(None);
                plan_file::workspace_of(path, &user.plan_folder)
            }
        };
        if path.exists() {
            let (root, file) = plan_file::locate(&root, path, Some(&root), "")?;
            return Ok(Located {
                root,
                file,
                foreign,
            });
        }
        let moved_to = workbench.store.plan_moves().moved_to(plan)?;
        if let Some(to) = moved_to.filter(|to| Path::new(to).exists()) {
            return self.locate(workbench, &to);
        }
        let relative = path.strip_prefix(&root).unwrap_or(path);
        let file = PlanFile {
            path: path.to_owned(),
            relative: relative.display().to_string(),
        };
        Ok(Located {
            root,
            file,
            foreign,
        })
    }

    /// Reads a plan's current content and records it as a revision.
    pub(crate) fn read_now(
        &self,
        workbench: &Workbench,
        plan: &str,
    ) -> Result<(Located, Workspace, Content)> {
        let mut located = self.locate(workbench, plan)?;
        if !located.file.path.exists() {
            if !self.look_for(workbench, &located)? {
                return Err(gone(workbench, &located)?);
            }
            located = self.locate(workbench, plan)?;
        }
        let key = located.file.key();
        let workspace = workbench.open_workspace(&located.root)?;
        if lock(&self.parsed).tidied.insert(key.clone())
            && let Err(error) = plan_file::tidy(&workspace, &located.file, &workbench.store)
        {
            tracing::warn!(%error, "couldn't remove files left by an earlier process");
        }
        let content = self.take_in(workbench, &workspace, &located)?;
        Ok((located, workspace, content))
    }

    /// The current content of a plan, parsed.
    pub(crate) fn parsed_now(&self, plan: &str) -> Result<(Located, Arc<ParsedPlan>)> {
        let (located, _, content) = self.read_now(&self.workbench(), plan)?;
        let parsed = self.parsed_as(&located.file.key(), content);
        Ok((located, parsed))
    }

    /// Parses a plan's content, reusing the cache if it has this revision, or else as much as
    /// possible of the most recently used one.
    pub(crate) fn parsed_as(&self, key: &str, content: Content) -> Arc<ParsedPlan> {
        let known = self.known(key, content.revision.as_str());
        let Some(known) = known else {
            let parsed = self.parsed_anew(key, content);
            // Newer facts may have arrived meanwhile, and this plan wasn't in the cache to be
            // rescored.
            let is_current = Arc::ptr_eq(&parsed.facts, &self.facts_of(key));
            return match is_current {
                true => parsed,
                false => self.parsed_anew(key, parsed.content.clone()),
            };
        };
        known
    }

    fn parsed_anew(&self, key: &str, content: Content) -> Arc<ParsedPlan> {
        let facts = self.facts_of(key);
        let last = lock(&self.parsed).newest_of(key);
        self.keep_parsed(match last {
            Some(last) => ParsedPlan::after(key, content, facts, &last),
            None => ParsedPlan::new(key, content, facts),
        })
    }

    fn keep_parsed(&self, parsed: ParsedPlan) -> Arc<ParsedPlan> {
        let parsed = Arc::new(parsed);
        let let_go = lock(&self.parsed).keep(&parsed);
        let_go.free();
        self.judged(&parsed);
        parsed
    }

    /// Parses new content while `write` saves it, and caches the result if the write succeeded,
    /// since the writer will request it next.
    pub(crate) fn parsed_while<T>(
        &self,
        before: &ParsedPlan,
        after: Content,
        write: impl FnOnce() -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let (written, parsed) = std::thread::scope(|scope| {
            let facts = self.facts_of(&before.key);
            let parse = || ParsedPlan::after(&before.key, after, facts, before);
            let parsing = std::thread::Builder::new()
                .name("parse".to_owned())
                .spawn_scoped(scope, parse);
            // If no thread can be started, the content is parsed on request.
            (
                write(),
                parsing.ok().and_then(|parsing| parsing.join().ok()),
            )
        });
        if let (Ok(Some(_)), Some(parsed)) = (&written, parsed) {
            self.keep_parsed(parsed);
        }
        written
    }

    /// A cached revision that was scored with the current facts.
    pub(super) fn known(&self, key: &str, revision: &str) -> Option<Arc<ParsedPlan>> {
        let facts = self.facts_of(key);
        let known = lock(&self.parsed).get(key, revision);
        known.filter(|known| Arc::ptr_eq(&known.facts, &facts))
    }

    /// A revision of a plan, parsed; works for any recorded revision.
    pub(crate) fn parsed_at(&self, plan: &str, revision: &str) -> Result<Arc<ParsedPlan>> {
        if let Some(known) = self.known(plan, revision) {
            return Ok(known);
        }
        let kept = {
            let workbench = self.workbench();
            match kept_content(&workbench, plan, revision)? {
                Some(content) => Some(content),
                // The file may contain this revision before it is recorded.
                None => match self.read_now(&workbench, plan) {
                    Ok((_, _, now)) if now.revision.matches(revision) => Some(now),
                    _ => None,
                },
            }
        };
        let content = kept.ok_or_else(|| {
            let short = revision.get(..12).unwrap_or(revision);
            err!(Usage:
                "{plan} has no revision {short}; reload the plan")
        })?;
        Ok(self.parsed_as(plan, content))
    }
}

/// The recorded content of a revision.
fn kept_content(workbench: &Workbench, plan: &str, revision: &str) -> Result<Option<Content>> {
    let revisions = workbench.store.revisions();
    let Lookup::One(hash) = revisions.by_prefix(plan, revision)? else {
        return Ok(None);
    };
    let Some(bytes) = revisions.content(&hash)? else {
        return Ok(None);
    };
    let text = source::decode(&bytes).map_err(|error| err!(UnusablePlan: "{plan}: {error}"))?;
    Ok(Some(Content {
        text: text.to_owned(),
        revision: plan::Revision::of(&bytes),
    }))
}

/// The error for a missing plan file, with what to do.
fn gone(workbench: &Workbench, located: &Located) -> Result<Error> {
    let relative = &located.file.relative;
    let latest = workbench.store.revisions().latest(&located.file.key())?;
    Ok(match latest {
        None => err!(UnusablePlan: "no such file: {relative}"),
        Some(latest) => err!(PlanGone:
            "{relative} is missing. Its last revision ({}) is kept: restore it, or put the file back yourself",
            &latest.hash[..latest.hash.floor_char_boundary(12)]),
    })
}
