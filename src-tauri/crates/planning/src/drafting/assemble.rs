//! Assembles the plan file from a draft's steps: code fills in ids, front matter, requirements,
//! order and checks.
//!
//! The plan's skeleton is the same as the symbolic planner's. Steps and their lines are added
//! through [`plan::edit`], which validates each edit and refuses any that would be parsed
//! differently than intended; a refused value is simplified, or left out and reported.

use std::collections::HashMap;

use adequacy::WorkspaceFacts;
use adequacy::goal::{first_word, is_imperative};
use plan::edit::{self, EditError, NewTask, Place, Splice};
use plan::{ChoiceEffect, Plan, TaskId, TaskKind, ToolName};

use super::sanitize;
use super::step::{DraftKind, DraftStep, plain};
use super::validation::{Check, Validator};
use crate::context::Context;
use crate::intake::Intake;
use crate::solver::draft;
use crate::text;

/// The inputs of a plan, except for its steps.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// The parsed goal.
    pub intake: &'a Intake,
    /// The survey of the workspace.
    pub context: &'a Context,
    /// The facts about the workspace, which paths and commands are checked against.
    pub facts: &'a WorkspaceFacts,
    /// One paragraph on the approach; may be empty.
    pub approach: &'a str,
    /// Assumptions, written in the first step.
    pub assumptions: &'a [String],
    /// Maximum number of steps to include.
    pub most: usize,
    /// The suffix for the plan's id.
    pub suffix: &'a str,
}

/// An assembled plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assembled {
    /// The text of the plan file.
    pub text: String,
    /// The plan's id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The number of steps that were included.
    pub steps: usize,
    /// The rejected parts of the draft, one sentence each.
    pub rejected: Vec<String>,
}

/// Maximum number of values per key.
const MAX_VALUES: usize = 8;

/// Writes the plan. A draft without steps gives a plan without steps.
pub fn assemble(steps: &[DraftStep], material: &Material<'_>) -> Assembled {
    let id = draft::id(&material.intake.goal, material.suffix);
    let title = draft::title(&material.intake.goal);
    let text = draft::write(&draft::Parts {
        id: &id,
        title: &title,
        intake: material.intake,
        guidance: &material.context.guidance,
        notes: &material.context.limits,
        assumptions: &[],
        prose: "",
        steps: Vec::new(),
        checks: &[],
    });
    let mut writer = PlanWriter {
        plan: plan::parse(&text).0,
        text,
        known: Validator::of(material.facts),
        names: HashMap::new(),
    };
    writer.approach(material.approach);
    let taken = steps.len().min(material.most);
    if taken < steps.len() {
        let more = steps.len() - taken;
        let said = format!("steps over the limit of {}: {more}", material.most);
        writer.known.rejected.push(said);
    }
    // Add all steps first, so that a line can refer to any of them.
    let mut written: Vec<(TaskId, &DraftStep)> = Vec::new();
    for (at, step) in steps.iter().enumerate().take(taken) {
        let last = written.last().map(|(id, _)| id.clone());
        if let Some(id) = writer.step(step, last) {
            writer.name(step, at, &id);
            written.push((id, step));
        }
    }
    for (id, step) in &written {
        writer.lines(id, step, material);
    }
    if let Some((first, _)) = written.first() {
        let lines = material.assumptions.iter();
        let lines = lines.map(|line| sanitize::sentence(line, sanitize::MAX_LINE_LEN));
        writer.field(first, "assume", lines.collect());
    }
    Assembled {
        text: writer.text,
        id,
        title,
        steps: written.len(),
        rejected: writer.known.rejected,
    }
}

struct PlanWriter<'a> {
    text: String,
    plan: Plan,
    known: Validator<'a>,
    /// Maps the names that the draft uses for its steps to their ids in the plan.
    names: HashMap<String, TaskId>,
}

