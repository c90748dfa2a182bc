//! The text of a request for a single change.

use super::schema;
use super::{Act, Asked, Case, EditForm};
use crate::change_review::quoted;
use crate::context::ItemKind;
use crate::envelope::{clipped, one_line};
use crate::model_step::step_tools;
use crate::model_step::work::Work;
use crate::session::message::{Message, Part};

/// Maximum bytes of a step's own text other than its title.
const BODY: usize = 600;
/// Maximum bytes of one line of the step's text, and of one line of check output.
const LINE: usize = 240;
/// Maximum bytes of results and notes from earlier steps.
const KNOWN: usize = 900;
/// Tokens in a reply in addition to the text that it inserts.
const AROUND: u32 = 80;

const CHANGE: &str = "You carry out one step in a project folder. Answer with one call.";
const BLOCK: &str =
    "You carry out one step in a project folder. Answer with the whole new file in one code block";

pub(super) fn asked(case: Case<'_>, most: u32) -> Asked {
    let schema = schema::of(&case);
    let bound = u32::try_from(schema::bound(&case)).unwrap_or(u32::MAX);
    let tokens = AROUND
        + match case.way {
            // A token has about three characters, fewer in languages other than English.
            EditForm::Free | EditForm::Whole => bound / 2,
            // A single digit can be a token, and even the longest reply must be able to end by
            // itself.
            EditForm::Choice | EditForm::Setting | EditForm::Other | EditForm::Line => bound,
        };
    let system = match schema {
        Some(_) => CHANGE.to_owned(),
        None => {
            let name = case.target.path.rsplit('/').next().unwrap_or_default();
            let kind = name.rsplit_once('.').map_or("", |(_, kind)| kind);
            format!("{BLOCK} that begins with ```{kind}")
        }
    };
    Asked {
        system,
        messages: vec![Message::user(vec![(Part::Plan, words(&case))])],
        max_output_tokens: most.min(tokens),
        act: Act {
            target: case.target.clone(),
            stays: match step_tools::only_adds(&case.title) {
                true => quoted(&case.title).into_iter().map(str::to_owned).collect(),
                false => Vec::new(),
            },
            names: case.values,
            way: case.way,
            schema,
            is_varied: case.is_varied,
        },
    }
}

fn words(case: &Case<'_>) -> String {
    let (task, work, target) = (case.task, case.work, case.target);
    let mut out = Vec::new();
    let known = known(work);
    if !known.is_empty() {
        out.push(known);
    }
    let (path, block) = (&target.path, case.way == EditForm::Whole);
    if let Some(text) = &target.text {
        let mark = if block { "```\n" } else { "" };
        let ended = if text.ends_with('\n') || text.is_empty() {
            ""
        } else {
            "\n"
        };
        out.push(format!("{path}:\n{mark}{text}{ended}{mark}"));
    }
    let mut step = vec![one_line(&case.title, LINE * 2)];
    if !task.body.trim().is_empty() {
        step.push(clipped(task.body.trim(), BODY));
    }
    let accept = task.accept.iter().take(3);
    step.extend(accept.map(|line| format!("It is done when: {}", one_line(line, LINE))));
    if let Some(red) = said_by_check(work)
        .filter(|_| matches!(case.way, EditForm::Free | EditForm::Whole | EditForm::Line))
    {
        step.push(red);
    }
    if block {
        step.push(match target.text {
            Some(_) => format!("Write the whole new {path}."),
            None => format!("Write the content of {path} and nothing else."),
        });
    }
    out.push(step.join("\n"));
    out.join("\n")
}

/// The results of earlier steps and the notes that a person pinned.
fn known(work: &Work) -> String {
    let items = work.context.iter().flat_map(|chosen| &chosen.items);
    let items = items.filter(|item| matches!(item.kind, ItemKind::Summary { .. } | ItemKind::Note));
    let texts: Vec<&str> = items.map(|item| item.text.as_str()).collect();
    clipped(&texts.join("\n"), KNOWN)
}

/// What the check printed after the last change.
fn said_by_check(work: &Work) -> Option<String> {
    let mut told = work
        .rounds
        .all()
        .iter()
        .rev()
        .filter_map(|round| round.told.last());
    let told = told.next().filter(|told| !told.trim().is_empty())?;
    Some(format!("Its check says: {}", one_line(told, LINE)))
}
