//! Random plans, as a separate data structure that is rendered to Markdown.
//!
//! The oracle uses this structure and never the parser under test.
//!
//! Long because: generating a plan and rendering it as Markdown are kept together.

use serde_json::{Value, json};

use crate::dice::Dice;

/// The kind of a step: who or what carries it out, or a checkpoint, decision or group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The program, which executes the step's `call:` lines.
    Calls,
    /// A model.
    Model,
    /// A person.
    Person,
    /// A checkpoint, answered by a person.
    Checkpoint,
    /// A decision, made by a person.
    Decision,
    /// A group of sub-tasks.
    Group,
}

/// The effect of an option. Steps are given by their positions in [`Program::steps`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Leads {
    /// Continues the run.
    Continue,
    /// Ends the run.
    Stop,
    /// Asks the same question again.
    Review,
    /// Skips these steps.
    Skip(Vec<usize>),
    /// Continues with these steps and skips those of the other options.
    Branch(Vec<usize>),
}

/// One `call:` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The name of the tool.
    pub tool: &'static str,
    /// The arguments of the call, as a JSON object.
    pub arguments: Value,
}

/// One step, checkpoint, decision or group.
#[derive(Debug, Clone)]
pub struct Step {
    /// The step's id.
    pub id: String,
    /// The step's title.
    pub title: String,
    /// The position in [`Program::steps`] of the group that contains the step, if any.
    pub parent: Option<usize>,
    /// Who or what carries the step out, or whether it is a checkpoint, decision or group.
    pub kind: Kind,
    /// The positions of the steps in its `depends:` line, if it has one.
    pub depends: Option<Vec<usize>>,
    /// Its `call:` lines.
    pub calls: Vec<Call>,
    /// The commands in its `verify:` lines.
    pub verify: Vec<String>,
    /// The paths in its `files:` line.
    pub files: Vec<String>,
    /// Commands shown in backticks in its title.
    pub shown: Vec<String>,
    /// Numbers of the requirements it covers.
    pub covers: Vec<usize>,
    /// Its options, each with its label and effect.
    pub options: Vec<(String, Leads)>,
    /// For a checkpoint: whether it waits for the person's answer; false writes `confirm: no`.
    pub confirm: bool,
}

/// A generated plan.
#[derive(Debug, Clone)]
pub struct Program {
    /// The steps in document order.
    pub steps: Vec<Step>,
    /// The texts of the requirements R1, R2, …
    pub requirements: Vec<String>,
    /// The value of `strategy:` in the front matter, if it is there.
    pub strategy: Option<&'static str>,
}

/// The features that generated plans may have.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Whether a model carries out steps.
    pub has_model: bool,
    /// Whether the plan may grow during the run.
    pub may_grow: bool,
    /// Whether calls may delete files, which requires asking the person.
    pub may_delete: bool,
    /// Whether several steps may write the same file.
    pub shares_files: bool,
    /// Maximum number of top-level steps.
    pub most: usize,
}

impl Call {
    fn write(path: &str, content: &str) -> Self {
        Self {
            tool: "write_file",
            arguments: json!({"path": path, "content": content}),
        }
    }

    fn run(command: &str) -> Self {
        Self {
            tool: "run_command",
            arguments: json!({ "command": command }),
        }
    }

    /// Whether the call is read-only.
    pub fn only_looks(&self) -> bool {
        matches!(self.tool, "read_file" | "list_files" | "search_files")
    }
}

impl Step {
    /// Whether the step only makes read-only calls and has no checks.
    pub fn only_looks(&self) -> bool {
        self.kind == Kind::Calls
            && self.verify.is_empty()
            && self.calls.iter().all(Call::only_looks)
    }

    /// Whether one of its calls deletes something or runs a command.
    pub fn is_risky(&self) -> bool {
        let risky = |call: &Call| matches!(call.tool, "run_command" | "delete_file");
        self.calls.iter().any(risky)
    }

    /// Whether it asks a question instead of doing work.
    pub fn is_gate(&self) -> bool {
        matches!(self.kind, Kind::Checkpoint | Kind::Decision)
    }
}

