//! The subjects of destructive calls, and which of them exist.

use super::loss::loss;
use super::programs::base;
use super::{InspectionResult, PathState};
use crate::path::workspace_path;

/// Minimum loss of content, in bytes, to ask about.
const MIN_LOSS: u64 = 400;

/// One harmful effect of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Harm {
    pub(super) what: &'static str,
    pub(super) subjects: Vec<Subject>,
}

impl Harm {
    /// Makes its subjects relative to the workspace for a command that runs in a subfolder.
    pub(super) fn rebase(&mut self, folder: Option<&str>) {
        let subjects = std::mem::take(&mut self.subjects).into_iter();
        self.subjects = subjects.map(|subject| subject.below(folder)).collect();
    }
}

/// A file or other object that a harm affects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Subject {
    /// The file or folder at a path, or the matches of a pattern.
    Path(String),
    /// A path that is overwritten. Nothing is lost unless it is a file with content.
    Over(String),
    /// The file that a copy or move overwrites: the target, or if that is a folder, the file `name`
    /// in it. If the source is a pattern, all files with matching names.
    Onto {
        target: String,
        name: String,
        source: String,
    },
    /// A source that is moved to a target; it is lost if the target is outside the workspace.
    Away { source: String, target: String },
    /// Part of a file's content: the text removed (`None` for all of it) and the text added.
    Content {
        path: String,
        removed: Option<String>,
        added: String,
    },
    /// Uncommitted changes under these paths, or anywhere if there are none.
    Changed { below: Vec<String> },
    /// Untracked files under these paths, or anywhere if there are none.
    Untracked { below: Vec<String>, ignored: bool },
    /// A description, shown as is.
    Words(String),
}

impl Subject {
    /// The subject relative to the workspace, for a command that runs in a subfolder; `None` is an
    /// unknown folder.
    pub(super) fn below(self, folder: Option<&str>) -> Self {
        let Some(folder) = folder else {
            return match self {
                Self::Path(path) => Self::Words(path),
                Self::Over(_) | Self::Onto { .. } | Self::Away { .. } => Self::Over(String::new()),
                Self::Changed { .. } => Self::Words("uncommitted changes".to_owned()),
                Self::Untracked { .. } => Self::Words("untracked files".to_owned()),
                other => other,
            };
        };
        let joined = |path: String| joined(Some(folder), &path);
        match self {
            Self::Path(path) => Self::Path(joined(path)),
            Self::Over(path) => Self::Over(joined(path)),
            Self::Onto {
                target,
                name,
                source,
            } => Self::Onto {
                target: joined(target),
                name,
                source: joined(source),
            },
            Self::Away { source, target } => Self::Away {
                source: joined(source),
                target: joined(target),
            },
            Self::Changed { below } => Self::Changed {
                below: below.into_iter().map(joined).collect(),
            },
            Self::Untracked { below, ignored } => Self::Untracked {
                below: match below.is_empty() {
                    true if folder.is_empty() => below,
                    true => vec![folder.to_owned()],
                    false => below.into_iter().map(joined).collect(),
                },
                ignored,
            },
            other => other,
        }
    }

    /// The path or words as the call writes them.
    pub(super) fn written(&self) -> Option<&str> {
        match self {
            Self::Path(path) | Self::Over(path) | Self::Words(path) => Some(path),
            Self::Content { path, .. } => Some(path),
            Self::Onto { target, .. } => Some(target),
            Self::Away { source, .. } => Some(source),
            Self::Changed { .. } | Self::Untracked { .. } => None,
        }
    }
}

/// Whether a word is literal: no variable, command substitution or brace list.
pub(super) fn is_literal(word: &str) -> bool {
    let has_braces = word.contains('{') && word.contains(',') && word.contains('}');
    !word.contains(['$', '`', '~']) && !has_braces
}

/// A normalized path, relative to the workspace.
pub(super) fn joined(folder: Option<&str>, path: &str) -> String {
    if path.starts_with('/') || !is_literal(path) {
        return path.to_owned();
    }
    workspace_path(&format!(
        "{}/{path}",
        folder.filter(|folder| !folder.is_empty()).unwrap_or(".")
    ))
}