impl PlanWriter<'_> {
    /// Applies an edit; `false` if it was refused.
    fn change(&mut self, splices: Result<Vec<Splice>, EditError>) -> bool {
        let Ok(applied) = splices.and_then(|splices| edit::apply(&self.text, &splices)) else {
            return false;
        };
        self.plan = plan::parse(&applied.text).0;
        self.text = applied.text;
        true
    }

    fn approach(&mut self, approach: &str) {
        const MAX_APPROACH_LEN: usize = 800;
        let paragraph = sanitize::sentence(approach, MAX_APPROACH_LEN);
        if paragraph.is_empty() {
            return;
        }
        // Keep the introduction that code wrote, after this text.
        let own = edit::intro(&self.text, &self.plan)
            .and_then(|span| self.text.get(span))
            .unwrap_or_default()
            .trim();
        let intro = match own {
            "" => paragraph,
            own => format!("{paragraph}\n\n{own}"),
        };
        let splices = edit::set_intro(&self.text, &self.plan, &intro);
        self.change(splices);
    }

    /// Adds a step after the last one and returns its id.
    fn step(&mut self, step: &DraftStep, last: Option<TaskId>) -> Option<TaskId> {
        let place = last.map_or(Place::First, Place::After);
        let kind = match &step.kind {
            DraftKind::Work => TaskKind::Normal,
            DraftKind::Checkpoint => TaskKind::Checkpoint,
            DraftKind::Decision(_) => TaskKind::Decision,
        };
        let titles = [sanitize::title(&step.what), sanitize::plainest(&step.what)];
        for title in titles.into_iter().filter(|title| !title.is_empty()) {
            let new = NewTask { title, kind };
            let Ok(named) = edit::add_task(&self.text, &self.plan, &place, &new) else {
                continue;
            };
            if self.change(Ok(named.splices)) {
                return Some(named.id);
            }
        }
        let said = sanitize::plainest(&step.what);
        self.known.rejected.push(format!("invalid step “{said}”"));
        None
    }

    /// Records the names by which later lines may refer to a step: its id in the draft, its
    /// position, its title.
    fn name(&mut self, step: &DraftStep, at: usize, id: &TaskId) {
        let place = (at + 1).to_string();
        for name in [normalized_name(&step.id), place, plain(&step.what)] {
            if !name.is_empty() {
                self.names.entry(name).or_insert_with(|| id.clone());
            }
        }
    }

    fn named(&self, name: &str) -> Option<TaskId> {
        let name = normalized_name(name);
        let by_number = || {
            let digits = name.trim_start_matches(|c: char| c.is_alphabetic() || " #-_".contains(c));
            (!digits.is_empty() && digits.len() < name.len()).then_some(digits)
        };
        self.names
            .get(&name)
            .or_else(|| self.names.get(&plain(&name)))
            .or_else(|| self.names.get(by_number()?))
            .cloned()
    }

    fn lines(&mut self, id: &TaskId, step: &DraftStep, material: &Material<'_>) {
        let depends: Vec<TaskId> = step
            .depends
            .iter()
            .filter_map(|name| self.named(name))
            .collect();
        for from in depends.iter().filter(|from| *from != id) {
            // Dependencies that would close a cycle are refused, so keep at least those on earlier
            // steps.
            let known = self.plan.task(id).and_then(|task| task.depends.clone());
            let mut all = known.unwrap_or_default();
            if !all.contains(from) {
                all.push(from.clone());
                let splices = edit::set_depends(&self.text, &self.plan, id, Some(&all));
                self.change(splices);
            }
        }
        let is_work = step.kind == DraftKind::Work;
        let files = match step.files.is_empty() {
            true => self.known.files_in(&step.what),
            false => self.known.files(&step.what, &step.files),
        };
        let mut accept: Vec<String> = sentences(&step.accept);
        let mut verify = Vec::new();
        for line in &step.verify {
            match self.known.check(line) {
                Check::Verify(command) => verify.push(command),
                Check::Accept(text) => accept.push(text),
                Check::Nothing => {}
            }
        }
        if is_work {
            let requirements = &material.intake.requirements;
            let covers = step.covers.iter().map(|id| id.trim().to_uppercase());
            let covers = covers.filter(|id| requirements.iter().any(|known| known.id == *id));
            self.field(id, "files", files.clone());
            self.field(id, "covers", covers.collect());
            self.field(id, "tools", tools(&step.tools));
            let looks = is_read_only(step);
            let size = step.complexity.unwrap_or(if looks { 1 } else { 3 });
            self.field(id, "complexity", vec![size.clamp(1, 10).to_string()]);
            if verify.is_empty() && !looks {
                verify = material.checks_of(&files);
            }
            if looks && accept.is_empty() && verify.is_empty() {
                accept.push("the findings are written down".to_owned());
            }
        }
        self.field(id, "accept", accept);
        if is_work {
            self.field(id, "verify", verify);
        }
        self.field(id, "why", sentences(std::slice::from_ref(&step.why)));
        if let DraftKind::Decision(options) = &step.kind {
            let options = options.iter().filter_map(|option| {
                let label = sanitize::sentence(&option.label.replace("->", "to"), 120);
                let ids = |ids: &[TaskId]| {
                    let ids = ids.iter().filter_map(|id| self.named(id.as_str()));
                    let ids: Vec<String> = ids.map(|id| id.0).collect();
                    ids.join(", ")
                };
                let effect = match &option.effect {
                    ChoiceEffect::Branch(tasks) => ids(tasks),
                    ChoiceEffect::Skip(tasks) => format!("skip {}", ids(tasks)),
                    ChoiceEffect::Continue => "continue".to_owned(),
                    ChoiceEffect::Review => "review".to_owned(),
                    ChoiceEffect::Stop => "stop".to_owned(),
                };
                (!label.is_empty() && !effect.is_empty()).then(|| format!("{label} -> {effect}"))
            });
            let options = options.collect();
            self.field(id, "option", options);
        }
    }

    /// Writes the valid values of a key.
    fn field(&mut self, id: &TaskId, key: &str, values: Vec<String>) {
        let mut values: Vec<String> = values
            .into_iter()
            .filter(|value| !value.is_empty())
            .collect();
        let mut seen = std::collections::HashSet::new();
        values.retain(|value| seen.insert(value.clone()));
        values.truncate(MAX_VALUES);
        if values.is_empty() {
            return;
        }
        let splices = edit::set_field(&self.text, &self.plan, id, key, &values);
        if self.change(splices) {
            return;
        }
        let mut kept: Vec<String> = Vec::new();
        for value in values {
            let mut more = kept.clone();
            more.push(value.clone());
            let splices = edit::set_field(&self.text, &self.plan, id, key, &more);
            match self.change(splices) {
                true => kept = more,
                false => {
                    let said = sanitize::plainest(&value);
                    let said = format!("invalid `{key}` of {id}: “{said}”");
                    self.known.rejected.push(said);
                }
            }
        }
    }
}

