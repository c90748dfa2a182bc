//! The part of a prompt that describes the workspace, within a token budget.
//!
//! Its parts, in order of relevance: how the workspace is checked, the files relevant to the goal,
//! the lines with names from the goal, the files suggested by search or earlier runs, facts from
//! earlier runs, then the folders. Lines from files that hold secrets are never included. Each line
//! is included whole or not at all, and any cut is marked.

use std::collections::{BTreeMap, BTreeSet};

use plan::word_list::WordList;

use super::sanitize::one_line;
use crate::context::Context;
use crate::intake::Intake;
use crate::solver::relevant;
use crate::text::Family;

/// A description of the workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The text of the description.
    pub text: String,
    /// The parts that are included, as one phrase each, for display.
    pub included: Vec<String>,
    /// Whether something did not fit.
    pub is_cut: bool,
}

/// Maximum number of lines with occurrences of names.
const MAX_LINES: usize = 24;

/// Maximum number of lines quoted from one file.
const MAX_EXCERPT: usize = 40;

const MAX_FOLDERS: usize = 24;

/// Describes the workspace in at most `room` tokens. With `excerpts`, includes the beginnings of
/// the relevant files.
pub fn surroundings(intake: &Intake, context: &Context, room: u64, excerpts: bool) -> Surroundings {
    let mut writer = Writer {
        out: Surroundings::default(),
        left: usize::try_from(room.saturating_mul(super::BYTES_PER_TOKEN as u64))
            .unwrap_or(usize::MAX),
    };
    let found = relevant::files(intake, context);
    let all = found.all(&intake.named_paths);
    let checks: Vec<String> = context
        .test_commands(&all)
        .iter()
        .map(|command| format!("`{command}`"))
        .collect();
    if !checks.is_empty() {
        writer.section("check commands", "Check commands:", &checks);
    }
    if !context.guidance.is_empty() {
        writer.section("instruction files", "Instruction files:", &context.guidance);
    }
    let files: Vec<String> = all
        .iter()
        .map(|path| match context.texts.get(path) {
            Some(text) => format!("{path} ({})", counted(text.lines().count())),
            None => path.clone(),
        })
        .collect();
    writer.section("relevant files", "Relevant files:", &files);
    writer.section(
        "files named in the goal that don't exist",
        "Missing files:",
        &found.absent,
    );
    let lines = places(intake, context);
    writer.section(
        "lines with names from the goal",
        "Lines with names from the goal:",
        &lines,
    );
    if excerpts {
        for path in all.iter().take(3) {
            let Some(text) = context.texts.get(path).filter(|_| !holds_secrets(path)) else {
                continue;
            };
            let head: Vec<String> = text
                .lines()
                .take(MAX_EXCERPT)
                .map(|line| clipped(line, 160))
                .collect();
            let title = format!("{path}, first {}:", counted(head.len()));
            writer.section(&format!("lines at the start of `{path}`"), &title, &head);
        }
    }
    let offered: Vec<String> = context
        .offered
        .iter()
        .filter(|file| !all.contains(&file.path) && context.paths.contains(&file.path))
        .map(|file| match one_line(&file.reason) {
            reason if reason.is_empty() => one_line(&file.path),
            reason => format!("{}: {}", one_line(&file.path), clipped(&reason, 160)),
        })
        .collect();
    writer.section(
        "possibly relevant files",
        "Other possibly relevant files, and why:",
        &offered,
    );
    let known: Vec<String> = context
        .known
        .iter()
        .map(|known| {
            let text = clipped(&one_line(&known.text), 300);
            format!("{text} ({})", clipped(&one_line(&known.provenance), 240))
        })
        .collect();
    writer.section(
        "facts from earlier runs",
        "Known from earlier runs:",
        &known,
    );
    let folders = folders(&context.paths);
    writer.section("folders", "Folders and their file counts:", &folders);
    writer.out
}

struct Writer {
    out: Surroundings,
    /// The number of bytes left.
    left: usize,
}

