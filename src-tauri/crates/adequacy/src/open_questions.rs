//! Finds open questions in a plan's text, which somebody would have to answer while the plan is
//! carried out.
//!
//! Searches the titles and texts of steps, the goal and the requirements. Skips code, quotes and
//! addresses, the questions of decisions, the texts of checkpoints and the assumptions of steps.

use std::sync::LazyLock;

use plan::edit::Place;
use plan::{Task, TaskId, TaskKind};
use regex::Regex;

use crate::code::{Code, Severity};
use crate::hints::Hints;
use crate::mend::{Fix, Mend};
use crate::plan_context::{PlanContext, Step};
use crate::report::{Finding, place_first, quoted};

/// The finding about an open question in a step.
pub(crate) fn finding(context: &PlanContext<'_>, step: &Step<'_>) -> Option<Finding> {
    let task = step.task;
    if !step.text.hints().has(Hints::OPEN) {
        return None;
    }
    let question = open_question(step.text.description())?;
    if task.values("assume").next().is_some() || waits_for_decision(context, step) {
        return None;
    }
    let message = format!(
        "{} has an open question: {}. Answer it before the step, or note an assumption.",
        place_first(task),
        quoted(question)
    );
    let mut finding = Finding::for_task(
        task,
        step.text.identity(),
        Code::OpenQuestion,
        Severity::Minor,
    );
    if let Some(at) = task.title.find(question)
        && task.title_span.len() == task.title.len()
    {
        let start = task.title_span.start + at;
        finding = finding.at(start..start + question.len());
    }
    finding.question = Some(format!("Who decides {}, and when?", quoted(question)));
    Some(
        finding
            .with_message(message)
            .with_fixes(answers(context, task, question))
            .drop_question_without_answers(),
    )
}

/// Findings about open questions in the goal and the requirements.
pub(crate) fn of_plan(context: &PlanContext<'_>) -> Vec<Finding> {
    let decides = context
        .plan
        .tasks
        .iter()
        .any(|task| task.kind == TaskKind::Decision);
    if decides {
        return Vec::new();
    }
    let requirements = context.plan.requirements.iter().map(|requirement| {
        (
            requirement.text.as_str(),
            requirement.line,
            requirement.span.clone(),
        )
    });
    let title = context
        .plan
        .title
        .as_ref()
        .map(|title| (title.text.as_str(), title.line, title.span.clone()));
    let goal = context
        .plan
        .front
        .goal
        .as_deref()
        .map(|goal| (goal, 1, 0..0));
    requirements
        .chain(goal.or(title))
        .filter_map(|(text, line, place)| {
            let question = open_question(text).filter(|question| !is_taken_up(context, question))?;
            let message = format!(
                "The plan has an open question: {}. Add a decision step for it, or note an assumption.",
                quoted(question)
            );
            let mut finding = Finding::for_plan(context.plan, text, Code::OpenQuestion, Severity::Minor).at(place);
            finding.line = line;
            let first = context.plan.tasks.first()?;
            let place = Place::Before(first.id.clone());
            Some(finding.with_message(message).with_fixes([Fix::of(
                format!("Add a decision step at the start: {}", quoted(question)),
                decision(question, place),
            )]))
        })
        .collect()
}

/// Whether a step contains the question, because answering it is that step's work: "Write down the
/// answer: why does it fail".
fn is_taken_up(context: &PlanContext<'_>, question: &str) -> bool {
    let plain = |text: &str| text.trim_end_matches(['?', '？', '؟']).to_lowercase();
    let question = plain(question);
    let mut steps = context.steps.iter();
    steps.any(|step| plain(step.text.description()).contains(&question))
}

/// Whether a step depends on a decision, explicitly or by its order in the file.
fn waits_for_decision(context: &PlanContext<'_>, step: &Step<'_>) -> bool {
    let decides = |index: usize| {
        context
            .plan
            .tasks
            .get(index)
            .is_some_and(|task| task.kind == TaskKind::Decision)
    };
    match step.task.depends.as_deref() {
        Some(ids) => ids
            .iter()
            .filter_map(|id| context.index_of(id.as_str()))
            .any(decides),
        None => step.index.checked_sub(1).is_some_and(decides),
    }
}

