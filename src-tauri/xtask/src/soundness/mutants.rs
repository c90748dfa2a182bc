//! The holes that were found in the gate, each as a replacement that reopens it. `OPEN` stands for
//! the condition that this hole is open, so that one build can contain all holes.

/// A hole, opened by replacing `old` with `new`.
#[derive(Debug)]
pub(super) struct Mutant {
    /// The name of the hole.
    pub(super) name: &'static str,
    /// The attack or review that found it.
    pub(super) finding: &'static str,
    /// The file, relative to the repository root.
    pub(super) file: &'static str,
    /// The code to replace; occurs exactly once.
    pub(super) old: &'static str,
    /// The replacement.
    pub(super) new: &'static str,
}

const CHANGES: &str = "src-tauri/crates/agent/src/run/file_changes.rs";
const READY: &str = "src-tauri/crates/agent/src/run/ready.rs";
const NEXT: &str = "src-tauri/crates/agent/src/run/next.rs";
const STEP: &str = "src-tauri/crates/agent/src/run/step.rs";
const RUN: &str = "src-tauri/crates/agent/src/run.rs";
const STATE: &str = "src-tauri/crates/agent/src/run/state.rs";
const ENDING: &str = "src-tauri/crates/agent/src/run/ending.rs";
const GATES: &str = "src-tauri/crates/agent/src/run/gates.rs";
const LANES: &str = "src-tauri/crates/agent/src/run/lanes.rs";
const ASKING: &str = "src-tauri/crates/agent/src/run/questions.rs";
const CALLS: &str = "src-tauri/crates/agent/src/run/model_work/calls.rs";
const ALLOWING: &str = "src-tauri/crates/agent/src/run/permits.rs";
const APPROVED: &str = "src-tauri/crates/agent/src/run/view.rs";

