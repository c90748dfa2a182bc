//! `search_files`: matching lines in files that Git does not ignore.
//!
//! A pattern is a regular expression; an invalid one is searched literally, and the answer says so.
//! Binary files and files above the read limit are skipped.

use std::fmt::Write as _;

use memchr::memmem;
use regex::bytes::{Regex, RegexBuilder};

use super::{MAX_FILE, ReadOutcome, bounded, counted};
use crate::error::ToolError;
use crate::protection::{PrivateLinks, check_visible};
use crate::walk::{Step, walk};
use crate::workspace::{Workspace, open_regular, read_all};

const MAX_HITS: usize = 200;
const MAX_LINE: usize = 300;

pub(super) fn search_files(
    workspace: &Workspace,
    pattern: &str,
    path: &str,
) -> Result<ReadOutcome, ToolError> {
    if pattern.is_empty() {
        let reason = "the pattern is empty: enter text or a regular expression";
        return Err(ToolError::Argument {
            reason: reason.to_owned(),
        });
    }
    let (matcher, literal) = Matcher::new(pattern)?;
    let mut found = Found {
        matcher,
        text: String::new(),
        hits: 0,
        files: 0,
        full: false,
    };
    match workspace.folder(path) {
        Ok(_) => {
            let links = PrivateLinks::default();
            walk(workspace, path, &mut |entry| {
                let is_private = || {
                    workspace.is_private(&entry.path)
                        || links.lead_to_private(workspace, &entry.stat)
                };
                if entry.ignored || is_private() {
                    return Ok(Step::Over);
                }
                if entry.kind().is_file() {
                    // An unreadable file has no hits and doesn't end the search.
                    if let Ok(Some((file, _))) = open_regular(entry.dir, entry.name)
                        && let Ok(Some(content)) = read_all(file, MAX_FILE)
                    {
                        found.file(&entry.path.display().to_string(), &content);
                    }
                }
                Ok(if found.full { Step::Stop } else { Step::On })
            })?;
        }
        Err(ToolError::NotAFolder { .. }) => {
            let place = workspace.place(path)?;
            check_visible(workspace, &place.rel, path)?;
            if let Some((content, _)) = place.read(MAX_FILE)? {
                found.file(&place.shown(), &content);
            }
        }
        Err(error) => return Err(error),
    }
    let Found {
        mut text,
        hits,
        files,
        full,
        ..
    } = found;
    if hits == 0 {
        text.push_str("No hits.\n");
    }
    if full {
        text.push_str("[… more hits omitted: narrow the pattern or the path …]\n");
    }
    let mut discoveries = vec![format!(
        "{} in {}",
        counted(hits, "hit"),
        counted(files, "file")
    )];
    if let Some(reason) = literal {
        discoveries.push(format!(
            "searched as plain text: invalid regular expression ({reason})"
        ));
    }
    let hits = u32::try_from(hits).ok();
    Ok(ReadOutcome {
        text,
        discoveries,
        hits,
        truncated: full,
    })
}

struct Matcher {
    regex: Regex,
    /// For a pattern that is searched literally: skips most files quickly.
    plain: Option<memmem::Finder<'static>>,
}

impl Matcher {
    /// Compiles a pattern. The second value says why an invalid one is searched literally.
    fn new(pattern: &str) -> Result<(Self, Option<String>), ToolError> {
        let escaped = regex::escape(pattern);
        let (regex, literal) = match RegexBuilder::new(pattern).build() {
            Ok(regex) => (Ok(regex), None),
            Err(error) => {
                let last = error.to_string();
                let last = last.lines().last().unwrap_or_default().trim().to_owned();
                (RegexBuilder::new(&escaped).build(), Some(last))
            }
        };
        let regex = regex.map_err(|error| ToolError::Argument {
            reason: format!("can't search for this pattern ({error}): shorten it"),
        })?;
        let plain = escaped == pattern || literal.is_some();
        let plain = plain.then(|| memmem::Finder::new(pattern).into_owned());
        Ok((Self { regex, plain }, literal))
    }
}

struct Found {
    matcher: Matcher,
    text: String,
    hits: usize,
    files: usize,
    full: bool,
}

impl Found {
    fn file(&mut self, path: &str, content: &[u8]) {
        let head = content.get(..8 << 10).unwrap_or(content);
        if memchr::memchr(0, head).is_some()
            || self
                .matcher
                .plain
                .as_ref()
                .is_some_and(|plain| plain.find(content).is_none())
        {
            return;
        }
        let mut counted = false;
        for (index, line) in content.split(|byte| *byte == b'\n').enumerate() {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if !self.matcher.regex.is_match(line) {
                continue;
            }
            if self.hits == MAX_HITS {
                self.full = true;
                return;
            }
            self.hits += 1;
            if !counted {
                self.files += 1;
                counted = true;
            }
            let shown = bounded::line(&String::from_utf8_lossy(line), MAX_LINE);
            // Writing into a string cannot fail.
            let _ = writeln!(self.text, "{path}:{}: {shown}", index + 1);
        }
    }
}