fn answers(context: &PlanContext<'_>, task: &Task, question: &str) -> Vec<Fix> {
    let is_only = context
        .index_of(task.id.as_str())
        .is_some_and(|index| context.plan.tasks[index].line == task.line);
    if !is_only || task.is_group() {
        return Vec::new();
    }
    let decide = Fix {
        label: "Add a decision step before it".to_owned(),
        mends: vec![
            decision(question, Place::Before(task.id.clone())),
            Mend::Connect {
                from: TaskId::from("+1"),
                to: task.id.clone(),
            },
        ],
    };
    let assume = Fix::of(
        "Note the suggested answer as an assumption",
        Mend::AddValue {
            task: task.id.clone(),
            key: "assume".to_owned(),
            value: format!("the answer to “{}” is yes", question.trim_end_matches('?')),
        },
    );
    vec![decide, assume]
}

fn decision(question: &str, place: Place) -> Mend {
    let title =
        question.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | '-'));
    Mend::AddTask {
        handle: TaskId::from("+1"),
        place,
        kind: TaskKind::Decision,
        title: crate::coverage::capitalized(title),
        fields: Vec::new(),
    }
}

/// The first open question in a text, as written.
pub(crate) fn open_question(text: &str) -> Option<&str> {
    let has_mark = text.contains(['?', '？']);
    if !has_mark && !may_leave_open(text) {
        return None;
    }
    let mut in_fence = false;
    let coded = in_code(text);
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end_matches(['\n', '\r']);
        let coded = &coded[start..start + line.len()];
        start += whole.len();
        let words = line.trim_start();
        if words.starts_with("```") || words.starts_with("~~~") {
            in_fence = !in_fence;
            continue;
        }
        if in_fence || words.starts_with('>') {
            continue;
        }
        if let Some(found) = in_line(line, coded) {
            return Some(found);
        }
    }
    None
}

/// A quick byte scan that spares most texts the regular expression: whether a word begins like a
/// phrase that the expression matches. Accented words and other scripts are left to the expression.
fn may_leave_open(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut is_inside = false;
    for (at, byte) in bytes.iter().enumerate() {
        if !byte.is_ascii() {
            return true;
        }
        let is_letter = byte.is_ascii_alphabetic();
        if is_letter && !is_inside {
            let roots: &[&[u8]] = match byte | 32 {
                b'd' => &[b"decid", b"determin", b"defin"],
                b'u' => &[b"unclear", b"undecid", b"undeterm", b"unklar"],
                b's' => &[b"sure"],
                b'o' => &[b"open q", b"offen"],
                b'f' => &[b"figure o"],
                b'c' => &[b"clear", b"clarif", b"choos", b"chosen", b"confirmed"],
                b'k' => &[b"klar"],
                b'e' => &[b"entsch"],
                b'a' => &[b"agreed"],
                _ => &[],
            };
            let begins = |root: &&[u8]| {
                bytes
                    .get(at..at + root.len())
                    .is_some_and(|word| word.eq_ignore_ascii_case(root))
            };
            if roots.iter().any(begins) {
                return true;
            }
        }
        is_inside = is_letter;
    }
    false
}

fn in_line<'t>(line: &'t str, coded: &[bool]) -> Option<&'t str> {
    static PHRASES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)\b(?:(?:is |are |still |yet |left )*to be (?:decided|determined|clarified|agreed|discussed|chosen|confirmed)|not (?:yet )?(?:decided|sure|clear)\b|(?:still|yet) (?:unclear|undecided|open)|undecided|(?:it is |it's )?unclear (?:whether|if|how|which|what)|open questions?\s*:|(?:need|have) to (?:decide|figure out)|decide (?:later|on the way|whether|if|which|how|what|between|on (?:a|an|the))\b|figure out (?:whether|if|how|which|what|where)|choose (?:between|later)|(?:noch )?zu (?:klären|entscheiden)|noch (?:offen|unklar)|entscheiden,? (?:ob|welche)|à (?:décider|définir|voir)|por (?:decidir|definir))[^.;!?]*|待定|未定",
        )
        .ok()
    });
    let mut quoted = in_quotes(line);
    quoted
        .iter_mut()
        .zip(coded)
        .for_each(|(quoted, coded)| *quoted |= coded);
    // The start of the current question, whether it contains words, and the start of its last word.
    let (mut start, mut has_words, mut word) = (0, false, 0);
    // A "?" in a call's argument is not a question: "f(root?)".
    let (mut before, mut in_call) = (' ', false);
    let asked = line.char_indices().find_map(|(at, c)| {
        let after = at + c.len_utf8();
        let is_asked = matches!(c, '?' | '？')
            && has_words
            && !quoted[at]
            && !in_call
            && ends_sentence(line, after)
            && !is_address(&line[word..at]);
        has_words |= c.is_alphanumeric();
        match c {
            '.' | ';' | '!' | '(' | ':' | ',' => (start, has_words) = (after, false),
            _ => {}
        }
        match c {
            '(' => in_call = before.is_ascii_alphanumeric(),
            ')' => in_call = false,
            _ => {}
        }
        before = c;
        if matches!(c, ' ' | '(' | '<') {
            word = after;
        }
        is_asked.then(|| line[start..after].trim())
    });
    asked.or_else(|| {
        PHRASES
            .as_ref()?
            .find_iter(line)
            .find(|found| !quoted[found.start()])
            .map(|found| found.as_str().trim())
    })
}

