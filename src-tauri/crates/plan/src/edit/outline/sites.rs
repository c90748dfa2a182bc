//! Determines where to insert the lines of a task, and with which prefix.

use super::{IndexedPlace, subtree_end};
use crate::edit::Splice;
use crate::edit::blocks;
use crate::edit::dependencies::above;
use crate::edit::layout::{Prefix, blank_line, has_blank_line, key_places, prefixes};
use crate::lines;
use crate::model::{Plan, Task};

/// A position at which the lines of a task can be inserted.
#[derive(Debug, Clone)]
pub(super) struct Site {
    at: usize,
    pub(super) prefix: Prefix,
    form: Form,
    /// The section heading to insert along with the task, if one is needed.
    pub(super) heading: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    /// After the end of a line; `gap` adds a blank line in front of the new lines.
    After { gap: bool },
    /// At the start of a line; `gap` adds a blank line after the new lines.
    Before { gap: bool },
    /// At the start of a line, together with text to insert before and after.
    Between { before: String, after: String },
}

impl Site {
    /// The splice that inserts these lines.
    pub(super) fn splice(&self, new: &[String], ending: &str) -> Splice {
        let blank = format!("{}{ending}", blank_line(&self.prefix.indent));
        let lines = new.join(ending);
        let text = match &self.form {
            Form::After { gap: true } => format!("{ending}{blank}{lines}"),
            Form::After { gap: false } => format!("{ending}{lines}"),
            Form::Before { gap: true } => format!("{lines}{ending}{blank}"),
            Form::Before { gap: false } => format!("{lines}{ending}"),
            Form::Between { before, after } => format!("{before}{lines}{after}"),
        };
        Splice {
            range: self.at..self.at,
            text,
        }
    }
}

/// The sites for a place, best first.
pub(super) fn sites(text: &str, plan: &Plan, at: IndexedPlace) -> Vec<Site> {
    match at {
        IndexedPlace::First if plan.tasks.is_empty() => no_tasks(text, plan),
        IndexedPlace::First => before(text, plan, 0),
        IndexedPlace::Before(index) => {
            let mut sites = before(text, plan, index);
            if let Some(above) = above(plan, index) {
                sites.extend(after(text, plan, above));
            }
            sites
        }
        IndexedPlace::After(index) => after(text, plan, index),
        IndexedPlace::Under(index) => match plan.tasks[index].children.last() {
            Some(last) => after(text, plan, *last),
            None => under(text, plan, index),
        },
    }
}

/// The two values of `gap` to try, the file's own style first.
fn gaps(is_loose: bool) -> [bool; 2] {
    [is_loose, !is_loose]
}

/// Whether a task is separated from its neighbors by blank lines. With `below_first`, looks at the
/// neighbor below first, otherwise at the one above.
fn is_loose(text: &str, plan: &Plan, index: usize, below_first: bool) -> bool {
    let task = &plan.tasks[index];
    let between = |a: &Task, b: &Task| has_blank_line(text, a.span.end, b.span.start);
    let next = below(plan, index).map(|next| between(task, &plan.tasks[next]));
    let last = above(plan, index).map(|above| between(&plan.tasks[above], task));
    let known = if below_first {
        next.or(last)
    } else {
        last.or(next)
    };
    known.unwrap_or(false)
}

/// The next sibling of a task, if there is one.
fn below(plan: &Plan, index: usize) -> Option<usize> {
    let next = subtree_end(plan, index);
    let is_sibling = plan.tasks.get(next)?.parent == plan.tasks[index].parent;
    is_sibling.then_some(next)
}

fn before(text: &str, plan: &Plan, index: usize) -> Vec<Site> {
    let task = &plan.tasks[index];
    let site = |gap| Site {
        at: task.span.start,
        prefix: Prefix::of(text, task),
        form: Form::Before { gap },
        heading: None,
    };
    gaps(is_loose(text, plan, index, false)).map(site).to_vec()
}

fn after(text: &str, plan: &Plan, index: usize) -> Vec<Site> {
    let task = &plan.tasks[index];
    let at = lines::line_end(text, task.span.end);
    let site = |gap| Site {
        at,
        prefix: Prefix::of(text, task).next(),
        form: Form::After { gap },
        heading: None,
    };
    gaps(is_loose(text, plan, index, true)).map(site).to_vec()
}

