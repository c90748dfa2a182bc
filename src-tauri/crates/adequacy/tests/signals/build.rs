//! Plans built in code, so that these tests do not depend on Markdown parsing.

use adequacy::{CheckInput, Code, Finding, PlanDepth, Report, WorkspaceFacts, check};
use plan::{
    By, Call, Dialect, Field, FrontMatter, IdOrigin, Plan, Problem, Requirement, Task, TaskId,
    TaskKind, ToolCall,
};

/// An open normal task with a written id and no other content.
pub(crate) fn step(id: &str, title: &str) -> Task {
    Task {
        id_origin: IdOrigin::Written,
        title_span: 0..0,
        ..Task::open(TaskId::from(id), title, 0..title.len(), 0, 0..0)
    }
}

pub(crate) fn checkpoint(id: &str) -> Task {
    Task {
        kind: TaskKind::Checkpoint,
        ..step(id, "Look before it goes on")
    }
}

/// Sets the keys of a task.
pub(crate) trait With: Sized {
    fn after(self, ids: &[&str]) -> Self;
    fn files(self, paths: &[&str]) -> Self;
    fn size(self, complexity: u8) -> Self;
    fn verify(self, line: &str) -> Self;
    fn accept(self, line: &str) -> Self;
    fn call(self, line: &str) -> Self;
    fn covers(self, ids: &[&str]) -> Self;
    fn by_person(self) -> Self;
    fn field(self, key: &str, value: &str, at: usize) -> Self;
}

impl With for Task {
    fn after(mut self, ids: &[&str]) -> Self {
        self.depends = Some(ids.iter().copied().map(TaskId::from).collect());
        self
    }

    fn files(mut self, paths: &[&str]) -> Self {
        self.files = paths.iter().map(|path| (*path).to_owned()).collect();
        self
    }

    fn size(mut self, complexity: u8) -> Self {
        self.complexity = Some(complexity);
        self
    }

    fn verify(mut self, line: &str) -> Self {
        self.verify.push(line.to_owned());
        self
    }

    fn accept(mut self, line: &str) -> Self {
        self.accept.push(line.to_owned());
        self
    }

    fn call(mut self, line: &str) -> Self {
        self.calls.push(Call {
            raw: line.to_owned(),
            line: 0,
            parsed: ToolCall::parse(line),
        });
        self
    }

    fn covers(mut self, ids: &[&str]) -> Self {
        self.covers = ids.iter().map(|id| (*id).to_owned()).collect();
        self
    }

    fn by_person(mut self) -> Self {
        self.by = By::Person;
        self
    }

    fn field(mut self, key: &str, value: &str, at: usize) -> Self {
        self.fields.push(Field {
            key: key.to_owned().into(),
            value: value.to_owned(),
            value_span: at..at + value.len(),
            span: at..at + value.len(),
            line: 0,
        });
        self
    }
}

/// A plan of these tasks, one per line, starting at line 10.
pub(crate) fn plan(goal: &str, tasks: impl IntoIterator<Item = Task>) -> Plan {
    let tasks = tasks
        .into_iter()
        .zip(10..)
        .map(|(task, line)| Task { line, ..task })
        .collect();
    Plan {
        dialect: Dialect::Native,
        front: FrontMatter {
            goal: (!goal.is_empty()).then(|| goal.to_owned()),
            ..FrontMatter::default()
        },
        title: None,
        preamble: 0..0,
        requirements: Vec::new(),
        tasks,
        decisions: Vec::new(),
        decisions_section: None,
        stated_goal: None,
        line_ending: "\n",
    }
}

/// Makes the tasks in `members` sub-tasks of the task at `group`.
pub(crate) fn grouped(mut plan: Plan, group: usize, members: &[usize]) -> Plan {
    plan.tasks[group].children = members.to_vec();
    for &member in members {
        plan.tasks[member].parent = Some(group);
        plan.tasks[member].depth = 1;
    }
    plan
}

pub(crate) fn requiring(mut plan: Plan, texts: &[&str]) -> Plan {
    plan.requirements = texts
        .iter()
        .zip(1..)
        .map(|(text, nth): (&&str, u32)| Requirement {
            id: format!("R{nth}"),
            text: (*text).to_owned(),
            line: nth,
            span: 0..0,
        })
        .collect();
    plan
}

/// The default input of a check: no files in scope, no earlier revision, no facts, and a model
/// available.
pub(crate) struct Ask<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) problems: &'a [Problem],
    pub(crate) depth: PlanDepth,
    pub(crate) scope: &'a [String],
    pub(crate) before: Option<&'a Plan>,
    pub(crate) facts: WorkspaceFacts,
    pub(crate) has_model: bool,
}

impl<'a> Ask<'a> {
    pub(crate) fn about(plan: &'a Plan) -> Self {
        Self {
            plan,
            problems: &[],
            depth: PlanDepth::Standard,
            scope: &[],
            before: None,
            facts: WorkspaceFacts::default(),
            has_model: true,
        }
    }

    pub(crate) fn check(self) -> Report {
        check(&CheckInput {
            plan: self.plan,
            problems: self.problems,
            goal: None,
            requirements: &[],
            depth: self.depth,
            scope: self.scope,
            before: self.before,
            facts: &self.facts,
            has_model: self.has_model,
        })
    }
}

pub(crate) fn report(plan: &Plan) -> Report {
    Ask::about(plan).check()
}

/// The plan codes, by name.
pub(crate) fn plan_codes(report: &Report) -> Vec<&'static str> {
    report
        .adequacy_reason_codes
        .iter()
        .map(|code| code.as_str())
        .collect()
}

/// The codes of one task, by name.
pub(crate) fn codes_of(report: &Report, id: &str) -> Vec<&'static str> {
    let is_of = |finding: &&Finding| {
        finding
            .task
            .as_ref()
            .is_some_and(|task| task.as_str() == id)
    };
    report
        .findings
        .iter()
        .filter(is_of)
        .map(|finding| finding.code.as_str())
        .collect()
}

/// The codes of a plan with a small goal and only this step.
pub(crate) fn codes_of_step(task: Task) -> Vec<&'static str> {
    let id = task.id.to_string();
    codes_of(&report(&plan("Tidy the shop", [task])), &id)
}

pub(crate) fn finding(report: &Report, code: Code) -> &Finding {
    let found = report.findings.iter().find(|finding| finding.code == code);
    found.unwrap_or_else(|| panic!("{code} not raised: {:#?}", report.findings))
}

pub(crate) fn close(left: f64, right: f64) -> bool {
    (left - right).abs() < 5e-5
}
