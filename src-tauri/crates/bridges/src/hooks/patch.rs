//! Converts Codex's patches (`*** Begin Patch`) to edits of files.
//!
//! If any line can't be parsed, the whole patch is rejected, so that no change is missed.

use plan::ToolCall;

use super::calls::{delete, edit, write};

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// Whether a text is a patch.
pub(super) fn is_patch(text: &str) -> bool {
    text.trim_start().starts_with(BEGIN)
}

/// The patch in a command line that does nothing but apply it: `apply_patch <<'EOF' … EOF`.
pub(super) fn in_command(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("apply_patch")?.trim_start();
    let rest = rest.strip_prefix("<<")?.trim_start();
    let (marker, body) = rest.split_once('\n')?;
    // The marker must be quoted, so that the shell expands nothing in the patch.
    let marker = marker.trim();
    let name = marker.strip_prefix('\'')?.strip_suffix('\'')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let body = body.strip_suffix(name).filter(|_| is_name)?;
    let is_whole = body.ends_with('\n') && !body.lines().any(|line| line == name);
    (is_whole && is_patch(body)).then_some(body)
}

/// The edits of a patch, in order.
///
/// # Errors
/// A message if the patch can't be parsed.
pub(super) fn calls(text: &str) -> Result<Vec<ToolCall>, String> {
    let odd = |line: &str| format!("the patch has a line that can't be read: {line}");
    let mut lines = text.trim().lines();
    if lines.next() != Some(BEGIN) {
        return Err("the patch has no beginning".to_owned());
    }
    let mut reader = Reader::default();
    let mut has_ended = false;
    for line in lines {
        if has_ended {
            return Err(odd(line));
        }
        let header = |name: &str| line.strip_prefix(name);
        let is_path = |path: &str| path == path.trim();
        if line.trim_end() == END {
            has_ended = true;
        } else if let Some((path, kind)) = KINDS
            .iter()
            .find_map(|(name, kind)| Some((header(name)?, *kind)))
        {
            // To Codex, spaces at the beginning or end are part of the path.
            is_path(path)
                .then(|| reader.begin(path, kind))
                .ok_or_else(|| odd(line))?;
        } else if let Some(path) = header("*** Move to: ") {
            let moved = is_path(path).then(|| reader.moves_to(path));
            moved.flatten().ok_or_else(|| odd(line))?;
        } else if line.trim_end() == "*** End of File" || line.starts_with("@@") {
            reader.end_hunk();
        } else {
            reader.line(line).ok_or_else(|| odd(line))?;
        }
    }
    reader.end_file();
    match (has_ended, reader.calls.is_empty()) {
        (false, _) => Err("the patch has no end".to_owned()),
        (true, true) => Err("the patch changes nothing".to_owned()),
        (true, false) => Ok(reader.calls),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Add,
    Delete,
    Update,
}

#[derive(Default)]
struct Reader {
    file: Option<(String, Kind)>,
    old: String,
    new: String,
    has_calls: bool,
    calls: Vec<ToolCall>,
}

/// The beginnings of the lines that introduce a file, up to its path.
const KINDS: [(&str, Kind); 3] = [
    ("*** Add File: ", Kind::Add),
    ("*** Delete File: ", Kind::Delete),
    ("*** Update File: ", Kind::Update),
];

impl Reader {
    fn begin(&mut self, path: &str, kind: Kind) {
        self.end_file();
        self.file = Some((path.to_owned(), kind));
        self.has_calls = false;
    }

    /// Treats a move as deleting the old file and writing the new one.
    fn moves_to(&mut self, path: &str) -> Option<()> {
        let (old, kind) = self.file.clone()?;
        if kind != Kind::Update || self.has_calls {
            return None;
        }
        self.calls.push(delete(&old));
        self.calls.push(write(path, ""));
        self.file = Some((path.to_owned(), Kind::Update));
        self.has_calls = true;
        Some(())
    }

    fn line(&mut self, line: &str) -> Option<()> {
        let (_, kind) = self.file.as_ref()?;
        let (sign, rest) = match line.chars().next() {
            // An empty line of context.
            None => (' ', ""),
            Some(sign @ (' ' | '+' | '-')) => (sign, line.get(1..)?),
            Some(_) => return None,
        };
        match (kind, sign) {
            (Kind::Add, '+') | (Kind::Update, '+') => self.add(false, rest),
            (Kind::Update, '-') => self.add(true, rest),
            (Kind::Update, _) => {
                self.add(true, rest);
                self.add(false, rest);
            }
            (Kind::Add | Kind::Delete, _) => return line.trim().is_empty().then_some(()),
        }
        Some(())
    }

    fn add(&mut self, is_old: bool, line: &str) {
        let text = if is_old { &mut self.old } else { &mut self.new };
        text.push_str(line);
        text.push('\n');
    }

    fn end_hunk(&mut self) {
        let (old, new) = (std::mem::take(&mut self.old), std::mem::take(&mut self.new));
        if let Some((path, Kind::Update)) = &self.file
            && old != new
        {
            self.calls.push(edit(path, &old, &new));
            self.has_calls = true;
        }
    }

    fn end_file(&mut self) {
        match &self.file {
            Some((path, Kind::Add)) => {
                let new = std::mem::take(&mut self.new);
                self.calls.push(write(path, &new));
            }
            Some((path, Kind::Delete)) => self.calls.push(delete(path)),
            Some((_, Kind::Update)) => self.end_hunk(),
            None => {}
        }
        self.file = None;
    }
}