/// Describes the existing files or objects of a subject; empty if nothing is lost.
pub(super) fn named(subject: &Subject, seen: &InspectionResult, is_alone: bool) -> Vec<String> {
    let at = |path: &str| seen.found.get(path);
    match subject {
        Subject::Words(words) => vec![words.clone()],
        Subject::Path(path) => match at(path) {
            // If there are other commands, an earlier one may create the path.
            Some(PathState::Missing) if is_alone => Vec::new(),
            Some(PathState::Several(paths)) if paths.is_empty() && is_alone => Vec::new(),
            Some(PathState::Several(paths)) if !paths.is_empty() => paths.clone(),
            Some(PathState::Folder { files }) => vec![folder(path, *files)],
            _ if path.is_empty() => vec!["the whole workspace".to_owned()],
            _ => vec![path.clone()],
        },
        Subject::Over(path) => over(path, at(path)),
        Subject::Onto {
            target,
            name,
            source,
        } => match at(target) {
            Some(PathState::Folder { .. }) => {
                let inside = joined(Some(target), name);
                match (at(&inside), at(source)) {
                    (Some(PathState::Several(there)), Some(PathState::Several(come))) => {
                        let comes = |path: &&String| come.iter().any(|one| base(one) == base(path));
                        there.iter().filter(comes).cloned().collect()
                    }
                    (found, _) => over(&inside, found),
                }
            }
            found => over(target, found),
        },
        Subject::Away { source, target } => {
            let leads_out = target.starts_with('~') || at(target) == Some(&PathState::Outside);
            let is_there = !matches!(at(source), Some(PathState::Missing | PathState::Outside));
            match leads_out && (is_there || !is_alone) {
                true => vec![source.clone()],
                false => Vec::new(),
            }
        }
        Subject::Content {
            path,
            removed,
            added,
        } => match (at(path), seen.texts.get(path)) {
            (Some(PathState::File { .. }), Some(before)) => {
                let after = match removed {
                    None => added.clone(),
                    Some(removed) => before.replacen(removed, added, 1),
                };
                // Many small losses add up; the person is asked once they become a large one.
                let original = seen.originals.get(path);
                let elsewhere = &seen.elsewhere;
                let goes = |from: &str, to: &str| loss(path, from, to, elsewhere);
                let original = original.filter(|original| goes(original, before).is_none());
                let lost = goes(before, &after)
                    .or_else(|| original.and_then(|original| goes(original, &after)));
                lost.map(|lost| format!("{path} ({lost})"))
                    .into_iter()
                    .collect()
            }
            (Some(PathState::File { bytes }), None) => {
                let removed = removed.as_ref().map(|removed| removed.len() as u64);
                content(path, *bytes, removed, added.len() as u64)
            }
            _ => Vec::new(),
        },
        Subject::Changed { below } => match &seen.changed {
            Some(changed) => inside(changed, below),
            None => vec!["uncommitted changes".to_owned()],
        },
        Subject::Untracked { below, ignored } => {
            let mut named = match &seen.untracked {
                Some(untracked) => inside(untracked, below),
                None => vec!["untracked files".to_owned()],
            };
            if *ignored {
                named.push("ignored files".to_owned());
            }
            named
        }
    }
}

fn folder(path: &str, files: u32) -> String {
    let noun = if files == 1 { "file" } else { "files" };
    format!("{path}/ ({files} {noun})")
}

fn over(path: &str, found: Option<&PathState>) -> Vec<String> {
    let is_passing = ["/tmp/", "/dev/null", "/dev/std", "/dev/fd/", "/dev/tty"]
        .iter()
        .any(|start| path.starts_with(start));
    match found {
        Some(PathState::File { bytes }) if *bytes > 0 => vec![path.to_owned()],
        Some(PathState::Several(paths)) => paths
            .iter()
            .filter(|path| !path.ends_with('/'))
            .cloned()
            .collect(),
        Some(PathState::Outside) if !is_passing => vec![path.to_owned()],
        _ => Vec::new(),
    }
}

/// Describes the loss from a write to a file whose text is unknown, if less than half of the
/// content remains.
fn content(path: &str, bytes: u64, removed: Option<u64>, added: u64) -> Vec<String> {
    let left = match removed {
        None => added,
        Some(removed) => bytes.saturating_sub(removed) + added,
    };
    let lost = bytes.saturating_sub(left);
    if bytes > 0 && left == 0 {
        vec![format!("{path} (all of its {bytes} bytes)")]
    } else if lost >= MIN_LOSS && left.saturating_mul(2) < bytes {
        vec![format!("{path} ({lost} of its {bytes} bytes)")]
    } else {
        Vec::new()
    }
}

fn inside(files: &[String], below: &[String]) -> Vec<String> {
    let is_inside = |file: &&String| {
        below.is_empty()
            || below.iter().any(|folder| {
                folder.is_empty()
                    // It is unknown where this path leads, so it may contain the file.
                || folder.contains(['*', '?', '[', '$', '`'])
                || folder.starts_with(['/', '~', ':'])
                    || file
                        .strip_prefix(folder.trim_end_matches('/'))
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
    };
    files.iter().filter(is_inside).cloned().collect()
}
