//! `symbol_missing`: code names in a step's title or body that look like typos.
//!
//! Raised only if the names defined in the workspace are known. A false alarm is worse than a miss,
//! so a name is reported only if the step is about existing code, the rest of the plan doesn't
//! mention the name, and it differs in one letter of one word from one or two known names. Names
//! that differ in case, number or ending (`readRows`, `part2`, `rows`) are different names, not
//! typos. Not detected: names with arguments, and steps in languages other than English.

use std::collections::BTreeSet;

use plan::{Plan, Task, TaskKind};

use crate::code::{Code, Severity};
use crate::facts::WorkspaceFacts;
use crate::fuzzy::distance;
use crate::mend::{Fix, Mend};
use crate::plan_context::{PlanContext, Step};
use crate::report::{Finding, place_first};
use crate::spans::words_at;
use crate::verbs::WorkKind;

/// Maximum number of names examined in a plan.
const MAX_NAMES: usize = 100;

/// Maximum number of suspicious names in a plan, because each of them is searched for in all texts
/// of the plan.
const MAX_ACCUSED: usize = 24;

/// Minimum length of a name to be checked.
const MIN_NAME_LEN: usize = 5;

/// The names in a plan's open steps to look up for [`WorkspaceFacts::symbols`], including
/// qualifiers (`Report` in `Report::print`), up to a maximum.
pub fn names_in(plan: &Plan) -> BTreeSet<String> {
    let open = plan
        .leaves()
        .filter(|(_, task)| task.kind == TaskKind::Normal)
        .map(|(_, task)| task)
        .filter(|task| works_on_existing_code(task));
    open.flat_map(|task| mentions(task).map(|mention| mention.name))
        .flat_map(|name| [Some(name.last), name.within].into_iter().flatten())
        .take(MAX_NAMES)
        .map(str::to_owned)
        .collect()
}

/// The misspelled word in `name`, if `name` is a typo of `symbol`.
pub fn slip_of<'n>(name: &'n str, symbol: &str) -> Option<&'n str> {
    if distance(name, symbol, 1) != Some(1) {
        return None;
    }
    let (own, others) = (words(name), words(symbol));
    if own.len() != others.len() {
        return None;
    }
    let mut odd = own.iter().zip(&others).filter(|(a, b)| a != b);
    let (Some((word, other)), None) = (odd.next(), odd.next()) else {
        return None;
    };
    (is_slip(word, other) && is_slip(other, word)).then_some(*word)
}

/// Whether a word may be a typo of another. Not true of short words such as "get" and "set", nor if
/// the words differ in number, case or ending.
fn is_slip(word: &str, other: &str) -> bool {
    const ENDINGS: [&str; 6] = ["s", "d", "r", "n", "e", "y"];
    let digits = |word: &str| -> String { word.chars().filter(char::is_ascii_digit).collect() };
    word.chars().count().max(other.chars().count()) > 3
        && word.chars().count() > 2
        && digits(word) == digits(other)
        && word.to_lowercase() != other.to_lowercase()
        && !word
            .strip_prefix(other)
            .is_some_and(|ending| ENDINGS.contains(&ending))
}

/// The words of a name: those of `read_allRows` are `read`, `all` and `Rows`.
fn words(name: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for piece in name.split('_') {
        let mut start = 0;
        let mut before = ' ';
        for (at, c) in piece.char_indices() {
            if c.is_uppercase() && !before.is_uppercase() && at > 0 {
                words.push(&piece[start..at]);
                start = at;
            }
            before = c;
        }
        words.push(&piece[start..]);
    }
    words
}

/// At most one finding for each open step.
pub(crate) fn findings(context: &PlanContext<'_>) -> Vec<Finding> {
    let facts = context.input.facts;
    if facts.symbols.is_empty() {
        return Vec::new();
    }
    let open = context
        .steps
        .iter()
        .filter(|step| works_on_existing_code(step.task));
    let accused = open.flat_map(|step| {
        mentions(step.task)
            .filter_map(move |mention| Some((step, meant(&mention, facts)?, mention)))
    });
    let mut findings: Vec<Finding> = Vec::new();
    for (step, (word, near), mention) in accused.take(MAX_ACCUSED) {
        let is_first = findings.last().is_none_or(|last| {
            last.line != step.task.line || last.task.as_ref() != Some(&step.task.id)
        });
        if is_first && is_said_once(context, mention.name.last, word) {
            findings.push(finding(step, &mention, &near));
        }
    }
    findings
}

