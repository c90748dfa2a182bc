//! Adds one defect of each kind to plans that don't have it.

use std::collections::{BTreeMap, BTreeSet};

use adequacy::{Code, Mend, WorkspaceFacts, made_on};
use plan::edit::Place;
use plan::{By, Plan, ProblemCode, Task, TaskId, TaskKind};

use crate::bases::Base;

/// A plan to which a defect was added.
pub(crate) struct Made {
    pub(crate) text: String,
    pub(crate) facts: WorkspaceFacts,
    pub(crate) before: Option<String>,
}

/// A kind of defect.
pub(crate) struct Seed {
    /// The expected code.
    pub(crate) code: Code,
    /// Other codes that are acceptable because they describe the defect as well.
    pub(crate) also: &'static [Code],
    /// Adds the defect; `None` if it can't be added to this plan.
    pub(crate) put: fn(&Base) -> Option<Made>,
}

/// A plan to which a defect is being added.
struct Draft<'b> {
    base: &'b Base,
    text: String,
    facts: WorkspaceFacts,
}

impl<'b> Draft<'b> {
    fn of(base: &'b Base) -> Self {
        Self {
            base,
            text: base.text.clone(),
            facts: base.facts.clone(),
        }
    }

    fn plan(&self) -> Plan {
        plan::parse(&self.text).0
    }

    /// The first open step that a model or a command carries out.
    fn step(&self, fits: impl Fn(&Task) -> bool) -> Option<Task> {
        let is_open = |task: &&Task| {
            task.kind == TaskKind::Normal && !task.is_group() && !task.done && task.by != By::Person
        };
        let plan = self.plan();
        plan.tasks
            .iter()
            .filter(is_open)
            .find(|task| fits(task))
            .cloned()
    }

    fn last(&self) -> Option<Task> {
        self.plan().tasks.last().cloned()
    }

    fn make(mut self, mends: &[Mend]) -> Option<Self> {
        self.text = made_on(mends, &self.text, &self.plan()).ok()?;
        Some(self)
    }

    fn done(self) -> Option<Made> {
        (self.text != self.base.text || self.facts != self.base.facts).then_some(Made {
            text: self.text,
            facts: self.facts,
            before: None,
        })
    }

    /// Uses the original plan as the earlier revision.
    fn against_base(self) -> Option<Made> {
        let before = Some(self.base.text.clone());
        self.done().map(|made| Made { before, ..made })
    }

    /// Adds a step that depends on the last one.
    fn with_last(self, title: &str, fields: &[(&str, &str)]) -> Option<Self> {
        let last = self.last()?;
        let mut all = vec![("depends", last.id.as_str())];
        all.extend(fields);
        let mend = added(Place::After(last.id.clone()), title, &all);
        self.make(&[mend])
    }

    /// Removes all lines with these keys.
    fn without(mut self, keys: &[&str]) -> Self {
        let is_kept = |line: &&str| {
            let line = line.trim_start().trim_start_matches("- ");
            !keys.iter().any(|key| line.starts_with(&format!("{key}:")))
        };
        let lines: Vec<&str> = self.text.lines().filter(is_kept).collect();
        self.text = format!("{}\n", lines.join("\n"));
        self
    }
}

fn added(place: Place, title: &str, fields: &[(&str, &str)]) -> Mend {
    let fields = fields
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    Mend::AddTask {
        handle: TaskId::from("+1"),
        place,
        kind: TaskKind::Normal,
        title: title.to_owned(),
        fields: fields.collect(),
    }
}

fn set(task: &Task, key: &str, values: &[&str]) -> Mend {
    Mend::SetValues {
        task: task.id.clone(),
        key: key.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    }
}

