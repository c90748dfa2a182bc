//! Small files that the app itself reads and creates in a workspace: plans, templates, settings.
//! Paths are confined to the workspace as they are for tools, but unlike tools, the app may write
//! plan files.

use cap_std::fs::Dir;
use gate::{Act, Permit};

use crate::atomic::{self, NewContent, temp_name};
use crate::error::ToolError;
use crate::hash::ContentHash;
use crate::protection::check_visible;
use crate::workspace::Workspace;

/// The bytes of a file of at most `limit` bytes.
///
/// # Errors
/// If the path is refused, [`ToolError::NotFound`], [`ToolError::TooLarge`], or on an I/O error.
pub fn read(workspace: &Workspace, path: &str, limit: u64) -> Result<Vec<u8>, ToolError> {
    workspace.ensure_present()?;
    match workspace.place(path)?.read(limit)? {
        Some((bytes, _)) => Ok(bytes),
        None => Err(ToolError::NotFound {
            path: path.to_owned(),
        }),
    }
}

/// The bytes of a file whose text may be sent to a model.
///
/// # Errors
/// [`ToolError::Private`], and those of [`read`].
pub fn read_for_model(workspace: &Workspace, path: &str, limit: u64) -> Result<Vec<u8>, ToolError> {
    workspace.ensure_present()?;
    check_readable_by_model(workspace, path)?;
    read(workspace, path, limit)
}

/// Whether a model may read the file at this path, which need not exist.
///
/// # Errors
/// [`ToolError::Private`] if it may not; also if the path is refused as for any tool.
pub fn check_readable_by_model(workspace: &Workspace, path: &str) -> Result<(), ToolError> {
    check_visible(workspace, &workspace.place(path)?.rel, path)
}

/// Creates a new file and the folders above it. Returns `false`, without changing anything, if the
/// name already exists.
///
/// # Errors
/// [`ToolError::NotPermitted`] if the permit is for another path. It also fails if the path is
/// refused, or on an I/O error.
pub fn create(
    permit: &Permit,
    workspace: &Workspace,
    path: &str,
    bytes: &[u8],
) -> Result<bool, ToolError> {
    permit.require(&Act::write(path))?;
    workspace.ensure_present()?;
    let mut place = workspace.place(path)?;
    if place.stat()?.is_some() {
        return Ok(false);
    }
    let created = place.create_parents()?;
    let temp_name = temp_name(path, None, Some(ContentHash::of(bytes)));
    let new = NewContent {
        expected: None,
        bytes,
        mode: None,
        temp_name: &temp_name,
    };
    match atomic::put(&place, &new) {
        Ok(()) => {
            created.keep();
            Ok(true)
        }
        Err(ToolError::ChangedMeanwhile { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// The names of the Markdown files directly in a folder, sorted; empty if there is no such folder.
///
/// # Errors
/// If the path is refused, or on an I/O error.
pub fn markdown_files(workspace: &Workspace, folder: &str) -> Result<Vec<String>, ToolError> {
    workspace.ensure_present()?;
    let dir: Dir = match workspace.folder(folder) {
        Ok((_, dir)) => dir,
        Err(ToolError::NotFound { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let failed = |error: std::io::Error| ToolError::io("listing", folder, &error);
    let mut names = Vec::new();
    // `cap-std` opens folders with `O_PATH`; listing needs a readable handle.
    for entry in dir.read_dir(".").map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if name.ends_with(".md") && entry.file_type().map_err(failed)?.is_file() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