/// All holes that were found.
pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "a-tick-is-evidence",
        finding: "A1, A3",
        file: CHANGES,
        old: "let counts = match self.ask(self.claimed(&claims)) {",
        new: "let counted = OPEN.then(|| Answer::Choice { label: label::COUNT.to_owned(), note: None });
        let counts = match counted.or_else(|| self.ask(self.claimed(&claims))) {",
    },
    Mutant {
        name: "a-tick-opens-a-gate",
        finding: "A1",
        file: CHANGES,
        old: "&& !task.is_pause()",
        new: "&& (OPEN || !task.is_pause())",
    },
    Mutant {
        name: "the-file-answers-a-gate",
        finding: "A1",
        file: GATES,
        old: "let Some(answer) = self.ask(questions::choice(task, kind)) else {",
        new: "let file = self.file.clone();
        let records = file.iter().flat_map(|file| &file.plan.decisions);
        let mut answers = records.filter(|record| record.task == task.id).filter_map(|record| record.answer.clone());
        let label = answers.find(|label| OPEN && task.options.iter().any(|option| option.label == *label));
        let by_file = label.map(|label| Answer::Choice { label, note: None });
        let Some(answer) = by_file.or_else(|| self.ask(questions::choice(task, kind))) else {",
    },
    Mutant {
        name: "the-file-is-carried-out",
        finding: "A1",
        file: RUN,
        old: "self.file = Some(Arc::new(file));",
        new: "self.file = Some(Arc::new(file));
        if OPEN {
            self.view = Arc::new(PlanView::new(text.to_owned(), self.view.revision.clone()));
            self.view_is_current = false;
        }",
    },
    Mutant {
        name: "structure-is-not-compared",
        finding: "A1",
        file: CHANGES,
        old: "if file.changes.iter().all(|change| kept.contains(change)) {",
        new: "if OPEN || file.changes.iter().all(|change| kept.contains(change)) {",
    },
    Mutant {
        name: "words-are-not-compared",
        finding: "A1",
        file: STEP,
        old: "let Some(reason) = file.uncovered.get(&task.id) else {",
        new: "let Some(reason) = file.uncovered.get(&task.id).filter(|_| !OPEN) else {",
    },
    Mutant {
        name: "rewired-dependents-are-covered",
        finding: "A1",
        file: APPROVED,
        old: "for dependent in approved.graph.dependents(index) {",
        new: "for dependent in approved.graph.dependents(index).into_iter().filter(|_| !OPEN) {",
    },
    Mutant {
        name: "a-step-left-out-opens-its-gate",
        finding: "A1",
        file: READY,
        old: "if let Some(gate) = gates.find(|gate| self.leaf(state, *gate) == Leaf::Open) {",
        new: "if let Some(gate) = gates.find(|gate| !OPEN && self.leaf(state, *gate) == Leaf::Open) {",
    },
    Mutant {
        name: "both-branches-run",
        finding: "A1",
        file: READY,
        old: "found.map(|(decision, label)|",
        new: "found.filter(|_| !OPEN).map(|(decision, label)|",
    },
    Mutant {
        name: "dependencies-do-not-count",
        finding: "A2",
        file: READY,
        old: "Leaf::Open => return Readiness::WaitsFor(before),",
        new: "Leaf::Open if OPEN => {}
                Leaf::Open => return Readiness::WaitsFor(before),",
    },
    Mutant {
        name: "the-policy-does-not-count",
        finding: "A2",
        file: STEP,
        old: "if is_work && policy::asks(",
        new: "if !OPEN && is_work && policy::asks(",
    },
    Mutant {
        name: "a-persons-command-runs",
        finding: "A2",
        file: STEP,
        old: "let by_person = carried_out_by == By::Person || (task.calls.is_empty() && !by_host);",
        new: "let by_person = (carried_out_by == By::Person && !OPEN) || (task.calls.is_empty() && !by_host);",
    },
    Mutant {
        name: "a-model-may-do-anything",
        finding: "A2",
        file: CALLS,
        old: "let is_named = call.tool.is_read_only() || names(task, &call);",
        new: "let is_named = OPEN || call.tool.is_read_only() || names(task, &call);",
    },
    Mutant {
        name: "a-deletion-is-not-asked-about",
        finding: "A2",
        file: ALLOWING,
        old: "let Some(answer) = self.ask(question) else {",
        new: "let yes = gate::answers::Grant::Once;
                let unasked = OPEN.then_some(gate::answers::Answer::Permission { grant: yes, words: None });
                let Some(answer) = unasked.or_else(|| self.ask(question)) else {",
    },
    Mutant {
        name: "the-whole-plan-is-approved",
        finding: "A2",
        file: READY,
        old: ".filter(|index| last.is_none_or(|l| *index <= l))",
        new: ".filter(|index| OPEN || last.is_none_or(|l| *index <= l))",
    },
    Mutant {
        name: "an-old-answer-counts",
        finding: "A2",
        file: ASKING,
        old: "if self.is_stale(&given) {",
        new: "if !OPEN && self.is_stale(&given) {",
    },
    Mutant {
        name: "effects-are-not-announced",
        finding: "A4",
        file: RUN,
        old: "self.record(Entry::Intended {
                    task: task.clone(),
                    call,
                    line: tool.to_line(),
                    record,
                });",
        new: "let line = tool.to_line();
                let intended = Entry::Intended { task: task.clone(), call, line, record };
                if !OPEN {
                    self.record(intended);
                }",
    },
    Mutant {
        name: "a-cut-off-call-is-repeated",
        finding: "A4",
        file: NEXT,
        old: "let Some(left) = self.left.get(&task) else {",
        new: "if OPEN {
            self.record(Entry::Cleared { task, call, how: String::new() });
            return Turn::Again;
        }
        let Some(left) = self.left.get(&task) else {",
    },
    Mutant {
        name: "a-lost-record-is-a-guess",
        finding: "A4",
        file: STEP,
        old: "let is_known = !self.state.is_cut && half_done.is_none();",
        new: "let is_known = OPEN || (!self.state.is_cut && half_done.is_none());",
    },
    Mutant {
        name: "a-retry-repeats-everything",
        finding: "A4",
        file: STATE,
        old: "state.calls.retain(|_, outcome| outcome.ok);",
        new: "state.calls.retain(|_, outcome| outcome.ok && !OPEN);",
    },
    Mutant {
        name: "what-was-taken-back-counts",
        finding: "A4",
        file: LANES,
        old: "&& !self.is_blocked(id))",
        new: "&& (OPEN || !self.is_blocked(id)))",
    },
    Mutant {
        name: "the-file-is-read-once",
        finding: "A1",
        file: STEP,
        old: "self.plan_is_fresh = false;",
        new: "self.plan_is_fresh = OPEN;",
    },
    Mutant {
        name: "checks-are-not-run",
        finding: "2.1",
        file: STEP,
        old: "if let Some(turn) = self.next_check(view, task, &state) {",
        new: "if let Some(turn) = (!OPEN).then(|| self.next_check(view, task, &state)).flatten() {",
    },
    Mutant {
        name: "done-with-steps-left",
        finding: "2.2",
        file: NEXT,
        old: "EndState::Waiting,
                format!(\"waiting on you: {}\", ids.join(\", \")),",
        new: "if OPEN { EndState::Done } else { EndState::Waiting },
                format!(\"waiting on you: {}\", ids.join(\", \")),",
    },
    Mutant {
        name: "nothing-is-checked-again",
        finding: "2.1",
        file: ENDING,
        old: "if let Some(turn) = self.recheck(view, Due::All) {",
        new: "if let Some(turn) = (!OPEN).then(|| self.recheck(view, Due::All)).flatten() {",
    },
    Mutant {
        name: "a-model-skips-and-is-done",
        finding: "2.2",
        file: ENDING,
        old: "(false, _) => EndState::Incomplete,",
        new: "(false, _) => if OPEN { EndState::Done } else { EndState::Incomplete },",
    },
    Mutant {
        name: "a-models-word-is-evidence",
        finding: "2.8",
        file: ENDING,
        old: "Standing::Done if known.is_unverified() => {",
        new: "Standing::Done if !OPEN && known.is_unverified() => {",
    },
    Mutant {
        name: "steps-side-by-side-end-early",
        finding: "2.1",
        file: NEXT,
        old: "self.active_steps().next().is_some() || !self.in_progress.is_empty();",
        new: "self.active_steps().next().is_some() || (!OPEN && !self.in_progress.is_empty());",
    },
];