fn finding(step: &Step<'_>, mention: &Mention<'_>, near: &[&str]) -> Finding {
    let (task, code) = (step.task, mention.code);
    let all = near.join("` or `");
    let message = format!(
        "{} names `{code}`, which is not in the workspace: did you mean `{all}`?",
        place_first(task)
    );
    let quoted = format!("`{code}`");
    let corrected = |other: &&str| {
        let (head, tail) = code.split_at(mention.name.at);
        let tail = &tail[mention.name.last.len()..];
        let title = task
            .title
            .replacen(&quoted, &format!("`{head}{other}{tail}`"), 1);
        Fix::of(
            format!("Replace `{}` with `{other}`", mention.name.last),
            Mend::SetTitle {
                task: task.id.clone(),
                title,
            },
        )
    };
    // A plan has no offsets for the words of a body.
    let is_in_title = task.title.contains(&quoted);
    let fixes: Vec<Fix> = match is_in_title {
        true => near.iter().map(corrected).collect(),
        false => Vec::new(),
    };
    let span = match is_in_title {
        true => words_at(task, code),
        false => task.title_span.clone(),
    };
    Finding::for_task(
        task,
        step.text.identity(),
        Code::SymbolMissing,
        Severity::Info,
    )
    .with_message(message)
    .at(span)
    .with_fixes(fixes)
}

/// The one or two known names for which a mention may be a typo, and the misspelled word.
fn meant<'m, 'f>(
    mention: &Mention<'m>,
    facts: &'f WorkspaceFacts,
) -> Option<(&'m str, Vec<&'f str>)> {
    let Name { last, within, .. } = mention.name;
    let runs = facts.programs.iter().chain(facts.targets.values());
    if mention.is_new || facts.symbols.contains(last) || runs.flatten().any(|name| name == last) {
        return None;
    }
    // Names qualified with another library's name are skipped.
    let is_own = |within: &str| {
        matches!(within, "self" | "Self" | "this" | "cls") || facts.symbols.contains(within)
    };
    if !within.is_none_or(is_own) {
        return None;
    }
    let mut near = facts
        .symbols
        .iter()
        .filter_map(|symbol| Some((slip_of(last, symbol)?, symbol.as_str())));
    let (word, first) = near.next()?;
    let mut all = vec![first];
    all.extend(near.map(|(_, symbol)| symbol).take(2));
    // A name that is similar to many others is probably another member of the same family.
    (all.len() < 3).then_some((word, all))
}

/// Whether a name and its misspelled word occur only once in the goal, requirements and steps.
/// Repeated names are intentional.
fn is_said_once(context: &PlanContext<'_>, name: &str, word: &str) -> bool {
    let plan = context.plan;
    let of_tasks = plan.tasks.iter().flat_map(|task| {
        let values = task.fields.iter().map(|field| field.value.as_str());
        [task.title.as_str(), task.body.as_str()]
            .into_iter()
            .chain(values)
    });
    let of_plan = plan.requirements.iter().map(|one| one.text.as_str());
    let mut texts = context.goal.into_iter().chain(of_plan).chain(of_tasks);
    let (mut names, mut odd) = (0, 0);
    texts.all(|text| {
        names += times(text, name, |c| c.is_alphanumeric() || c == '_');
        odd += times(text, word, char::is_alphanumeric);
        names < 2 && odd < 2
    })
}

/// Number of times that these words occur in a text without a joining character next to them.
fn times(text: &str, words: &str, joins: impl Fn(char) -> bool) -> usize {
    let is_whole = |at: &usize| {
        !text[..*at].chars().next_back().is_some_and(&joins)
            && !text[at + words.len()..].chars().next().is_some_and(&joins)
    };
    text.match_indices(words)
        .map(|(at, _)| at)
        .filter(is_whole)
        .count()
}