fn titled(task: &Task, title: impl Into<String>) -> Mend {
    Mend::SetTitle {
        task: task.id.clone(),
        title: title.into(),
    }
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Codes for a requirement that is no longer covered, because its words occurred only in the step
/// that was made vague.
const WORDS_GONE: &[Code] = &[
    Code::UncoveredGoal,
    Code::UnmappedTask,
    Code::UnboundVerification,
];

/// Every kind of defect.
pub(crate) const SEEDS: &[Seed] = &[
    Seed {
        code: Code::VagueShort,
        also: WORDS_GONE,
        put: |base| {
            let draft = Draft::of(base);
            let step = draft.step(|task| task.accept.is_empty())?;
            draft.make(&[titled(&step, "Do it")])?.done()
        },
    },
    Seed {
        code: Code::VaguePhrase,
        also: WORDS_GONE,
        put: |base| {
            let draft = Draft::of(base);
            let step = draft.step(|_| true)?;
            let title = format!("{} and fix various other things somehow", step.title);
            draft.make(&[titled(&step, title)])?.done()
        },
    },
    Seed {
        code: Code::RiskDestructive,
        also: &[
            Code::NoWayBack,
            Code::UnmappedTask,
            Code::UnboundVerification,
        ],
        put: |base| {
            let draft = Draft::of(base);
            draft.with_last("Drop the production database", &[])?.done()
        },
    },
    Seed {
        code: Code::RiskDestructive,
        also: &[
            Code::NoWayBack,
            Code::UnmappedTask,
            Code::UnboundVerification,
        ],
        put: |base| {
            let draft = Draft::of(base);
            draft
                .with_last("The customer records should then be deleted", &[])?
                .done()
        },
    },
    Seed {
        code: Code::TbdPlaceholder,
        also: &[Code::PathMissing],
        put: |base| {
            let draft = Draft::of(base);
            let step = draft.step(|task| !task.files.is_empty())?;
            let mut values: Vec<&str> = step.files.iter().map(String::as_str).collect();
            values.push("TBD");
            draft.make(&[set(&step, "files", &values)])?.done()
        },
    },
    Seed {
        code: Code::HeavyWithoutTestHint,
        also: &[Code::UnboundVerification],
        put: |base| {
            let draft = Draft::of(base);
            let step = draft.step(|task| !task.title.to_lowercase().contains("test"))?;
            let mends = [
                set(&step, "complexity", &["8"]),
                set(&step, "verify", &[]),
                set(&step, "accept", &[]),
            ];
            draft.make(&mends)?.done()
        },
    },
    Seed {
        code: Code::DepsIncompleteOrOrder,
        also: &[Code::Problem(ProblemCode::DanglingReference)],
        put: |base| {
            let mut draft = Draft::of(base);
            let step = draft.step(|task| task.depends.is_some())?;
            let line = draft
                .plan()
                .task(&step.id)?
                .fields
                .iter()
                .find(|field| field.key == "depends")?
                .value_span
                .clone();
            draft.text.replace_range(line, "T99");
            draft.done()
        },
    },
    Seed {
        code: Code::ManifestEmptyPath,
        also: &[],
        put: |base| {
            let draft = Draft::of(base);
            let step = draft.step(|_| true)?;
            draft
                .make(&[Mend::AddValue {
                    task: step.id,
                    key: "call".to_owned(),
                    value: r#"read_file {"path": ""}"#.to_owned(),
                }])?
                .done()
        },
    },
    Seed {
        code: Code::PathMissing,
        also: &[],
        put: |base| {
            let draft = Draft::of(base);
            let step = draft.step(|_| true)?;
            draft
                .make(&[Mend::AddValue {
                    task: step.id,
                    key: "call".to_owned(),
                    value: r#"read_file {"path": "nowhere/at_all.txt"}"#.to_owned(),
                }])?
                .done()
        },
    },
    Seed {
        code: Code::PathMissing,
        also: &[],
        put: |base| {
            // A misspelled path of an existing file.
            let mut draft = Draft::of(base);
            let step =
                draft.step(|task| task.files.first().is_some_and(|file| file.contains('.')))?;
            let file = step.files.first()?;
            draft.text = draft
                .text
                .replace(&format!("`{file}`"), &format!("`{file}x`"));
            draft.text = draft
                .text
                .replacen(&step.title, "Change how the rows are read", 1);
            draft.done()
        },
    },
    Seed {
        code: Code::DuplicateTask,
        also: &[],
        put: |base| {
            let draft = Draft::of(base);
            let step = draft.step(|_| true)?;
            let mut fields: Vec<(&str, String)> = Vec::new();
            fields.extend(step.files.iter().map(|file| ("files", file.clone())));
            fields.extend(step.verify.iter().map(|line| ("verify", line.clone())));
            fields.extend(step.covers.iter().map(|id| ("covers", id.clone())));
            let fields: Vec<(&str, &str)> = fields
                .iter()
                .map(|(key, value)| (*key, value.as_str()))
                .collect();
            draft.with_last(&step.title, &fields)?.done()
        },
    },
    Seed {
        code: Code::FillerTask,
        also: &[Code::UnmappedTask],
        put: |base| {
            Draft::of(base)
                .with_last("Make sure everything works as expected", &[])?
                .done()
        },
    },
    Seed {
        code: Code::OversizedTask,
        also: &[
            Code::UnmappedTask,
            Code::HeavyWithoutTestHint,
            Code::UnboundVerification,
        ],
        put: |base| {
            let draft = Draft::of(base);
            let title = "Redesign the whole storage layer, rewrite the parser, migrate every caller, update the documentation and translate it";
            draft.with_last(title, &[("complexity", "10")])?.done()
        },
    },
    Seed {
        code: Code::UnmappedTask,
        also: &[Code::UnboundVerification],
        put: |base| {
            let mut draft = Draft::of(base);
            let paths = draft.facts.paths.as_mut()?;
            paths.insert("branding/mascot.svg".to_owned());
            draft
                .with_last(
                    "Repaint the mascot in turquoise",
                    &[("files", "branding/mascot.svg")],
                )?
                .done()
        },
    },
    Seed {
        code: Code::UnboundVerification,
        also: &[Code::HeavyWithoutTestHint],
        put: |base| {
            let mut draft = Draft::of(base);
            let paths = draft.facts.paths.as_mut()?;
            paths.insert("src/rounding.rs".to_owned());
            let requirement = draft.plan().requirements.first()?.id.clone();
            let fields = [
                ("files", "src/rounding.rs"),
                ("covers", requirement.as_str()),
            ];
            draft
                .with_last(
                    "Change how half cents are rounded in the price column",
                    &fields,
                )?
                .done()
        },
    },
    Seed {
        code: Code::ReleaseBeforeCheck,
        also: &[
            Code::NoWayBack,
            Code::UnmappedTask,
            Code::UnboundVerification,
            Code::RedundantDependency,
        ],
        put: |base| {
            let draft = Draft::of(base);
            let draft = draft.with_last("Deploy the new version to production", &[])?;
            draft
                .with_last("Test the new version end to end", &[("verify", "make e2e")])?
                .done()
        },
    },
    Seed {
        code: Code::NoWayBack,
        also: &[
            Code::UnmappedTask,
            Code::UnboundVerification,
            Code::ReleaseBeforeCheck,
            Code::RiskDestructive,
        ],
        put: |base| {
            Draft::of(base)
                .with_last("Publish version 2.0.0 to the package registry", &[])?
                .done()
        },
    },
    Seed {
        code: Code::OpenQuestion,
        also: &[],
        put: |base| {
            let draft = Draft::of(base);
            let step = draft.step(|_| true)?;
            let title = format!("{} (or should that be per user?)", step.title);
            draft.make(&[titled(&step, title)])?.done()
        },
    },
    Seed {
        code: Code::RedundantDependency,
        also: &[Code::UnmappedTask, Code::RepeatedTaskPhrasing],
        put: |base| {
            let mut draft = Draft::of(base);
            for language in ["french", "german", "polish", "danish"] {
                let file = format!("help/{language}.md");
                draft.facts.paths.as_mut()?.insert(file.clone());
                let title = format!("Translate the help page into {language}");
                let fields = [("files", file.as_str()), ("verify", "make help")];
                draft = draft.with_last(&title, &fields)?;
            }
            draft.done()
        },
    },
    Seed {
        code: Code::CommandMissing,
        also: &[],
        put: |base| {
            let mut draft = Draft::of(base);
            draft.facts.targets = BTreeMap::from([(
                "npm".to_owned(),
                names(&["test", "lint", "check-locales", "axe"]),
            )]);
            let step = draft.step(|_| true)?;
            draft
                .make(&[set(&step, "verify", &["npm run tset"])])?
                .done()
        },
    },
    Seed {
        code: Code::BaseOutdated,
        also: &[],
        put: |base| {
            let mut draft = Draft::of(base);
            let step = draft.step(|task| !task.files.is_empty())?;
            draft.facts.changed.insert(
                step.files.first()?.clone(),
                "since commit 3f2c1e9".to_owned(),
            );
            draft.done()
        },
    },
    Seed {
        code: Code::SymbolMissing,
        also: &[Code::UnmappedTask, Code::UnboundVerification],
        put: |base| {
            let mut draft = Draft::of(base);
            draft.facts.symbols = names(&["read_rows", "Till"]);
            let title = "Change `Till::read_rwos` so that blank lines are skipped";
            draft.with_last(title, &[])?.done()
        },
    },
    Seed {
        code: Code::MuteIncomplete,
        also: &[],
        put: |base| {
            let draft = Draft::of(base);
            let step = draft.step(|_| true)?;
            draft
                .make(&[Mend::AddValue {
                    task: step.id,
                    key: "mute".to_owned(),
                    value: "vague_phrase".to_owned(),
                }])?
                .done()
        },
    },
    Seed {
        code: Code::NoTasks,
        also: &[
            Code::TooFewTasks,
            Code::UncoveredRequirement,
            Code::UncoveredGoal,
        ],
        put: |base| {
            let mut draft = Draft::of(base);
            let tasks = draft.text.find("## Tasks")?;
            draft.text.truncate(tasks);
            draft.done()
        },
    },
    Seed {
        code: Code::TooFewTasks,
        also: &[Code::UncoveredRequirement, Code::UncoveredGoal],
        put: |base| {
            let draft = Draft::of(base);
            let plan = draft.plan();
            let goal = plan.goal()?;
            if goal.split_whitespace().count() < 17 {
                return None;
            }
            let first = plan.tasks.first()?.id.clone();
            let rest = plan.tasks.iter().rev().map(|task| task.id.clone());
            let mends: Vec<Mend> = rest
                .filter(|id| *id != first)
                .map(|task| Mend::DeleteTask { task })
                .collect();
            draft.make(&mends)?.done()
        },
    },
    Seed {
        code: Code::MegaTaskCluster,
        also: &[Code::OversizedTask, Code::HeavyWithoutTestHint],
        put: |base| {
            let draft = Draft::of(base);
            let plan = draft.plan();
            let steps: Vec<&Task> = plan
                .tasks
                .iter()
                .filter(|task| task.kind == TaskKind::Normal)
                .take(2)
                .collect();
            if plan.tasks.len() > 4 {
                return None;
            }
            let mends: Vec<Mend> = steps
                .iter()
                .map(|task| set(task, "complexity", &["9"]))
                .collect();
            draft.make(&mends)?.done()
        },
    },
    Seed {
        code: Code::MissingPlanVerification,
        also: &[Code::HeavyWithoutTestHint, Code::UnboundVerification],
        put: |base| {
            if base.text.contains("\ngoal:") {
                return None;
            }
            let mut draft = Draft::of(base).without(&["verify", "accept"]);
            draft.text = draft.text.replacen("# ", "# Implement: ", 1);
            let says = [
                "test",
                "Test",
                "check",
                "Pin",
                "Measure",
                "benchmark",
                "conformance",
            ];
            let has_tests = draft.plan().tasks.iter().any(|task| {
                says.iter().any(|word| {
                    task.title.contains(word) || task.files.iter().any(|file| file.contains(word))
                })
            });
            if has_tests {
                return None;
            }
            draft.done()
        },
    },
    Seed {
        code: Code::FlatDependencyGraph,
        also: &[],
        put: |base| {
            let draft = Draft::of(base).without(&["depends"]);
            let plan = draft.plan();
            let steps = plan
                .leaves()
                .filter(|(_, task)| task.kind == TaskKind::Normal);
            (steps.count() >= 4).then_some(())?;
            draft.done()
        },
    },
    Seed {
        code: Code::GoalPathsUnlinked,
        also: &[],
        put: |base| {
            let mut draft = Draft::of(base).without(&["files", "call"]);
            draft.text = draft
                .text
                .replacen("\n\n## ", " (src/main/entry.rs)\n\n## ", 1);
            let plan = draft.plan();
            plan.goal()?.contains("src/main/entry.rs").then_some(())?;
            draft.done()
        },
    },
    Seed {
        code: Code::RepeatedTaskPhrasing,
        also: &[
            Code::DuplicateTask,
            Code::UnmappedTask,
            Code::RedundantDependency,
            Code::UnboundVerification,
        ],
        put: |base| {
            let mut draft = Draft::of(base);
            let parts = [
                "header", "footer", "labels", "sidebar", "colours", "icons", "margins",
            ];
            for part in parts {
                draft = draft.with_last(&format!("Update the user settings page {part}"), &[])?;
            }
            draft.done()
        },
    },
    Seed {
        code: Code::Overgrown,
        also: &[
            Code::FillerTask,
            Code::DuplicateTask,
            Code::UnmappedTask,
            Code::RepeatedTaskPhrasing,
            Code::RedundantDependency,
        ],
        put: |base| {
            let mut draft = Draft::of(base);
            for _ in 0..30 {
                draft = draft.with_last("Make sure everything works as expected", &[])?;
            }
            draft.done()
        },
    },
    Seed {
        code: Code::UncoveredRequirement,
        also: &[],
        put: |base| {
            let draft = Draft::of(base);
            let text = "a nightly report goes to the accountant by fax".to_owned();
            draft.make(&[Mend::AddRequirement { text }])?.done()
        },
    },
    Seed {
        code: Code::PossibleRewriteCompression,
        also: &[
            Code::TooFewTasks,
            Code::UncoveredRequirement,
            Code::UncoveredGoal,
            Code::FileLinkageReduced,
            Code::DescriptionMassReduced,
        ],
        put: |base| {
            let draft = Draft::of(base);
            let plan = draft.plan();
            let steps: Vec<TaskId> = plan
                .leaves()
                .filter(|(_, task)| task.kind == TaskKind::Normal)
                .map(|(_, task)| task.id.clone())
                .collect();
            if steps.len() < 6 {
                return None;
            }
            let last = steps.last()?.clone();
            draft
                .make(&[Mend::DeleteTask { task: last }])?
                .against_base()
        },
    },
    Seed {
        code: Code::FileLinkageReduced,
        also: &[Code::GoalPathsUnlinked, Code::UnboundVerification],
        put: |base| {
            let draft = Draft::of(base);
            let plan = draft.plan();
            let step = plan.tasks.iter().find(|task| !task.files.is_empty())?;
            draft.make(&[set(step, "files", &[])])?.against_base()
        },
    },
    Seed {
        code: Code::DescriptionMassReduced,
        also: &[
            Code::VagueShort,
            Code::UncoveredGoal,
            Code::UnmappedTask,
            Code::RepeatedTaskPhrasing,
            Code::DuplicateTask,
            Code::UncoveredRequirement,
        ],
        put: |base| {
            let draft = Draft::of(base);
            let plan = draft.plan();
            let mends: Vec<Mend> = plan
                .tasks
                .iter()
                .map(|task| {
                    let short: Vec<&str> = task.title.split_whitespace().take(3).collect();
                    titled(task, short.join(" "))
                })
                .collect();
            draft.make(&mends)?.against_base()
        },
    },
    Seed {
        code: Code::Problem(ProblemCode::DuplicateId),
        also: &[
            Code::DepsIncompleteOrOrder,
            Code::Problem(ProblemCode::Cycle),
            Code::RedundantDependency,
        ],
        put: |base| {
            let mut draft = Draft::of(base);
            let last = draft.last()?;
            let first = draft.plan().tasks.first()?.id.to_string();
            let own = format!("**{}**", last.id);
            draft.text = draft.text.replacen(&own, &format!("**{first}**"), 1);
            draft.done()
        },
    },
    Seed {
        code: Code::Problem(ProblemCode::Cycle),
        also: &[Code::DepsIncompleteOrOrder, Code::RedundantDependency],
        put: |base| {
            let mut draft = Draft::of(base);
            let plan = draft.plan();
            let waiting = plan
                .tasks
                .iter()
                .find(|task| task.depends.as_ref().is_some_and(|ids| !ids.is_empty()))?;
            let target = plan.task(waiting.depends.as_ref()?.first()?)?;
            let line = format!("  - depends: {}\n", waiting.id);
            let at = draft.text[target.span.start..].find('\n')? + target.span.start + 1;
            draft.text.insert_str(at, &line);
            draft.done()
        },
    },
    Seed {
        code: Code::Problem(ProblemCode::BadCall),
        also: &[],
        put: |base| {
            let draft = Draft::of(base);
            let step = draft.step(|_| true)?;
            let mut draft = draft;
            let at = draft.text[step.span.start..].find('\n')? + step.span.start + 1;
            draft
                .text
                .insert_str(at, "  - call: `edit_file {\"path\": \"a.txt\"`\n");
            draft.done()
        },
    },
];
