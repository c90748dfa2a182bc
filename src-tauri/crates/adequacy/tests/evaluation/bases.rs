//! Plans without known defects: one for each goal in the fixtures, and Planwright's own plans.

use std::path::{Path, PathBuf};

use adequacy::{CheckInput, PlanDepth, Report, WorkspaceFacts, check};
use plan::Plan;
use serde_json::Value;

/// A goal whose requirements were written before the plan, and a plan for it.
pub(crate) struct Goal {
    pub(crate) id: String,
    pub(crate) goal: String,
    pub(crate) requirements: Vec<String>,
    steps: Vec<Step>,
}

struct Step {
    title: String,
    /// Numbers of the requirements that the step covers, starting at 1.
    serves: Vec<u64>,
    /// The keys of the step, except dependencies.
    keys: Vec<String>,
    /// Numbers of the steps that it depends on, starting at 1.
    depends: Vec<u64>,
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn words(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn all(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// The goals in the fixtures.
pub(crate) fn goals() -> Vec<Goal> {
    let file = root().join("tests/fixtures/adequacy/goals.json");
    let text = std::fs::read_to_string(file).unwrap();
    let found: Value = serde_json::from_str(&text).unwrap();
    all(&found).map(Goal::of).collect()
}

impl Goal {
    fn of(value: &Value) -> Self {
        let step = |value: &Value| {
            let mut keys = Vec::new();
            let files: Vec<String> = all(&value["files"])
                .map(|file| format!("`{}`", words(file)))
                .collect();
            if !files.is_empty() {
                keys.push(format!("files: {}", files.join(", ")));
            }
            if let Some(verify) = value["verify"].as_str() {
                keys.push(format!("verify: `{verify}`"));
            }
            if let Some(kind) = value["kind"].as_str() {
                keys.push(format!("type: {kind}"));
            }
            Step {
                title: words(&value["title"]),
                serves: all(&value["serves"]).filter_map(Value::as_u64).collect(),
                keys,
                depends: all(&value["depends"]).filter_map(Value::as_u64).collect(),
            }
        };
        Self {
            id: words(&value["id"]),
            goal: words(&value["goal"]),
            requirements: all(&value["requirements"]).map(words).collect(),
            steps: all(&value["tasks"]).map(step).collect(),
        }
    }

    /// The text of the plan file. If `listed` is true, it has a list of requirements and `covers:`
    /// lines; otherwise, only the wording of the goal states the requirements. `without` is the
    /// number of a requirement to forget, starting at 1: steps that serve nothing else are left
    /// out.
    pub(crate) fn plan(&self, listed: bool, without: Option<u64>) -> String {
        let mut text = format!("# {}\n", self.goal.lines().next().unwrap_or_default());
        if self.goal.contains('\n') {
            let lines = self.goal.lines().map(|line| format!("  {line}\n"));
            text = format!(
                "---\nplanwright: 1\ngoal: |\n{}---\n# {}\n",
                lines.collect::<String>(),
                self.id
            );
        }
        if listed {
            text.push_str("\n## Requirements\n");
            for (at, requirement) in (1..).zip(&self.requirements) {
                text.push_str(&format!("- R{at} {requirement}\n"));
            }
        }
        text.push_str("\n## Tasks\n");
        let left_out = |step: &Step| {
            without.is_some_and(|gone| step.serves.contains(&gone) && step.serves.len() == 1)
        };
        let is_gone = |at: u64| {
            let index = usize::try_from(at - 1).unwrap();
            left_out(&self.steps[index])
        };
        for (at, step) in (1..).zip(&self.steps) {
            if left_out(step) {
                continue;
            }
            text.push_str(&format!("- [ ] **T{at}** {}\n", step.title));
            let depends: Vec<String> = step
                .depends
                .iter()
                .filter(|at| !is_gone(**at))
                .map(|at| format!("T{at}"))
                .collect();
            if !depends.is_empty() {
                text.push_str(&format!("  - depends: {}\n", depends.join(", ")));
            }
            for key in &step.keys {
                text.push_str(&format!("  - {key}\n"));
            }
            let covers: Vec<String> = step
                .serves
                .iter()
                .filter(|at| Some(**at) != without)
                .map(|at| format!("R{at}"))
                .collect();
            if listed && !covers.is_empty() {
                text.push_str(&format!("  - covers: {}\n", covers.join(", ")));
            }
        }
        text
    }

    /// Whether a step serves this requirement together with others, so that the requirement cannot
    /// be removed completely.
    pub(crate) fn is_shared(&self, requirement: u64) -> bool {
        self.steps
            .iter()
            .any(|step| step.serves.contains(&requirement) && step.serves.len() > 1)
    }
}

/// A plan that a defect is added to.
pub(crate) struct Base {
    pub(crate) name: String,
    pub(crate) text: String,
    /// The workspace of the plan, with the files that the plan names and the commands that it runs.
    pub(crate) facts: WorkspaceFacts,
}

/// All base plans.
pub(crate) fn bases() -> Vec<Base> {
    let mut bases: Vec<Base> = goals()
        .into_iter()
        .map(|goal| base(goal.id.clone(), goal.plan(true, None)))
        .collect();
    let mut own: Vec<PathBuf> = std::fs::read_dir(root().join("plans"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    own.sort();
    for file in own {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        bases.push(base(name, std::fs::read_to_string(&file).unwrap()));
    }
    bases
}

fn base(name: String, text: String) -> Base {
    let plan = plan::parse(&text).0;
    let called = plan.tasks.iter().flat_map(|task| &task.calls);
    let called = called.filter_map(|call| call.parsed.as_ref().ok()?.path());
    let named = plan.tasks.iter().flat_map(|task| task.files.clone());
    let paths = named.chain(called.map(str::to_owned));
    let facts = WorkspaceFacts {
        paths: Some(paths.collect()),
        commands: plan
            .tasks
            .iter()
            .flat_map(|task| task.verify.clone())
            .take(1)
            .collect(),
        ..WorkspaceFacts::default()
    };
    Base { name, text, facts }
}

/// The report on a plan with this text.
pub(crate) fn report(text: &str, facts: &WorkspaceFacts, before: Option<&str>) -> Report {
    let (plan, problems) = plan::parse(text);
    let before: Option<Plan> = before.map(|text| plan::parse(text).0);
    check(&CheckInput {
        requirements: &[],
        plan: &plan,
        problems: &problems,
        goal: None,
        depth: PlanDepth::Standard,
        scope: &[],
        before: before.as_ref(),
        facts,
        has_model: true,
    })
}