/// Whether a step is open and its title begins with a verb for changing existing code.
fn works_on_existing_code(task: &Task) -> bool {
    const OTHERS: [&str; 20] = [
        "allow", "avoid", "cache", "call", "cover", "debug", "expose", "guard", "have", "keep",
        "let", "log", "pass", "run", "show", "skip", "stop", "trace", "treat", "turn",
    ];
    if task.done || task.skipped.is_some() || !(task.title.contains('`') || task.body.contains('`'))
    {
        return false;
    }
    match WorkKind::of(&task.title) {
        WorkKind::Change | WorkKind::Check | WorkKind::Inform => true,
        WorkKind::Create => false,
        WorkKind::Other => {
            let first = first_word(&task.title);
            OTHERS.iter().any(|word| first.eq_ignore_ascii_case(word))
        }
    }
}

fn first_word(title: &str) -> &str {
    title
        .split(|c: char| !c.is_alphanumeric())
        .find(|word| !word.is_empty())
        .unwrap_or_default()
}

/// A code name that a text mentions.
struct Mention<'a> {
    /// The text between the backticks.
    code: &'a str,
    name: Name<'a>,
    /// Whether the words before the name say that it is yet to be created.
    is_new: bool,
}

#[derive(Clone, Copy)]
struct Name<'a> {
    /// The name without its qualifier, and its offset in the code.
    last: &'a str,
    at: usize,
    /// The qualifier of the name: `Report` in `Report::print`.
    within: Option<&'a str>,
}

/// Code names in the title and body of a step, excluding code blocks.
fn mentions(task: &Task) -> impl Iterator<Item = Mention<'_>> {
    let splits = ["convert", "extract", "rename", "replace", "split"]
        .iter()
        .any(|verb| first_word(&task.title).eq_ignore_ascii_case(verb));
    let mut is_in_block = false;
    let prose = task.body.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_in_block ^= is_fence;
        !is_fence && !is_in_block
    });
    let mut is_first = true;
    std::iter::once(task.title.as_str())
        .chain(prose)
        .flat_map(spans)
        .filter_map(move |(before, code)| {
            let name = Name::of(code)?;
            // In a split, the first name already exists and the others result from it.
            let comes_of_it = splits && !is_first;
            is_first = false;
            Some(Mention {
                code,
                name,
                is_new: comes_of_it || says_new(before),
            })
        })
}

/// Code spans, each with the text before it.
fn spans(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let ticks: Vec<usize> = line.match_indices('`').map(|(at, _)| at).collect();
    let count = ticks.len() / 2;
    (0..count).map(move |nth| {
        let (open, close) = (ticks[nth * 2], ticks[nth * 2 + 1]);
        (&line[..open], &line[open + 1..close])
    })
}

/// Whether the words before a name say that the step creates it.
fn says_new(before: &str) -> bool {
    const CLOSE: [&str; 11] = [
        "a", "an", "as", "by", "called", "into", "it", "named", "to", "via", "with",
    ];
    const MAKES: [&str; 14] = [
        "add",
        "build",
        "creat",
        "declar",
        "defin",
        "extract",
        "generat",
        "implement",
        "introduc",
        "make",
        "new",
        "provid",
        "scaffold",
        "writ",
    ];
    let mut words = before
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .rev()
        .map(str::to_lowercase)
        .take(5)
        .peekable();
    words
        .peek()
        .is_some_and(|last| CLOSE.contains(&last.as_str()))
        || words.any(|word| MAKES.iter().any(|make| word.starts_with(make)))
}

impl<'a> Name<'a> {
    /// The name in a code span, if it is a single code name.
    fn of(code: &'a str) -> Option<Self> {
        let path = code.strip_suffix("()").unwrap_or(code);
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':');
        if !path.chars().all(is_of_name) {
            return None;
        }
        let (at, within) = match path.rfind(['.', ':']) {
            Some(joint) => {
                let before = &path[..joint];
                let before = match path.as_bytes()[joint] {
                    b':' => before.strip_suffix(':')?,
                    _ => before,
                };
                let within = before.rsplit(['.', ':']).next().unwrap_or_default();
                (joint + 1, Some(within))
            }
            None => (0, None),
        };
        let last = &path[at..];
        let begins_well = |name: &str| name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let is_marked = path.len() < code.len() || within.is_some() || words(last).len() > 1;
        let letters = last.chars().filter(|c| c.is_alphabetic()).count();
        (is_marked
            && letters >= MIN_NAME_LEN
            && begins_well(last)
            && within.is_none_or(begins_well))
        .then_some(Self { last, at, within })
    }
}

#[cfg(test)]
mod tests;
