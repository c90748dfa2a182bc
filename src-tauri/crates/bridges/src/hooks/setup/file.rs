//! A host's settings file: read, changed in memory, shown as a diff, and written.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};
use workbench::{Code, Error, Result};

/// Largest settings file, in bytes.
const MAX_FILE: u64 = 8 << 20;

/// A proposed change to a host's settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The settings file.
    pub file: PathBuf,
    /// Its current content; `None` if there is no file.
    pub before: Option<String>,
    /// Its new content.
    pub after: String,
}

impl Change {
    /// The change as a unified diff.
    #[must_use]
    pub fn diff(&self) -> String {
        let before = self.before.as_deref().unwrap_or_default();
        let diff = similar::TextDiff::from_lines(before, &self.after);
        diff.unified_diff().context_radius(3).to_string()
    }
}

/// Writes a change if the file hasn't changed since.
///
/// # Errors
/// [`Code::Usage`] if the file has changed, [`Code::Failed`] if it can't be written.
pub fn write(change: &Change) -> Result<()> {
    let failed = |error: std::io::Error| {
        let message = format!("can't write {}: {error}", change.file.display());
        Error::new(Code::Failed, message).because(error)
    };
    if read_text(&change.file)? != change.before {
        return Err(Error::new(
            Code::Usage,
            format!(
                "{} changed in the meantime, so nothing was written; try again",
                change.file.display()
            ),
        ));
    }
    // The settings may be a symlink into the user's dotfiles.
    let target = change.file.canonicalize();
    let target = target.unwrap_or_else(|_| change.file.clone());
    let folder = target.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder).map_err(failed)?;
    let mut temp = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    temp.write_all(change.after.as_bytes()).map_err(failed)?;
    if let Ok(meta) = std::fs::metadata(&target) {
        let kept = temp.as_file().set_permissions(meta.permissions());
        kept.map_err(failed)?;
    }
    temp.as_file().sync_all().map_err(failed)?;
    temp.persist(&target).map_err(|error| failed(error.error))?;
    Ok(())
}

/// A parsed settings file.
pub(super) struct Settings {
    pub(super) root: Map<String, Value>,
    text: Option<String>,
    /// The file's indentation.
    indent: String,
}

impl Settings {
    pub(super) fn read(file: &Path) -> Result<Self> {
        let text = read_text(file)?;
        let content = text.as_deref().unwrap_or_default();
        let root = match content.trim() {
            "" => Map::new(),
            content => serde_json::from_str(content).map_err(|error| {
                let shown = file.display();
                let message = format!("{shown} isn't a JSON object: {error}; fix it first");
                Error::new(Code::Usage, message)
            })?,
        };
        let indented = content.lines().find_map(|line| {
            let rest = line.trim_start_matches([' ', '\t']);
            let indent = &line[..line.len() - rest.len()];
            (!indent.is_empty() && rest.starts_with('"')).then(|| indent.to_owned())
        });
        let indent = indented.unwrap_or_else(|| "  ".to_owned());
        Ok(Self { root, text, indent })
    }

    /// The change that makes the file hold the changed settings; `None` if it does already.
    pub(super) fn changed(self, file: &Path) -> Result<Option<Change>> {
        let Self {
            root,
            text: before,
            indent,
        } = self;
        let mut after = Vec::new();
        let form = serde_json::ser::PrettyFormatter::with_indent(indent.as_bytes());
        let mut writer = serde_json::Serializer::with_formatter(&mut after, form);
        let failed = |error: &dyn std::fmt::Display| Error::new(Code::Internal, error.to_string());
        root.serialize(&mut writer)
            .map_err(|error| failed(&error))?;
        let mut after = String::from_utf8(after).map_err(|error| failed(&error))?;
        after.push('\n');
        let same = before.as_deref().map(str::trim_end) == Some(after.trim_end());
        Ok((!same).then(|| Change {
            file: file.to_owned(),
            before,
            after,
        }))
    }
}

fn read_text(file: &Path) -> Result<Option<String>> {
    let unreadable = |why: &dyn std::fmt::Display| {
        let message = format!("can't read {}: {why}", file.display());
        Error::new(Code::Failed, message)
    };
    match std::fs::metadata(file) {
        Ok(meta) if !meta.is_file() => return Err(unreadable(&"it isn't a file")),
        Ok(meta) if meta.len() > MAX_FILE => return Err(unreadable(&"it is larger than 8 MiB")),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(&error)),
    }
    std::fs::read_to_string(file)
        .map(Some)
        .map_err(|error| unreadable(&error))
}
