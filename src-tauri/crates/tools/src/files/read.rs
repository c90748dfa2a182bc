//! `read_file`: a file or a range of its lines.

use super::bounded::{MAX_CHARS, head_and_tail};
use super::{MAX_FILE, ReadOutcome, counted};
use crate::error::ToolError;
use crate::protection::check_visible;
use crate::workspace::Workspace;

pub(super) fn read_file(
    workspace: &Workspace,
    path: &str,
    start: Option<u64>,
    end: Option<u64>,
) -> Result<ReadOutcome, ToolError> {
    let place = workspace.place(path)?;
    check_visible(workspace, &place.rel, path)?;
    let Some((content, _)) = place.read(MAX_FILE)? else {
        return Err(ToolError::NotFound {
            path: path.to_owned(),
        });
    };
    let mut discoveries = Vec::new();
    if content.iter().take(8 << 10).any(|byte| *byte == 0) {
        let text = format!("`{path}` is a binary file of {} bytes.\n", content.len());
        return Ok(ReadOutcome {
            discoveries: vec![format!("{path} is binary")],
            text,
            ..ReadOutcome::default()
        });
    }
    let content = match String::from_utf8(content) {
        Ok(content) => content,
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            discoveries.push(format!(
                "{path} is not valid UTF-8 (byte {offset}); invalid bytes are shown as �"
            ));
            String::from_utf8_lossy(error.as_bytes()).into_owned()
        }
    };
    let lines: Vec<&str> = content.split_inclusive('\n').collect();
    let total = lines.len();
    let part = match (start, end) {
        (None, None) => content.clone(),
        _ => {
            let index = |line: u64| usize::try_from(line).unwrap_or(usize::MAX);
            let first = index(start.unwrap_or(1)).max(1);
            let last = index(end.unwrap_or(u64::MAX)).min(total);
            if first > total || first > index(end.unwrap_or(u64::MAX)) {
                let reason = format!(
                    "`{path}` has {}; lines {first} to {} are not a valid range: choose another",
                    counted(total, "line"),
                    end.map_or_else(|| "the end".to_owned(), |end| end.to_string()),
                );
                return Err(ToolError::Argument { reason });
            }
            discoveries.push(format!("{path}: lines {first}–{last} of {total}"));
            lines.get(first - 1..last).unwrap_or_default().concat()
        }
    };
    if start.is_none() && end.is_none() {
        discoveries.push(format!("{path}: {}", counted(total, "line")));
    }
    let (text, truncated) = head_and_tail(&part, MAX_CHARS, "ask for a range of lines");
    Ok(ReadOutcome {
        text,
        discoveries,
        hits: None,
        truncated,
    })
}