/// The sites under a task that has no sub-tasks yet.
fn under(text: &str, plan: &Plan, index: usize) -> Vec<Site> {
    let task = &plan.tasks[index];
    let own = Prefix::of(text, task);
    let bullet = if own.is_numbered() { "-" } else { &own.bullet };
    let step = |task: &Task| {
        let parent = &plan.tasks[task.parent?];
        let outer = Prefix::of(text, parent).indent;
        let inner = Prefix::of(text, task).indent;
        inner.strip_prefix(outer.as_str()).map(str::to_owned)
    };
    // Use the indentation of other sub-tasks in the file.
    let usual = plan
        .tasks
        .iter()
        .find_map(step)
        .map(|step| format!("{}{step}", own.indent));
    let mut indents: Vec<String> = usual.into_iter().collect();
    indents.extend(prefixes(text, task).into_iter().map(|prefix| {
        let bullet = prefix.trim_end().len().saturating_sub(1);
        prefix[..bullet].to_owned()
    }));
    indents.dedup();
    let mut places = vec![lines::line_end(text, task.span.end)];
    places.extend(key_places(text, plan, task));
    places.dedup();
    let mut sites = Vec::new();
    for indent in indents {
        sites.extend(places.iter().flat_map(|at| {
            [false, true].map(|gap| Site {
                at: *at,
                prefix: Prefix {
                    indent: indent.clone(),
                    bullet: bullet.to_owned(),
                    blanks: " ".to_owned(),
                },
                form: Form::After { gap },
                heading: None,
            })
        }));
    }
    sites
}

/// The sites in a plan without tasks: under `## Tasks`, or in a new section.
fn no_tasks(text: &str, plan: &Plan) -> Vec<Site> {
    let prefix = Prefix {
        indent: String::new(),
        bullet: "-".to_owned(),
        blanks: " ".to_owned(),
    };
    if let Some((heading, end)) = blocks::section(text, plan, "tasks") {
        let heading_end = lines::line_end(text, heading.end);
        let last = lines::line_end(
            text,
            lines::trim_back(text, heading_end, end.max(heading_end)),
        );
        let site = |at, gap| Site {
            at,
            prefix: prefix.clone(),
            form: Form::After { gap },
            heading: None,
        };
        return vec![
            site(heading_end, false),
            site(last, true),
            site(last, false),
            site(heading_end, true),
        ];
    }
    let (at, before, after) = new_section(text, plan, &["decisions"], "## Tasks");
    vec![Site {
        at,
        prefix,
        form: Form::Between { before, after },
        heading: Some("## Tasks"),
    }]
}

/// Where to insert a new section (before the first of the named sections that exists, else at the
/// end), and the text to insert before and after its list.
pub(in crate::edit) fn new_section(
    text: &str,
    plan: &Plan,
    names: &[&str],
    heading: &str,
) -> (usize, String, String) {
    let ending = plan.line_ending;
    let found = names
        .iter()
        .find_map(|name| blocks::section(text, plan, name));
    let at = found.map_or(text.len(), |(heading, _)| {
        lines::line_start(text, heading.start)
    });
    let at = at.max(plan.preamble.start);
    let above = text[..at].trim_end_matches([' ', '\t']);
    let before_line_end = above
        .strip_suffix("\r\n")
        .or_else(|| above.strip_suffix(['\n', '\r']));
    let gap = match before_line_end {
        _ if text[plan.preamble.start..at].trim().is_empty()
            && above.ends_with(['\n', '\r', '\u{feff}']) =>
        {
            String::new()
        }
        _ if above.is_empty() => String::new(),
        Some(rest) if rest.trim_end_matches([' ', '\t']).ends_with(['\n', '\r']) => String::new(),
        Some(_) => ending.to_owned(),
        None => format!("{ending}{ending}"),
    };
    let tail = if at == text.len() { "" } else { ending };
    (
        at,
        format!("{gap}{heading}{ending}"),
        format!("{ending}{tail}"),
    )
}