impl Material<'_> {
    /// The commands that check changes to these files, if any of the files is in the language of a
    /// project.
    fn checks_of(&self, files: &[String]) -> Vec<String> {
        let projects = &self.context.projects;
        let is_covered = |file: &&String| {
            text::is_code(file)
                && projects
                    .iter()
                    .any(|project| project.kind.covers_language(file))
        };
        let covered: Vec<String> = files.iter().filter(is_covered).cloned().collect();
        match covered.is_empty() {
            true => Vec::new(),
            false => self.context.test_commands(&covered),
        }
    }
}

/// A step reference in lower case, without surrounding markup.
fn normalized_name(name: &str) -> String {
    let is_around = |c: char| !c.is_alphanumeric();
    name.trim_matches(is_around).to_lowercase()
}

fn sentences(said: &[String]) -> Vec<String> {
    let lines = said
        .iter()
        .map(|line| sanitize::sentence(line, sanitize::MAX_LINE_LEN));
    lines.collect()
}

fn tools(named: &[String]) -> Vec<String> {
    let known = named.iter().filter_map(|name| ToolName::from_name(name));
    known.map(|tool| tool.as_str().to_owned()).collect()
}

/// Whether a step is read-only: its tools only read, or its first word is a verb such as "read" or
/// "find".
fn is_read_only(step: &DraftStep) -> bool {
    const READ_VERBS: &str = "read find search look locate list inspect review examine understand \
                         explore identify study determine check analyze analyse investigate";
    let known: Vec<ToolName> = step
        .tools
        .iter()
        .filter_map(|name| ToolName::from_name(name))
        .collect();
    if !known.is_empty() {
        return known.iter().all(|tool| tool.is_read_only());
    }
    let what = sanitize::title(&step.what).to_lowercase();
    let looks = |word: &str| crate::among(word, READ_VERBS);
    // A second verb may be a change: "Read the flag and print with it".
    let changes = [" and ", " then ", ", "].iter().any(|joint| {
        what.split(joint).skip(1).any(|part| {
            let word = first_word(part);
            is_imperative(&word) && !looks(&word)
        })
    });
    looks(&first_word(&what)) && !changes
}
