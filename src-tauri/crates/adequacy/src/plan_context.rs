//! A plan prepared for the rules: its steps, their texts, and an index of ids.

use std::sync::OnceLock;

use plan::graph::Graph;
use plan::{Dialect, Plan, Requirement, Task, TaskKind};
use rayon::prelude::*;

use crate::goal::{self, Goal};
use crate::report::CheckInput;
use crate::size::{goal_complexity, task_floor};
use crate::task_text::{TaskText, is_real_path};
use crate::verification::{has_acceptance, runs_check};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A step: a normal task without sub-tasks, of the kind that counts toward the minimum number of
/// steps.
pub(crate) struct Step<'a> {
    pub(crate) index: usize,
    pub(crate) task: &'a Task,
    pub(crate) text: TaskText,
    /// Complexity, 1 to 10.
    pub(crate) complexity: u8,
    /// Whether the step names a real file.
    pub(crate) is_linked: bool,
    /// Whether the step has its own check.
    pub(crate) is_proved: bool,
    /// Whether the step has a check command that can fail.
    pub(crate) runs_check: bool,
}

/// Plans with at least this many steps are checked on several threads, which would not speed up
/// smaller plans.
const PARALLEL_STEPS: usize = 1_000;

/// A plan prepared for the rules.
pub(crate) struct PlanContext<'a> {
    pub(crate) input: CheckInput<'a>,
    pub(crate) plan: &'a Plan,
    pub(crate) goal: Option<&'a str>,
    /// The parsed goal; empty if the plan has no goal.
    pub(crate) asked: Goal,
    pub(crate) steps: Vec<Step<'a>>,
    /// Whether the checkboxes are acceptance criteria rather than steps, as in a file in which a
    /// task tracker keeps one task.
    pub(crate) lists_criteria: bool,
    pub(crate) complexity: u32,
    pub(crate) floor: u32,
    indices: FxHashMap<&'a str, usize>,
    graph: OnceLock<Graph>,
}

/// The part of a goal that is evaluated: its first 32 KiB, which is more than a person would write.
fn judged(goal: &str) -> &str {
    const MAX_GOAL_LEN: usize = 32 * 1024;
    &goal[..goal.floor_char_boundary(MAX_GOAL_LEN)]
}

impl<'a> PlanContext<'a> {
    pub(crate) fn of(input: &CheckInput<'a>) -> Self {
        let plan = input.plan;
        let goal = input
            .goal
            .or_else(|| plan.goal())
            .filter(|goal| !goal.trim().is_empty())
            .map(judged);
        let asked = goal.map(goal::read).unwrap_or_default();
        let complexity = goal_complexity(goal.map(|goal| (goal, &asked)), input.scope.len());
        let mut indices = FxHashMap::with_capacity_and_hasher(plan.tasks.len(), FxBuildHasher);
        for (index, task) in plan.tasks.iter().enumerate() {
            indices.entry(task.id.as_str()).or_insert(index);
        }
        Self {
            input: *input,
            plan,
            goal,
            asked,
            steps: steps(plan),
            lists_criteria: is_of_tracker(plan),
            complexity,
            floor: task_floor(complexity, input.depth),
            indices,
            graph: OnceLock::new(),
        }
    }

