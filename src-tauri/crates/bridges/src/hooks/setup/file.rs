//! A host's settings file: read, changed in memory, shown as a diff, and written.

use std::io::Write;
use std::path::{Path, PathBuf};

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstObject, CstRootNode};
use serde::de::IgnoredAny;
use serde_json::Value;
use workbench::{Code, Error, Result};

use crate::hooks::host::Host;

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

/// A parsed settings file. Unchanged parts keep their formatting, including comments and line
/// endings.
pub(super) struct Settings {
    pub(super) root: CstObject,
    whole: CstRootNode,
    text: Option<String>,
}

impl Settings {
    /// Reads the settings of a host. A missing or empty file counts as having no settings.
    pub(super) fn read(host: Host, file: &Path) -> Result<Self> {
        let text = read_text(file)?;
        let content = text.as_deref().filter(|text| !text.trim().is_empty());
        let invalid = |why: &dyn std::fmt::Display| {
            let shown = file.display();
            let message = format!("{shown} isn't a JSON object: {why}; fix it first");
            Error::new(Code::Usage, message)
        };
        let options = ParseOptions {
            allow_comments: host.has_comments(),
            allow_loose_object_property_names: false,
            allow_trailing_commas: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        if let Some(text) = content.filter(|_| !host.has_comments()) {
            // Be as strict as the host, which ignores a file that isn't strict JSON.
            serde_json::from_str::<IgnoredAny>(text).map_err(|error| invalid(&error))?;
        }
        if content.is_some_and(|text| text.starts_with('\u{feff}')) {
            return Err(invalid(&"it begins with a byte order mark"));
        }
        let whole = CstRootNode::parse(content.unwrap_or("{}\n"), &options);
        let whole = whole.map_err(|error| invalid(&error))?;
        let root = whole.object_value();
        let root = root.ok_or_else(|| invalid(&"it is another kind of value"))?;
        Ok(Self { root, whole, text })
    }

    /// The settings as a JSON value.
    pub(super) fn value(&self) -> Value {
        self.root.to_serde_value().unwrap_or_default()
    }

    /// The change to the file that stores the changed settings; `None` if nothing would change.
    pub(super) fn changed(self, file: &Path) -> Option<Change> {
        let after = self.whole.to_string();
        (self.text.as_deref() != Some(after.as_str())).then(|| Change {
            file: file.to_owned(),
            before: self.text,
            after,
        })
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