/// "a?b" is not a question; "which one?)" is.
fn ends_sentence(line: &str, after: usize) -> bool {
    line[after..]
        .chars()
        .next()
        .is_none_or(|c| c.is_whitespace() || matches!(c, ')' | '?' | '!' | '*' | '_' | '"' | '”'))
}

fn is_address(word: &str) -> bool {
    word.contains("://") || word.starts_with("www.") || word.starts_with('/')
}

/// Marks the bytes inside backticks. The closing backtick may be on a later line of the same
/// paragraph.
fn in_code(text: &str) -> Vec<bool> {
    let mut inside = vec![false; text.len()];
    let mut at = 0;
    for paragraph in text.split("\n\n") {
        let ticks: Vec<usize> = paragraph
            .match_indices('`')
            .map(|(tick, _)| at + tick)
            .collect();
        for pair in ticks.chunks_exact(2) {
            inside[pair[0]..pair[1]].fill(true);
        }
        at += paragraph.len() + 2;
    }
    inside
}

/// Marks the bytes in backticks or quotes.
fn in_quotes(line: &str) -> Vec<bool> {
    let mut inside = vec![false; line.len()];
    let mut close: Option<char> = None;
    let last = ['`', '"', '”', '»', '」'].map(|sign| (sign, line.rfind(sign)));
    for (at, c) in line.char_indices() {
        match close {
            Some(sign) if sign == c => close = None,
            Some(_) => inside[at..at + c.len_utf8()].fill(true),
            None => {
                let sign = match c {
                    '`' | '"' => c,
                    '“' | '„' => '”',
                    '«' => '»',
                    '「' => '」',
                    _ => continue,
                };
                let is_closed = |(known, last): &(char, Option<usize>)| {
                    *known == sign && last.is_some_and(|last| last > at)
                };
                if last.iter().any(is_closed) {
                    close = Some(sign);
                }
            }
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_questions_are_found() {
        for (text, question) in [
            (
                "Store the theme (or should that be per user?)",
                "or should that be per user?",
            ),
            ("Pick a library. Which one?", "Which one?"),
            ("Cache pages, size to be decided", "to be decided"),
            (
                "Decide whether rows are sorted and sort them",
                "Decide whether rows are sorted and sort them",
            ),
            ("Add retries, not sure how many", "not sure how many"),
            ("Speicherort noch offen", "noch offen"),
            ("Format à définir", "à définir"),
            ("存储格式待定", "待定"),
        ] {
            assert_eq!(open_question(text), Some(question), "{text}");
        }
    }

    #[test]
    fn other_question_marks_are_ignored() {
        for text in [
            "Match `colou?r` in the search",
            "Open https://example.org/a?b=c and copy the address",
            "Add the form \"Forgot password?\" to the start page",
            "Make the field `name?: string` optional",
            "Decide by the size of the file and load it",
            "Implement listChanges(root?) and listSpecs(root?)",
            "Clear the cache and make sure of the order",
            "```\nwhy?\n```\nPrint it",
            "Add `fn a(b: c?,\nd: e?)` and `f?` to the class",
        ] {
            assert_eq!(open_question(text), None, "{text}");
        }
    }
}
