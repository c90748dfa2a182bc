//! Judges what happens in the workspace: whether it was approved, whether everything before it is
//! done, and whether it happened before.

use agent::journal::SkippedBy;
use gate::answers::{Answer, Grant};
use gate::policy::Policy;
use gate::question::QuestionKind;
use plan::ToolCall;
use serde_json::Value;

use super::{Decided, Oracle};
use crate::program::{Kind, Step};
use crate::reader::{Difference, Reading};

impl Oracle<'_> {
    /// Records that the run decided to execute a call or check. It is judged by the state at this
    /// point, even if it starts later.
    pub fn see_decision(&mut self, task: &str) {
        let void = self.read.as_ref().and_then(|read| self.is_void(task, read));
        let place = self.program.place(task);
        let is_left_out = place.is_some_and(|place| self.is_left_out(place));
        self.decided_on
            .insert(task.to_owned(), Decided { void, is_left_out });
    }

    /// Judges a call that is about to be executed.
    pub fn judge_call(&mut self, task: &str, call: usize, tool: &ToolCall) {
        self.judge_act(task);
        let only_looks = tool.tool.is_read_only();
        if let Some(what) = self.is_not_approved(task, call, tool) {
            self.violated(format!("{task} {what}: {}", tool.to_line()));
        }
        if only_looks {
            return;
        }
        let key = (task.to_owned(), call);
        if !self.intents.contains(&key) {
            self.violated(format!(
                "{task} was not announced before it happened: {}",
                tool.to_line()
            ));
        }
        if !self.again.remove(&key) && self.performed.contains_key(&key) {
            self.violated(format!("{task} happens twice: {}", tool.to_line()));
        }
        if self.lost.contains(task) {
            self.violated(format!(
                "{task} is carried out though its record was lost, and nobody was asked: {}",
                tool.to_line()
            ));
        }
    }

    /// Records that a call has ended.
    pub fn see_call(&mut self, task: &str, call: usize, tool: &ToolCall, ok: bool) {
        self.is_fresh = false;
        self.performed.insert((task.to_owned(), call), ok);
        if !tool.tool.is_read_only() {
            self.mutated.insert((task.to_owned(), call));
            if ok {
                self.changed.insert(task.to_owned());
            }
            self.checks.retain(|(of, _), _| of != task);
        }
    }

    /// Judges a check that is about to run.
    pub fn judge_check(&mut self, task: &str, line: &str) {
        // Checks of completed steps run again to confirm that they still pass.
        if !self.done.contains(task) {
            self.judge_act(task);
        }
        let is_approved = match (self.step(task), self.grown.get(task)) {
            (Some(step), _) => step.verify.iter().any(|check| check == line),
            (None, Some(_)) => self.is_check_of_part(task, line),
            (None, None) => false,
        };
        if !is_approved {
            self.violated(format!("{task} runs a check that nobody approved: {line}"));
        }
    }

    /// Judges a check that is about to run before the run has changed anything.
    pub fn judge_baseline(&mut self, line: &str) {
        let mut steps = self.program.steps.iter();
        if !steps.any(|step| step.verify.iter().any(|check| check == line)) {
            self.violated(format!("a check runs that nobody approved: {line}"));
        }
    }

    /// Whether a step added by the run has this check, either itself or through the step it is part
    /// of.
    fn is_check_of_part(&self, task: &str, line: &str) -> bool {
        if let Some(step) = self.step(task) {
            return step.verify.iter().any(|check| check == line);
        }
        self.grown.get(task).is_some_and(|grown| {
            let whole = grown.under.as_deref();
            grown.step.checks.iter().any(|check| check == line)
                || whole.is_some_and(|whole| self.is_check_of_part(whole, line))
        })
    }

    /// Records the result of a check.
    pub fn see_check(&mut self, task: &str, line: &str, ok: bool) {
        self.is_fresh = false;
        if ok {
            self.passed.insert((task.to_owned(), line.to_owned()));
        }
        self.checks.insert((task.to_owned(), line.to_owned()), ok);
    }

    fn step(&self, task: &str) -> Option<&Step> {
        self.program
            .place(task)
            .map(|place| &self.program.steps[place])
    }

    /// Judges the start of a step: the file's structure must be as approved, or the person must
    /// have accepted the differences.
    pub(super) fn judge_start(&mut self, task: &str) {
        let Some(read) = &self.read else {
            return self.violated(format!("{task} is begun before the plan is read"));
        };
        let differences = read.differs_from(&self.approved);
        let news: Vec<String> = differences
            .iter()
            .filter(|difference| {
                !self.grown.contains_key(&difference.0) && !self.is_kept(difference)
            })
            .map(|(id, now)| format!("{id} is now “{now}”"))
            .collect();
        if !news.is_empty() {
            self.violated(format!(
                "{task} is begun in a changed plan: {}",
                news.join(", ")
            ));
        }
    }

    /// Whether the person let the run continue although a step differs. A later change of the same
    /// kind to the same step counts as the same difference, because the run carries out the
    /// approved step anyway.
    fn is_kept(&self, difference: &Difference) -> bool {
        let (id, now) = difference;
        let other = now.strip_prefix("behind ");
        self.kept
            .iter()
            .any(|(of, was)| match was.strip_prefix("behind ") {
                None => of == id && other.is_none(),
                // If two steps were swapped, it doesn't matter which one counts as moved.
                Some(before) => other.is_some_and(|other| {
                    [of.as_str(), before]
                        .iter()
                        .any(|one| one == id || *one == other)
                }),
            })
    }

    /// Checks the requirements that apply to every call and check of a step.
    fn judge_act(&mut self, task: &str) {
        if !self.is_fresh && !self.is_parallel {
            self.violated(format!("{task} acts on a plan that was not read again"));
        }
        let now = |oracle: &Self| {
            oracle
                .read
                .as_ref()
                .and_then(|read| oracle.is_void(task, read))
        };
        // A call relies on the file as it was read when the call was decided.
        let decided = self.decided_on.get(task);
        let void = decided.map_or_else(|| now(self), |decided| decided.void.clone());
        if let Some(void) = void {
            self.violated(format!("{task} is carried out though {void} was changed"));
        }
        if let Some(lacks) = self.lacks(task) {
            self.violated(format!("{task} is carried out, but {lacks}"));
        }
        let asks = match (self.policy, self.step(task)) {
            (Policy::All, _) => false,
            (Policy::Risky, Some(step)) => step.is_risky(),
            (Policy::Each, Some(step)) => !step.only_looks(),
            (Policy::Each, None) => true,
            (Policy::Risky, None) => false,
        };
        let is_persons = self
            .step(task)
            .is_some_and(|step| step.kind == Kind::Person);
        // Choosing to retry a step includes permission to start it.
        let is_said = self.has_answered(task, QuestionKind::Approval, |answer| {
            *answer == Answer::Run
        }) || self.has_answered(task, QuestionKind::Failure, |answer| {
            *answer == Answer::Retry
        });
        if asks && !is_persons && !is_said {
            self.violated(format!(
                "{task} is carried out, and nobody said that it may start"
            ));
        }
    }

    /// Which part of the content that a step relies on differs from the approval.
    fn is_void(&self, task: &str, read: &Reading) -> Option<String> {
        let place = self.program.place(task)?;
        // A missing step is a structural change, which is judged at the start of the next step.
        read.block(task)?;
        let before = self.graph.all[place].iter().copied().chain([place]);
        for at in before {
            let step = &self.program.steps[at];
            let id = &step.id;
            // A step that was turned into a group is a structural change too.
            if read.is_group(id) && step.kind != Kind::Group {
                continue;
            }
            let now = read.rests_on(id);
            let was = self.approved.rests_on(id);
            let is_changed = now.is_some() && now != was;
            if is_changed && !self.kept_steps.contains(&(id.clone(), now)) {
                return Some(id.clone());
            }
        }
        None
    }

    /// What has to happen before the step may run; `None` if nothing.
    fn lacks(&self, task: &str) -> Option<String> {
        let Some(place) = self.program.place(task) else {
            return self.lacks_grown(task);
        };
        if let Some(upto) = self.upto.as_ref().and_then(|upto| self.program.place(upto))
            && place > upto
        {
            return Some("it was not approved to run".to_owned());
        }
        // A step that becomes excluded while it is running may still finish.
        let decided = self.decided_on.get(task);
        if self.is_left_out(place) && decided.is_none_or(|decided| decided.is_left_out) {
            return Some("it stands in another branch".to_owned());
        }
        for gate in self.graph.all[place].iter().copied() {
            let step = &self.program.steps[gate];
            let is_skipped = self.skipped.get(&step.id) == Some(&SkippedBy::Person);
            if step.is_gate()
                && !is_skipped
                && !self.is_left_out(gate)
                && !self.done.contains(&step.id)
            {
                return Some(format!("{} was not answered", step.id));
            }
        }
        let direct = self.graph.direct[place].iter();
        direct
            .copied()
            .find_map(|before| self.is_waiting(task, before))
    }

    /// Why a step has to wait for this one; `None` if it doesn't.
    fn is_waiting(&self, task: &str, before: usize) -> Option<String> {
        let id = &self.program.steps[before].id;
        if self.done.contains(id) {
            return None;
        }
        if self.is_left_out(before) {
            let mut further = self.graph.direct[before].iter();
            return further.find_map(|before| self.is_waiting(task, *before));
        }
        if self.skipped.contains_key(id) {
            let runs = |answer: &Answer| *answer == Answer::Run;
            let is_said = self.has_answered(task, QuestionKind::SkippedDependency, runs);
            if !is_said {
                return Some(format!(
                    "{id} was left out, and nobody said to start it all the same"
                ));
            }
            let mut further = self.graph.direct[before].iter();
            return further.find_map(|before| self.is_waiting(task, *before));
        }
        self.parts_open(id)
    }

    /// Names an unfinished part of a step, or the step itself if it was never split; `None` if all
    /// parts are finished.
    fn parts_open(&self, id: &str) -> Option<String> {
        let parts: Vec<&String> = self
            .grown
            .iter()
            .filter(|(_, grown)| grown.under.as_deref() == Some(id))
            .map(|(part, _)| part)
            .collect();
        if parts.is_empty() {
            return Some(format!("{id} is not done"));
        }
        let is_over = |part: &String| self.done.contains(part) || self.skipped.contains_key(part);
        let open = parts
            .into_iter()
            .find(|part| !is_over(part) && self.parts_open(part).is_some());
        open.map(|part| format!("{part} is not done"))
    }

    fn lacks_grown(&self, task: &str) -> Option<String> {
        let Some(grown) = self.grown.get(task) else {
            return Some("it is no step of this run".to_owned());
        };
        if let Some(whole) = &grown.under {
            return self.lacks(whole);
        }
        // The run adds a step that isn't part of another one only when no other step is left. It
        // doesn't matter if a step is undone after that.
        let steps = self.program.steps.iter().enumerate();
        let mut leaves = steps.filter(|(_, step)| step.kind != Kind::Group);
        let open = leaves.find(|(place, step)| {
            let is_over = self.done.contains(&step.id)
                || self.skipped.contains_key(&step.id)
                || self.taken_back.contains(&step.id);
            !is_over && !self.is_left_out(*place) && self.parts_open(&step.id).is_some()
        });
        open.map(|(_, step)| format!("{} is not done", step.id))
    }

    /// Why a call differs from what was approved; `None` if it doesn't.
    fn is_not_approved(&self, task: &str, call: usize, tool: &ToolCall) -> Option<&'static str> {
        let name = tool.tool.as_str();
        let arguments = Value::Object(tool.arguments.clone());
        let path = tool.path().unwrap_or_default();
        if !tool.tool.is_read_only() && path.starts_with("plans/") {
            return Some("changes the plan");
        }
        let is_named = match self.step(task) {
            Some(step) if step.kind == Kind::Calls => {
                let approved = step.calls.get(call);
                if !approved.is_some_and(|call| call.tool == name && call.arguments == arguments) {
                    return Some("does what nobody approved");
                }
                true
            }
            Some(step) if step.kind == Kind::Model => {
                let command = tool.string("command").unwrap_or_default();
                let is_shown = step
                    .shown
                    .iter()
                    .chain(&step.verify)
                    .any(|line| line == command);
                match name {
                    "run_command" => is_shown,
                    _ => step.files.iter().any(|file| file == path),
                }
            }
            Some(_) => return Some("is nobody's to carry out"),
            None => false,
        };
        let is_deletion = name == "delete_file";
        let needs_yes = !tool.tool.is_read_only() && (!is_named || is_deletion);
        let subject = tool.string("command").unwrap_or(path);
        let is_yes = self.answered.iter().any(|(of, _, answer, request)| {
            let is_it = request
                .as_ref()
                .is_some_and(|(tool, about)| tool == name && about == subject);
            let granted = match answer {
                Answer::Permission {
                    grant: Grant::Once, ..
                } => of == task,
                Answer::Permission {
                    grant: Grant::Run, ..
                } => true,
                _ => false,
            };
            is_it && granted
        });
        let in_grown = self.grown.get(task).is_some_and(|grown| {
            let is_file = grown.step.files.iter().any(|file| file == path);
            is_file && name != "run_command" && !is_deletion
        });
        (needs_yes && !is_yes && !in_grown).then_some("does what nobody allowed")
    }
}