    /// The listed requirements: given by the caller, or listed in the plan or in files next to it.
    pub(crate) fn listed(&self) -> &'a [Requirement] {
        match (self.input.requirements, &self.plan.requirements[..]) {
            ([], []) => &self.input.facts.requirements,
            ([], own) => own,
            (given, _) => given,
        }
    }

    /// Whether the listed requirements are in files next to the plan.
    pub(crate) fn lists_in_other_files(&self) -> bool {
        self.input.requirements.is_empty() && self.plan.requirements.is_empty()
    }

    /// Whether the listed requirements are in the plan itself.
    pub(crate) fn lists_in_plan(&self) -> bool {
        self.input.requirements.is_empty() && !self.plan.requirements.is_empty()
    }

    /// The listed requirements that a step names in `covers:`. If the caller gave a list and the
    /// plan has its own, the ids refer to the plan's list, so the result is empty.
    pub(crate) fn covers<'t>(&self, task: &'t Task) -> &'t [String] {
        let is_of_another =
            !self.input.requirements.is_empty() && !self.plan.requirements.is_empty();
        if is_of_another { &[] } else { &task.covers }
    }

    /// Evaluates two independent sets of rules, in parallel if the plan is large.
    pub(crate) fn both<A: Send, B: Send>(
        &self,
        one: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        match self.steps.len() < PARALLEL_STEPS {
            true => (one(), other()),
            false => rayon::join(one, other),
        }
    }

    /// The dependency graph, which is created when first used.
    pub(crate) fn graph(&self) -> &Graph {
        self.graph.get_or_init(|| Graph::of(self.plan))
    }

    /// The step with this task index, if that task is a step.
    pub(crate) fn step_at(&self, index: usize) -> Option<&Step<'a>> {
        let found = self.steps.binary_search_by_key(&index, |step| step.index);
        found.ok().map(|at| &self.steps[at])
    }

    /// Index of the first task with this id.
    pub(crate) fn index_of(&self, id: &str) -> Option<usize> {
        self.indices.get(id).copied()
    }

    /// Whether the goal and the steps use the same script, so that their words can be compared.
    pub(crate) fn has_words_in_common_script(&self) -> bool {
        let is_latin = |c: char| c.is_ascii_alphabetic();
        let is_other = |c: char| c as u32 >= 0x0370 && c.is_alphabetic();
        let is_mostly_other = |text: &str| {
            text.chars().filter(|c| is_other(*c)).count()
                > text.chars().filter(|c| is_latin(*c)).count()
        };
        let goal = self.goal.is_some_and(is_mostly_other);
        // A sample of the steps is enough.
        const SAMPLE: usize = 20;
        let steps = self.steps.iter().take(SAMPLE);
        let other = steps
            .filter(|step| is_mostly_other(&step.task.title))
            .count();
        let sample = self.steps.len().min(SAMPLE);
        if goal {
            other * 2 >= sample
        } else {
            other * 2 <= sample
        }
    }

    /// Whether the run adds steps to the plan, so that its current size isn't final.
    pub(crate) fn is_growing(&self) -> bool {
        self.plan.front.strategy.as_deref() == Some("iterative")
    }
}

/// Whether the front matter is that of a file in which a task tracker keeps one task.
fn is_of_tracker(plan: &Plan) -> bool {
    let has = |key: &str| plan.front.other.iter().any(|(other, _)| other == key);
    plan.dialect == Dialect::Plain && has("status") && (has("assignee") || has("created_date"))
}

/// The normal leaf tasks in document order.
pub(crate) fn steps<'a>(plan: &'a Plan) -> Vec<Step<'a>> {
    let leaves = plan
        .leaves()
        .filter(|(_, task)| task.kind == TaskKind::Normal);
    let step = |(index, task): (usize, &'a Task)| {
        let runs_check = runs_check(task);
        Step {
            index,
            task,
            text: TaskText::of(task),
            complexity: complexity(task),
            is_linked: paths(task).any(is_real_path),
            is_proved: runs_check || has_acceptance(task),
            runs_check,
        }
    };
    if plan.tasks.len() < PARALLEL_STEPS {
        return leaves.map(step).collect();
    }
    let leaves: Vec<(usize, &Task)> = leaves.collect();
    leaves
        .into_par_iter()
        .with_min_len(PARALLEL_STEPS / 2)
        .map(step)
        .collect()
}

/// All paths that a task names.
pub(crate) fn paths(task: &Task) -> impl Iterator<Item = &str> {
    let called = task
        .calls
        .iter()
        .filter_map(|call| call.parsed.as_ref().ok())
        .filter_map(|call| call.path());
    task.files.iter().map(String::as_str).chain(called)
}

/// The complexity of a task, 1 to 10, or a default.
pub(crate) fn complexity(task: &Task) -> u8 {
    const DEFAULT: u8 = 3;
    task.complexity.unwrap_or(DEFAULT)
}
