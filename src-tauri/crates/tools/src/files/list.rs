//! `list_files`: the content of a folder, without files that Git ignores.

use rustix::fs::FileType;

use super::{ReadOutcome, counted};
use crate::error::ToolError;
use crate::walk::{Step, walk};
use crate::workspace::Workspace;

const MAX_ENTRIES: usize = 500;
const DEFAULT_DEPTH: u64 = 2;

pub(super) fn list_files(
    workspace: &Workspace,
    path: &str,
    depth: Option<u64>,
) -> Result<ReadOutcome, ToolError> {
    let depth = usize::try_from(depth.unwrap_or(DEFAULT_DEPTH).max(1)).unwrap_or(usize::MAX);
    let mut lines = Vec::new();
    let (mut files, mut folders, mut truncated) = (0, 0, false);
    let unreadable = walk(workspace, path, &mut |entry| {
        if entry.ignored {
            return Ok(Step::Over);
        }
        if lines.len() == MAX_ENTRIES {
            truncated = true;
            return Ok(Step::Stop);
        }
        let shown = entry.path.display();
        match entry.kind() {
            FileType::Directory => {
                folders += 1;
                lines.push(format!("{shown}/"));
            }
            FileType::Symlink => {
                files += 1;
                let target = entry.dir.read_link_contents(entry.name).unwrap_or_default();
                lines.push(format!("{shown} -> {}", target.display()));
            }
            FileType::RegularFile => {
                files += 1;
                lines.push(shown.to_string());
            }
            _ => lines.push(format!("{shown} (not a regular file)")),
        }
        Ok(if entry.depth < depth {
            Step::On
        } else {
            Step::Over
        })
    })?;
    for folder in &unreadable {
        lines.push(format!("{}/ (cannot be read)", folder.display()));
    }
    let mut text = if lines.is_empty() {
        "(nothing)".to_owned()
    } else {
        lines.join("\n")
    };
    text.push('\n');
    if truncated {
        text.push_str("[… more entries omitted: choose a subfolder or a smaller depth …]\n");
    }
    let discoveries = vec![format!(
        "{}, {}",
        counted(files, "file"),
        counted(folders, "folder")
    )];
    Ok(ReadOutcome {
        text,
        discoveries,
        hits: None,
        truncated,
    })
}