impl Program {
    /// Generates a random plan.
    pub fn draw(dice: &mut Dice, shape: Shape) -> Self {
        let requirements = (1..=dice.between(1, 3))
            .map(|n| format!("The file f{n} says what was asked for"))
            .collect();
        let mut program = Self {
            steps: Vec::new(),
            requirements,
            strategy: (shape.may_grow && dice.chance(60)).then_some("iterative"),
        };
        for _ in 0..dice.between(2, shape.most) {
            match dice.roll(100) {
                0..42 => drop(program.push(dice, None, Kind::Calls, shape)),
                42..52 => drop(program.push(dice, None, Kind::Person, shape)),
                52..66 if shape.has_model => drop(program.push(dice, None, Kind::Model, shape)),
                52..76 => program.push_checkpoint(dice),
                76..88 => program.push_decision(dice, shape),
                _ => {
                    let group = program.push(dice, None, Kind::Group, shape);
                    for _ in 0..dice.between(1, 3) {
                        let kind = match dice.roll(10) {
                            0 => Kind::Person,
                            1 => Kind::Checkpoint,
                            _ => Kind::Calls,
                        };
                        program.push(dice, Some(group), kind, shape);
                    }
                }
            }
        }
        program.add_skips(dice);
        for number in 1..=program.requirements.len() {
            let working: Vec<usize> =
                program.places(|step| !step.is_gate() && step.kind != Kind::Group);
            if let Some(place) = dice.pick(&working) {
                program.steps[*place].covers.push(number);
            }
        }
        program
    }

    /// Adds options that skip a later step to some checkpoints.
    fn add_skips(&mut self, dice: &mut Dice) {
        for place in self.places(|step| step.kind == Kind::Checkpoint && !step.options.is_empty()) {
            let later: Vec<usize> = (place + 1..self.steps.len())
                .filter(|at| !self.steps[*at].is_gate())
                .collect();
            if dice.chance(30)
                && let Some(skipped) = dice.pick(&later)
            {
                let leads = Leads::Skip(vec![*skipped]);
                self.steps[place]
                    .options
                    .push(("Without it".to_owned(), leads));
            }
        }
    }

    /// The positions of the steps for which `is_one` returns true.
    pub fn places(&self, is_one: impl Fn(&Step) -> bool) -> Vec<usize> {
        let steps = self.steps.iter().enumerate();
        steps
            .filter(|(_, step)| is_one(step))
            .map(|(at, _)| at)
            .collect()
    }

    /// The position of the step with this id.
    pub fn place(&self, id: &str) -> Option<usize> {
        self.steps.iter().position(|step| step.id == id)
    }

    fn push(&mut self, dice: &mut Dice, parent: Option<usize>, kind: Kind, shape: Shape) -> usize {
        let place = self.steps.len();
        let letter = match kind {
            Kind::Checkpoint => 'C',
            Kind::Decision => 'D',
            _ => 'T',
        };
        let alike = self.steps.iter().filter(|step| step.id.starts_with(letter));
        let id = format!("{letter}{}", alike.count() + 1);
        let file = match shape.shares_files {
            true => format!("f{}", dice.between(1, 4)),
            false => format!("f{place}"),
        };
        let value = format!("v{place}");
        let mut step = Step {
            title: match kind {
                Kind::Calls => format!("Write the value {value} into the file {file}"),
                Kind::Model => format!("Have the file {file} say {value} in one line"),
                Kind::Person => format!("Tell the customer about the value {value}"),
                Kind::Checkpoint => format!("Review what was written before {value}"),
                Kind::Decision => format!("Which value is to follow {value}?"),
                Kind::Group => format!("Everything about the value {value}"),
            },
            id,
            parent,
            kind,
            depends: None,
            calls: Vec::new(),
            verify: Vec::new(),
            files: Vec::new(),
            shown: Vec::new(),
            covers: Vec::new(),
            options: Vec::new(),
            confirm: true,
        };
        if dice.chance(35) {
            // Any earlier step except the enclosing groups.
            let above: Vec<usize> = (0..place).filter(|at| Some(*at) != parent).collect();
            let mut depends: Vec<usize> = (0..dice.between(1, 2))
                .filter_map(|_| dice.pick(&above).copied())
                .collect();
            depends.sort_unstable();
            depends.dedup();
            step.depends = Some(depends).filter(|depends| !depends.is_empty());
        }
        match kind {
            Kind::Calls => fill(&mut step, dice, shape, &file, &value),
            Kind::Model => {
                step.files = vec![file.clone()];
                if dice.chance(60) {
                    step.verify = vec![format!("grep -qx {value} {file}")];
                }
                if dice.chance(30) {
                    let command = format!("make {}.shown", step.id);
                    step.title = format!("{} and run `{command}`", step.title);
                    step.shown = vec![command];
                }
            }
            Kind::Person => {
                if dice.chance(20) {
                    step.verify = vec!["true".to_owned()];
                }
                // A command that the person is asked to run.
                if dice.chance(20) {
                    step.calls = vec![Call::run(&format!("make {}.0", step.id))];
                }
            }
            _ => {}
        }
        self.steps.push(step);
        place
    }

