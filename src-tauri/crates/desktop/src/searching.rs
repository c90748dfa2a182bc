//! Full-text search over the plans of a workspace.
//!
//! A line matches if it contains all the words, ignoring case. Texts are cached in lower case, so a
//! query is one pass over memory; a plan's tasks are parsed only if one of its lines matches.

mod excerpt;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use plan::source;
use tools::{Workspace, documents};

use crate::document::{Folders, ListedPlan, Stamp, cut, stamp_of};
use crate::source::marks::Places;
use crate::wire::SearchHit;
use crate::{Desktop, Shared, lock};
use excerpt::{Folded, excerpt};
use workbench::error::Result;

/// Maximum hits in one answer.
const MAX_HITS: usize = 100;

/// Maximum hits per plan, so that one plan doesn't crowd out the others.
const MAX_OF_ONE: usize = 20;

/// Maximum bytes of text cached between queries.
const KEPT_BYTES: usize = 64 << 20;

/// Maximum characters in a title.
const MAX_TITLE_LEN: usize = 200;

/// Maximum search words.
const MAX_WORDS: usize = 10;

/// Cached plan texts by path.
#[derive(Debug, Default)]
pub(crate) struct SearchedTexts {
    texts: HashMap<PathBuf, (Stamp, Arc<SearchedText>)>,
    bytes: usize,
}

/// A plan's text, prepared for searching.
#[derive(Debug)]
struct SearchedText {
    text: String,
    folded: Folded,
    read: OnceLock<Read>,
}

/// The parsed parts of a plan that a hit shows.
#[derive(Debug)]
struct Read {
    title: String,
    revision: String,
    places: Places,
    /// First line, last line, id and title of each task, sorted by first line.
    tasks: Vec<(u32, u32, String, String)>,
    /// Check commands, in document order.
    checks: Vec<String>,
}

/// A plan with matching lines.
struct Found {
    plan: ListedPlan,
    text: Arc<SearchedText>,
    /// Rank (lower is better) and line number of each match, best first.
    lines: Vec<(u32, u32)>,
}

impl Desktop {
    /// Lines that contain all the words, in the workspace's plans and in home folders; best plan
    /// first, best line first within it. At most 100.
    ///
    /// # Errors
    /// [`workbench::Code::Workspace`] if the folder can't be read.
    pub fn search_plans(&self, workspace: &str, words: &str) -> Result<Vec<SearchHit>> {
        let words: Vec<String> = words
            .split_whitespace()
            .take(MAX_WORDS)
            .map(str::to_lowercase)
            .collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let mut found: Vec<Found> = Vec::new();
        for (plan, text) in self.shared.searched_plans(workspace)? {
            let mut lines = text.folded.lines_with(&words);
            lines.sort_unstable();
            lines.truncate(MAX_OF_ONE);
            if !lines.is_empty() {
                found.push(Found { plan, text, lines });
            }
        }
        // A stable sort keeps the list's order for equal ranks.
        found.sort_by_key(|found| found.lines.first().map(|(rank, _)| *rank));
        let hits = found.iter().flat_map(|Found { plan, text, lines }| {
            let lines = lines.iter();
            lines.map(|(_, line)| hit(plan, text, *line, &words))
        });
        Ok(hits.take(MAX_HITS).collect())
    }
}

impl Shared {
    /// The check commands in a workspace's plans, most used first.
    pub(crate) fn checks_in_use(&self, workspace: &str) -> Result<Vec<String>> {
        let mut uses: HashMap<String, (usize, usize)> = HashMap::new();
        for (_, text) in self.searched_plans(workspace)? {
            for check in &text.read().checks {
                let first = uses.len();
                uses.entry(check.clone()).or_insert((0, first)).0 += 1;
            }
        }
        let mut uses: Vec<_> = uses.into_iter().collect();
        uses.sort_by_key(|(_, (times, first))| (usize::MAX - times, *first));
        Ok(uses.into_iter().map(|(check, _)| check).collect())
    }

    /// The texts of all plans, including those beyond the list's limit; unreadable ones are
    /// skipped.
    fn searched_plans(&self, workspace: &str) -> Result<Vec<(ListedPlan, Arc<SearchedText>)>> {
        let found = self.found_plans(workspace)?;
        let mut folders = Folders::of(found.workspace);
        let mut texts = Vec::with_capacity(found.here.len());
        for plan in found.here.into_iter().chain(found.at_home) {
            if let Ok(opened) = folders.at(&plan.root)
                && let Some(text) = self.searched_text(opened, &plan)
            {
                texts.push((plan, text));
            }
        }
        Ok(texts)
    }

    fn searched_text(&self, workspace: &Workspace, plan: &ListedPlan) -> Option<Arc<SearchedText>> {
        let stamp = stamp_of(&plan.file.path);
        if let Some(stamp) = &stamp
            && let Some((known, text)) = lock(&self.parsed).searched.texts.get(&plan.file.path)
            && known == stamp
        {
            return Some(Arc::clone(text));
        }
        let bytes = documents::read(workspace, &plan.file.relative, source::LIMIT).ok()?;
        let text = source::decode(&bytes).ok()?.to_owned();
        let text = Arc::new(SearchedText {
            folded: Folded::of(&text),
            text,
            read: OnceLock::new(),
        });
        if let Some(stamp) = stamp {
            let searched = &mut lock(&self.parsed).searched;
            if searched.bytes > KEPT_BYTES {
                *searched = SearchedTexts::default();
            }
            searched.bytes += 2 * text.text.len();
            let path = plan.file.path.clone();
            let before = searched.texts.insert(path, (stamp, Arc::clone(&text)));
            if let Some((_, before)) = before {
                searched.bytes = searched.bytes.saturating_sub(2 * before.text.len());
            }
        }
        Some(text)
    }
}

impl SearchedText {
    fn read(&self) -> &Read {
        self.read.get_or_init(|| {
            let (plan, _) = plan::parse(&self.text);
            let places = Places::of(&self.text);
            let tasks = plan.tasks.iter().map(|task| {
                let last = places.line_of(task.span.end);
                (task.line, last, task.id.to_string(), task.title.clone())
            });
            Read {
                title: plan
                    .title
                    .as_ref()
                    .map(|title| title.text.clone())
                    .unwrap_or_default(),
                revision: plan::Revision::of(self.text.as_bytes()).as_str().to_owned(),
                tasks: tasks.collect(),
                places,
                checks: plan
                    .tasks
                    .iter()
                    .flat_map(|task| task.verify.clone())
                    .collect(),
            }
        })
    }
}

fn hit(plan: &ListedPlan, text: &SearchedText, line: u32, words: &[String]) -> SearchHit {
    let read = text.read();
    // The innermost task around the line is the last one that starts above it and hasn't ended.
    let begun = read.tasks.partition_point(|(first, ..)| *first <= line);
    let task = read.tasks[..begun]
        .iter()
        .rev()
        .find(|(_, last, ..)| line <= *last);
    let name = plan.file.path.file_stem().unwrap_or_default();
    SearchHit {
        plan: plan.file.key(),
        path: plan.shown(),
        title: match read.title.as_str() {
            "" => name.to_string_lossy().into_owned(),
            title => cut(title, MAX_TITLE_LEN),
        },
        revision: read.revision.clone(),
        task: task.map(|(_, _, id, _)| id.clone()),
        task_title: task.map(|(_, _, _, title)| cut(title, MAX_TITLE_LEN)),
        line,
        excerpt: excerpt(read.places.line(&text.text, line).1, words),
    }
}
