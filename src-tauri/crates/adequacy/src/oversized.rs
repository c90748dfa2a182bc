//! Finds steps that should be split: a step with several verbs, with many files in different
//! folders, with the highest complexity, or about "everything".

use std::collections::HashSet;
use std::sync::LazyLock;

use plan::edit::Place;
use plan::{Task, TaskId, TaskKind};
use regex::Regex;

use crate::code::{Code, Severity};
use crate::coverage::capitalized;
use crate::goal;
use crate::mend::{Fix, Mend};
use crate::plan_context::{PlanContext, Step};
use crate::report::{Finding, place_first, quoted};
use crate::task_text::says_check;
use crate::verbs::WorkKind;

/// The finding about a step that is too large.
pub(crate) fn finding(context: &PlanContext<'_>, step: &Step<'_>) -> Option<Finding> {
    let task = step.task;
    let why = reason(step).filter(|_| !context.lists_criteria)?;
    let message = format!(
        "{} ({}) is too large for one step ({why}): split it into steps that can be checked one by one.",
        place_first(task),
        quoted(&task.title)
    );
    let finding = Finding::for_task(
        task,
        step.text.identity(),
        Code::OversizedTask,
        Severity::Minor,
    )
    .with_message(message);
    Some(finding.with_fixes(split(context, task)))
}

fn reason(step: &Step<'_>) -> Option<String> {
    const LARGEST: u8 = 10;
    const MANY_FILES: usize = 8;
    const FOLDERS: usize = 3;
    const JOINED: usize = 3;
    let task = step.task;
    if task
        .complexity
        .is_some_and(|complexity| complexity >= LARGEST)
    {
        return Some(format!("its complexity is {LARGEST}"));
    }
    if task.files.len() >= MANY_FILES {
        let folders: HashSet<&str> = task
            .files
            .iter()
            .map(|file| file.rsplit_once('/').map_or("", |(folder, _)| folder))
            .collect();
        if folders.len() >= FOLDERS {
            return Some(format!(
                "it names {} files in {} folders",
                task.files.len(),
                folders.len()
            ));
        }
    }
    if takes_everything(&task.title) {
        return Some("it covers a whole product at once".to_owned());
    }
    let joined = things(&task.title);
    (joined > JOINED || joined == JOINED && step.complexity >= 7)
        .then(|| format!("it asks for {joined} things"))
}

/// Number of things that a title asks for. The text after a colon counts as one thing, and a part
/// without a verb is another object of the part before it.
fn things(title: &str) -> usize {
    const LABEL: usize = 2;
    let head = title.split_once(": ").map(|(head, _)| head);
    let head = head.filter(|head| head.split_whitespace().count() > LABEL);
    let parts = parts(head.unwrap_or(title));
    let is_work =
        |part: &&String| matches!(WorkKind::of(part), WorkKind::Create | WorkKind::Change);
    1 + parts.iter().skip(1).filter(is_work).count()
}

/// The things that a title asks for. Testing one of them isn't counted as another thing.
pub(crate) fn parts(title: &str) -> Vec<String> {
    // Three parts require two separators. Most titles have fewer, and splitting is expensive.
    let bytes = title.as_bytes();
    let is_joint = |(at, byte): (usize, &u8)| match byte {
        b',' | b';' => true,
        b' ' => bytes[at..].starts_with(b" and ") || bytes[at..].starts_with(b" und "),
        _ => false,
    };
    if !bytes.iter().enumerate().any(is_joint) {
        return vec![title.to_owned()];
    }
    goal::requirements(title)
        .into_iter()
        .map(|part| part.text)
        .collect()
}

fn takes_everything(title: &str) -> bool {
    static EVERYTHING: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i-u)^[ *_(]*(?:re-?write|port|re-?implement|re-?build|migrate|convert|replace|refactor|re-?design|build|implement|create|finish|do)\s+(?:\w+\s+){0,2}?(?:everything|the\s+(?:whole|entire|complete)\s+(?:app|application|product|project|system|code\s?base|plan|backend|frontend|site|website|program)\b|(?:all|every)\s+(?:of\s+)?(?:the\s+)?(?:modules?|services?|screens?|features?|components?|requirements?)\b)",
        )
        .ok()
    });
    let may = title
        .bytes()
        .any(|byte| matches!(byte, b'w' | b'v' | b'a' | b'W' | b'A'));
    may && EVERYTHING
        .as_ref()
        .is_some_and(|everything| everything.is_match(title))
}

/// Splits a step into its parts. Each part depends on the one before it.
pub(crate) fn split(context: &PlanContext<'_>, task: &Task) -> Option<Fix> {
    const MAX_PARTS: usize = 6;
    let parts = parts(&task.title);
    let is_only = context
        .index_of(task.id.as_str())
        .is_some_and(|index| context.plan.tasks[index].line == task.line);
    let is_plain = task.kind == TaskKind::Normal && !task.is_group();
    if parts.len() < 2 || parts.len() > MAX_PARTS || !is_only || !is_plain {
        return None;
    }
    let (first, rest) = parts.split_first()?;
    let mut mends = vec![Mend::SetTitle {
        task: task.id.clone(),
        title: capitalized(first),
    }];
    // The check for the whole step moves to the last part.
    let moved: Vec<(&str, &String)> = task
        .verify
        .iter()
        .map(|line| ("verify", line))
        .chain(task.accept.iter().map(|line| ("accept", line)))
        .collect();
    for key in ["verify", "accept"] {
        if moved.iter().any(|(moved, _)| *moved == key) {
            mends.push(Mend::SetValues {
                task: task.id.clone(),
                key: key.to_owned(),
                values: Vec::new(),
            });
        }
    }
    if let Some(complexity) = task.complexity {
        mends.push(Mend::SetValues {
            task: task.id.clone(),
            key: "complexity".to_owned(),
            values: vec![smaller(complexity).to_string()],
        });
    }
    let mut before = task.id.clone();
    for (nth, part) in rest.iter().enumerate() {
        let handle = TaskId::from(format!("+{}", nth + 1).as_str());
        let mut fields = vec![("depends".to_owned(), before.to_string())];
        fields.extend(
            task.covers
                .iter()
                .map(|id| ("covers".to_owned(), id.clone())),
        );
        if !says_check(part) {
            fields.extend(
                task.files
                    .iter()
                    .map(|file| ("files".to_owned(), file.clone())),
            );
        }
        if task.complexity.is_some_and(|complexity| complexity >= 7) {
            fields.push((
                "complexity".to_owned(),
                smaller(task.complexity.unwrap_or(3)).to_string(),
            ));
        }
        if nth + 1 == rest.len() {
            fields.extend(
                moved
                    .iter()
                    .map(|(key, line)| ((*key).to_owned(), (*line).clone())),
            );
        }
        mends.push(Mend::AddTask {
            handle: handle.clone(),
            place: Place::After(before),
            kind: TaskKind::Normal,
            title: capitalized(part),
            fields,
        });
        before = handle;
    }
    // Tasks that depended on the whole step now depend on its last part.
    let waiting = context.plan.tasks.iter().filter(|other| {
        other
            .depends
            .as_ref()
            .is_some_and(|ids| ids.contains(&task.id))
    });
    mends.extend(waiting.map(|other| Mend::Connect {
        from: before.clone(),
        to: other.id.clone(),
    }));
    Some(Fix {
        label: format!(
            "Split {} into {} steps",
            crate::report::place(task),
            parts.len()
        ),
        mends,
    })
}

fn smaller(complexity: u8) -> u8 {
    (complexity / 2).clamp(1, 5)
}
