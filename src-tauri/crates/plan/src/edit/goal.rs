//! The goal in the front matter.

use super::content::PlanContent;
use super::page::first_matching;
use super::{EditError, Splice};
use crate::inline::single_line;
use crate::lines;
use crate::model::{Plan, Span};

/// Writes the goal, collapsed to one line: over the current one, as a new line in the front matter,
/// or in new front matter. It is quoted if YAML requires it. An empty goal removes the line; the
/// title then serves as the goal. Fails with [`EditError::Misparsed`] if the front matter is
/// invalid YAML and the goal would not parse back.
pub fn set_goal(text: &str, plan: &Plan, goal: &str) -> Result<Vec<Splice>, EditError> {
    let goal = single_line(goal);
    let goal = (!goal.is_empty()).then_some(goal);
    if goal == plan.front.goal {
        return Ok(Vec::new());
    }
    let mut expected = PlanContent::of(text, plan);
    expected.front.goal.clone_from(&goal);
    let ways = match &plan.front.span {
        Some(block) => in_block(text, plan, block, goal.as_deref()),
        None => goal
            .iter()
            .map(|goal| new_block(text, plan, goal))
            .collect(),
    };
    first_matching(text, ways, &expected).ok_or_else(|| EditError::Misparsed {
        what: "goal".to_owned(),
        advice: "correct the front matter at the top of the file first",
    })
}

fn in_block(text: &str, plan: &Plan, block: &Span, goal: Option<&str>) -> Vec<Vec<Splice>> {
    let ending = plan.line_ending;
    let Some((line, whole)) = goal_lines(text, block) else {
        let line = goal.map_or(String::new(), |goal| {
            format!("goal: {}{ending}", yaml(goal))
        });
        let closing = lines::line_start(text, block.end);
        return after_keys(text, block, closing)
            .into_iter()
            .map(|at| {
                vec![Splice {
                    range: at..at,
                    text: line.clone(),
                }]
            })
            .collect();
    };
    let Some(goal) = goal else {
        let end = lines::after_line_end(text, whole.end);
        return vec![vec![Splice {
            range: whole.start..end,
            text: String::new(),
        }]];
    };
    let words = &text[line.clone()];
    let key = words.find(':').map_or(words.len(), |at| at + 1);
    let value = &words[key..];
    let blanks = value.len() - value.trim_start_matches([' ', '\t']).len();
    let blanks = if blanks == 0 { " " } else { &value[..blanks] };
    let new = |comment: &str| {
        vec![Splice {
            range: line.start + key..whole.end,
            text: format!("{blanks}{}{comment}", yaml(goal)),
        }]
    };
    // A comment after the value is kept.
    let remark = (line == whole).then(|| remark(value)).flatten();
    remark.map(new).into_iter().chain([new("")]).collect()
}

/// The usual position of the goal, after the id or version; else the end of the block.
fn after_keys(text: &str, block: &Span, closing: usize) -> Vec<usize> {
    let mut places = Vec::new();
    let mut at = block.start;
    while at < closing {
        let next = lines::after_line_end(text, lines::line_end(text, at));
        if ["id:", "planwright:"]
            .iter()
            .any(|key| text[at..next].starts_with(key))
        {
            places.insert(0, next);
        }
        if next == at {
            break;
        }
        at = next;
    }
    places.truncate(1);
    places.push(closing);
    places
}

/// The line with the key, and the span including continuation lines.
fn goal_lines(text: &str, block: &Span) -> Option<(Span, Span)> {
    let mut at = lines::after_line_end(text, lines::line_end(text, block.start));
    let mut found: Option<(Span, Span)> = None;
    while at < block.end {
        let end = lines::line_end(text, at);
        let line = &text[at..end];
        let continues = line.trim().is_empty() || line.starts_with([' ', '\t']);
        match &mut found {
            Some((_, whole)) if continues => {
                if !line.trim().is_empty() {
                    whole.end = end;
                }
            }
            Some(_) => break,
            None => {
                let key = line
                    .split_once(':')
                    .map(|(key, _)| key.trim_matches(['"', '\'']));
                if key == Some("goal") {
                    found = Some((at..end, at..end));
                }
            }
        }
        let next = lines::after_line_end(text, end);
        if next == end {
            break;
        }
        at = next;
    }
    found
}

/// The comment after a value on one line, with the spaces before it.
fn remark(value: &str) -> Option<&str> {
    let words = value.trim_start_matches([' ', '\t']);
    let from = value.len() - words.len();
    let closing = words.chars().next().filter(|c| matches!(c, '"' | '\''));
    let after = match closing {
        Some(quote) => from + 1 + words[1..].rfind(quote)? + 1,
        None => from,
    };
    let at = after + value[after..].find(" #")?;
    let blanks = value[..at].trim_end_matches([' ', '\t']).len();
    Some(&value[blanks.max(after)..])
}

/// The initial front matter of a new plan: format, id and goal. A plan that has front matter keeps
/// it, and only gets the goal if it has none. Fails like [`set_goal`].
pub fn begin(text: &str, plan: &Plan, id: &str, goal: &str) -> Result<Vec<Splice>, EditError> {
    let goal = goal.split_whitespace().collect::<Vec<_>>().join(" ");
    if plan.front.span.is_some() {
        return match (&plan.front.goal, goal.is_empty()) {
            (None, false) => set_goal(text, plan, &goal),
            _ => Ok(Vec::new()),
        };
    }
    let ending = plan.line_ending;
    let goal = match goal.as_str() {
        "" => String::new(),
        goal => format!("goal: {}{ending}", yaml(goal)),
    };
    let at = front_begins(text);
    Ok(vec![Splice {
        range: at..at,
        text: format!("---{ending}planwright: 1{ending}id: {id}{ending}{goal}---{ending}"),
    }])
}

fn front_begins(text: &str) -> usize {
    if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    }
}

fn new_block(text: &str, plan: &Plan, goal: &str) -> Vec<Splice> {
    let ending = plan.line_ending;
    let at = front_begins(text);
    vec![Splice {
        range: at..at,
        text: format!("---{ending}goal: {}{ending}---{ending}", yaml(goal)),
    }]
}

/// A YAML scalar that every parser reads as this string.
pub(super) fn yaml(text: &str) -> String {
    const WORDS: [&str; 8] = ["true", "false", "yes", "no", "on", "off", "null", "~"];
    let lower = text.to_ascii_lowercase();
    let begins_plain =
        text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '/' | '(' | '„' | '“'));
    let is_plain = begins_plain
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.contains(":\t")
        && !text.ends_with(':')
        && !text.contains(|c: char| {
            c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}')
        })
        && !WORDS.contains(&lower.as_str());
    if is_plain {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if matches!(c, '"' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}
