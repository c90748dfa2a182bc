//! `command_missing`: commands in `verify:` lines and in calls that the workspace cannot run.
//! Runner targets, files and programs are checked only if the workspace facts list them.

mod lookup;

use std::cell::Cell;
use std::collections::HashSet;

use plan::{CommandLine, Task, ToolName};

use crate::code::{Code, Severity};
use crate::facts::WorkspaceFacts;
use crate::mend::{Fix, Mend};
use crate::plan_context::{PlanContext, Step, paths};
use crate::report::{Finding, place, place_first};
use crate::spans::value_at;
use lookup::{Absent, View, tidy};

/// Maximum number of suggestions in one report.
const MAX_SUGGESTED: usize = 24;

/// Maximum number of fuzzy lookups in one report; most of them find no match.
const MAX_LOOKUPS: usize = 150;

pub(crate) fn findings(context: &PlanContext<'_>) -> Vec<Finding> {
    let facts = context.input.facts;
    if facts.paths.is_none() && facts.programs.is_none() && facts.targets.is_empty() {
        return Vec::new();
    }
    let mut there: HashSet<&str> = HashSet::new();
    let mut findings = Vec::new();
    let mut is_open = true;
    let lookups = Cell::new(MAX_LOOKUPS);
    for step in &context.steps {
        there.extend(paths(step.task).map(tidy));
        let commands = lines(step.task);
        // After a command runs, anything may exist, so later commands are not checked.
        if is_open && findings.len() < MAX_SUGGESTED {
            let found = commands.iter().find_map(|(key, line)| {
                Some((
                    *key,
                    *line,
                    absent(facts, &there, &lookups, step, key, line)?,
                ))
            });
            findings.extend(
                found.map(|(key, line, absent)| finding(context, step, key, line, &absent)),
            );
        }
        is_open &= !commands.iter().any(|(key, _)| *key == "call");
    }
    findings
}

/// The command lines of a step, each with the key it belongs to.
fn lines(task: &Task) -> Vec<(&'static str, &str)> {
    let verify = task.verify.iter().map(|line| ("verify", line.as_str()));
    let parsed = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok());
    let called = parsed
        .filter(|call| call.tool == ToolName::RunCommand)
        .filter_map(|call| Some(("call", call.string("command")?)));
    verify.chain(called).collect()
}

fn absent(
    facts: &WorkspaceFacts,
    there: &HashSet<&str>,
    lookups: &Cell<usize>,
    step: &Step<'_>,
    key: &str,
    line: &str,
) -> Option<Absent> {
    let Some(CommandLine::Argv(words)) = CommandLine::parse(line) else {
        return None;
    };
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .skip_while(|word| is_assignment(word))
        .collect();
    let (program, arguments) = words.split_first()?;
    let view = View {
        facts,
        there,
        lookups,
        step,
        is_run_now: key == "call",
    };
    let found = match *program {
        "npm" | "pnpm" | "yarn" | "bun" => view.script(program, arguments),
        "make" | "gmake" => view.target(
            "make",
            "a target",
            arguments,
            &["Makefile", "makefile", "GNUmakefile"],
        ),
        "just" => view.target(
            "just",
            "a recipe",
            arguments,
            &["justfile", "Justfile", ".justfile"],
        ),
        "cargo" => view.package(arguments),
        "python" | "python3" | "py" => view.python(arguments),
        "pytest" => view.files(arguments),
        "node" | "bash" | "sh" | "zsh" | "ruby" | "deno" | "phpunit" => view.first_file(arguments),
        _ if program.starts_with("./") && program.len() > 2 => view.file(program),
        _ => None,
    };
    found.or_else(|| view.program(program))
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

fn finding(
    context: &PlanContext<'_>,
    step: &Step<'_>,
    key: &str,
    line: &str,
    absent: &Absent,
) -> Finding {
    let task = step.task;
    let Absent { word, what, near } = absent;
    let rest = match near.as_slice() {
        [] => "correct the command, or add a step that creates it.".to_owned(),
        near => format!("did you mean `{}`?", near.join("` or `")),
    };
    let finding = Finding::for_task(
        task,
        step.text.identity(),
        Code::CommandMissing,
        Severity::Major,
    )
    .with_message(format!(
        "{} runs `{line}`, but the workspace does not have {what}: {rest}",
        place_first(task)
    ))
    .at(value_at(task, key, word));
    let fixes = suggested_fixes(context, task, key, line, absent);
    if fixes.len() < 2 {
        return finding.with_fixes(fixes);
    }
    finding
        .with_question(format!(
            "What should {} run instead of `{line}`?",
            place(task)
        ))
        .with_fixes(fixes)
}

fn suggested_fixes(
    context: &PlanContext<'_>,
    task: &Task,
    key: &str,
    line: &str,
    absent: &Absent,
) -> Vec<Fix> {
    let mut fixes: Vec<Fix> = absent
        .near
        .iter()
        .map(|other| {
            let corrected = line.replacen(&absent.word, other, 1);
            replace_command(task, key, line, &corrected)
        })
        .collect();
    if key == "verify" {
        let usual = context
            .input
            .facts
            .commands
            .iter()
            .find(|command| *command != line);
        fixes.extend(usual.map(|usual| replace_command(task, key, line, usual)));
    }
    fixes.truncate(2);
    fixes
}

/// Replaces a command line with another.
fn replace_command(task: &Task, key: &str, line: &str, other: &str) -> Fix {
    let values = match key {
        "verify" => task
            .verify
            .iter()
            .map(|known| {
                if known == line {
                    other.to_owned()
                } else {
                    known.clone()
                }
            })
            .collect(),
        _ => task
            .calls
            .iter()
            .map(|call| call.raw.replace(line, other))
            .collect(),
    };
    Fix::of(
        format!("Run `{other}` instead of `{line}`"),
        Mend::SetValues {
            task: task.id.clone(),
            key: key.to_owned(),
            values,
        },
    )
}