impl Writer {
    /// Adds a heading and as many of the lines as fit.
    fn section(&mut self, label: &str, heading: &str, lines: &[String]) {
        if lines.is_empty() {
            return;
        }
        let mut text = String::new();
        let mut shown = 0;
        for line in lines {
            let needed = heading.len() + text.len() + line.len() + 3;
            if needed > self.left {
                self.out.is_cut = true;
                break;
            }
            text.push_str(line);
            text.push('\n');
            shown += 1;
        }
        if shown == 0 {
            return;
        }
        let text = format!("{heading}\n{text}");
        self.left = self.left.saturating_sub(text.len());
        self.out.text.push_str(&text);
        self.out.included.push(match shown == lines.len() {
            true => format!("{label} ({shown})"),
            false => format!("{label} ({shown} of {})", lines.len()),
        });
    }
}

/// The most relevant occurrences as `path:line: text`: definitions first, alternating between
/// files.
fn places(intake: &Intake, context: &Context) -> Vec<String> {
    let terms = intake.search_terms.iter().chain(&intake.keywords);
    let mut found: Vec<(usize, usize, String)> = Vec::new();
    let mut seen = BTreeSet::new();
    for (rank, term) in terms.enumerate() {
        let mut in_file: BTreeMap<&str, usize> = BTreeMap::new();
        for place in context.found(term) {
            let nth = in_file.entry(place.path.as_str()).or_default();
            *nth += 1;
            // Occurrences in prose reveal little about where a name is used.
            if *nth > 4
                || holds_secrets(&place.path)
                || !place.shape.is_code()
                || !seen.insert((&place.path, place.line))
            {
                continue;
            }
            let line = format!(
                "{}:{}: {}",
                place.path,
                place.line,
                clipped(&place.text, 120)
            );
            let is_definition = matches!(
                place.shape,
                crate::text::Shape::Definition | crate::text::Shape::Member
            );
            found.push((
                rank + if is_definition { 0 } else { 10 * *nth },
                found.len(),
                line,
            ));
        }
    }
    found.sort();
    let lines = found.into_iter().map(|(_, _, line)| line);
    lines.take(MAX_LINES).collect()
}

/// Whether a file holds keys or passwords, judging by its name.
pub(crate) fn holds_secrets(path: &str) -> bool {
    const ENDS: WordList = WordList(".pem .key .p12 .pfx .keystore .jks .kdbx");
    const BEGINS: WordList = WordList(".env id_rsa id_ed25519 id_ecdsa .netrc .pgpass .npmrc");
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let stem = name.split('.').find(|part| !part.is_empty());
    let is_named = stem.is_some_and(|stem| {
        crate::among(
            stem,
            "secret secrets credential credentials password passwords htpasswd",
        )
    });
    let is_code = matches!(
        crate::text::family_of(path),
        Family::Python | Family::JavaScript | Family::Rust | Family::Go | Family::C
    );
    ENDS.iter().any(|end| name.ends_with(end))
        || BEGINS.iter().any(|begin| name.starts_with(begin))
        || is_named && !is_code
}

/// The folders of the first two levels, with the number of files below each.
fn folders(paths: &BTreeSet<String>) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut at_top: Vec<&str> = Vec::new();
    for path in paths {
        let mut ends = path.match_indices('/').map(|(at, _)| at);
        match (ends.next(), ends.next()) {
            (None, _) => at_top.push(path),
            (Some(first), None) => *counts.entry(&path[..first]).or_default() += 1,
            (Some(_), Some(second)) => *counts.entry(&path[..second]).or_default() += 1,
        }
    }
    let mut folders: Vec<(&str, usize)> = counts.into_iter().collect();
    folders.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let folders = folders.into_iter().take(MAX_FOLDERS);
    let mut lines: Vec<String> = folders
        .map(|(folder, files)| format!("{folder}/ {files}"))
        .collect();
    if !at_top.is_empty() {
        let shown: Vec<&str> = at_top.iter().take(12).copied().collect();
        lines.insert(0, format!("in the root folder: {}", shown.join(", ")));
    }
    lines
}

/// A number of lines, as a phrase.
fn counted(lines: usize) -> String {
    match lines {
        1 => "1 line".to_owned(),
        lines => format!("{lines} lines"),
    }
}

fn clipped(line: &str, most: usize) -> String {
    let line = line.trim_end();
    match line.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}