    fn push_checkpoint(&mut self, dice: &mut Dice) {
        let shape = Shape {
            has_model: false,
            may_grow: false,
            may_delete: false,
            shares_files: false,
            most: 0,
        };
        let place = self.push(dice, None, Kind::Checkpoint, shape);
        let step = &mut self.steps[place];
        step.confirm = !dice.chance(10);
        if dice.chance(60) {
            step.options.push(("Continue".to_owned(), Leads::Continue));
        }
        if !step.options.is_empty() && dice.chance(30) {
            step.options
                .push(("Let me review first".to_owned(), Leads::Review));
        }
        if !step.options.is_empty() && dice.chance(30) {
            step.options.push(("Enough".to_owned(), Leads::Stop));
        }
    }

    fn push_decision(&mut self, dice: &mut Dice, shape: Shape) {
        let decision = self.push(dice, None, Kind::Decision, shape);
        let mut branches = vec![Vec::new(), Vec::new()];
        let count = dice.between(2, 3);
        for n in 0..count {
            let place = self.push(dice, None, Kind::Calls, shape);
            self.steps[place].depends = dice.chance(60).then(|| vec![decision]);
            branches[n % 2].push(place);
        }
        // Sometimes one step belongs to both branches.
        if dice.chance(20)
            && let Some(shared) = branches[0].first().copied()
        {
            branches[1].push(shared);
        }
        for (label, branch) in ["The first", "The second"].into_iter().zip(branches) {
            let option = (label.to_owned(), Leads::Branch(branch));
            self.steps[decision].options.push(option);
        }
    }

    /// The plan as Markdown.
    pub fn text(&self) -> String {
        let mut text =
            "---\nplanwright: 1\ngoal: Have the files say what was asked for\n".to_owned();
        if let Some(strategy) = self.strategy {
            text.push_str(&format!("strategy: {strategy}\n"));
        }
        text.push_str(
            "---\n# Have the files say what was asked for\n\nKeep the names.\n\n## Requirements\n",
        );
        for (at, words) in self.requirements.iter().enumerate() {
            text.push_str(&format!("- R{} {words}\n", at + 1));
        }
        text.push_str("\n## Tasks\n");
        for step in &self.steps {
            text.push_str(&self.step_text(step));
        }
        text.push_str("\n## Notes\nNothing yet.\n");
        text
    }

    fn step_text(&self, step: &Step) -> String {
        let indent = if step.parent.is_some() { "  " } else { "" };
        let ids = |places: &[usize]| {
            let ids = places.iter().map(|place| self.steps[*place].id.as_str());
            ids.collect::<Vec<_>>().join(", ")
        };
        let mut lines = vec![format!("- [ ] **{}** {}", step.id, step.title)];
        let mut key = |key: &str, value: &str| lines.push(format!("  - {key}: {value}"));
        match step.kind {
            Kind::Checkpoint => key("type", "checkpoint"),
            Kind::Decision => key("type", "decision"),
            Kind::Person => key("by", "person"),
            _ => {}
        }
        if let Some(depends) = &step.depends {
            key("depends", &ids(depends));
        }
        for file in &step.files {
            key("files", &format!("`{file}`"));
        }
        if !step.covers.is_empty() {
            let covers: Vec<String> = step.covers.iter().map(|n| format!("R{n}")).collect();
            key("covers", &covers.join(", "));
        }
        for call in &step.calls {
            key("call", &format!("`{} {}`", call.tool, call.arguments));
        }
        for line in &step.verify {
            key("verify", &format!("`{line}`"));
        }
        if !step.confirm {
            key("confirm", "no");
        }
        for (label, leads) in &step.options {
            let leads = match leads {
                Leads::Continue => "continue".to_owned(),
                Leads::Stop => "stop".to_owned(),
                Leads::Review => "review".to_owned(),
                Leads::Skip(places) => format!("skip {}", ids(places)),
                Leads::Branch(places) => ids(places),
            };
            key("option", &format!("{label} -> {leads}"));
        }
        lines
            .iter()
            .map(|line| format!("{indent}{line}\n"))
            .collect()
    }
}

/// Adds calls and checks to a step of kind `Calls`.
fn fill(step: &mut Step, dice: &mut Dice, shape: Shape, file: &str, value: &str) {
    for number in 0..dice.between(1, 3) {
        let call = match dice.roll(100) {
            0..40 => Call::write(file, value),
            40..75 => Call::run(&format!("make {}.{number}", step.id)),
            75..82 if shape.may_delete => Call {
                tool: "delete_file",
                arguments: json!({ "path": file }),
            },
            75..90 => Call {
                tool: "read_file",
                arguments: json!({ "path": file }),
            },
            _ => Call {
                tool: "list_files",
                arguments: json!({}),
            },
        };
        step.calls.push(call);
    }
    let last = step.calls.iter().rfind(|call| !call.only_looks());
    let is_written = last.is_some_and(|call| call.tool == "write_file");
    if is_written && dice.chance(60) {
        step.verify.push(format!("grep -qx {value} {file}"));
    } else if !step.only_looks() && dice.chance(20) {
        step.verify.push("true".to_owned());
    }
}
