//! Progress of a run: prints its events with the duration of each step, shows current work with the
//! spinner, and prints the next commands at the end.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use workbench::EndState;
use workbench::wire::RunEvent;

use super::{Out, run, terminal};

/// Maximum questions whose commands are printed; the rest follow once these are answered.
const MAX_SHOWN: usize = 3;

/// Shorter durations aren't printed.
const MIN_SHOWN: Duration = Duration::from_millis(100);

/// The state of a run, as seen by this process.
#[derive(Debug)]
pub(crate) struct Progress {
    json: bool,
    /// Whether this process asks the person, in which case questions are shown as cards.
    asks: bool,
    began: Instant,
    run: Option<String>,
    plan: String,
    steps: BTreeMap<String, Instant>,
    /// Steps waiting for a reply from their model, with the time of the request.
    requests: BTreeMap<String, Instant>,
    /// The keys of the pending questions.
    waiting: Vec<String>,
    failed: Vec<String>,
    ended: Option<EndState>,
}

impl Progress {
    pub(crate) fn new(json: bool, asks: bool) -> Self {
        Self {
            json,
            asks,
            began: Instant::now(),
            run: None,
            plan: String::new(),
            steps: BTreeMap::new(),
            requests: BTreeMap::new(),
            waiting: Vec::new(),
            failed: Vec::new(),
            ended: None,
        }
    }

    /// The run's id, once known.
    pub(crate) fn run(&self) -> Option<&str> {
        self.run.as_deref()
    }

    /// Whether this part of the run ended waiting for the answer to this question.
    pub(crate) fn waits_at(&self, id: &str) -> bool {
        self.waiting.iter().any(|waiting| waiting == id)
    }

    /// Prints an event and updates the spinner.
    pub(crate) fn event(&mut self, out: &mut Out, event: &RunEvent) {
        if self.json {
            return out.json(event);
        }
        let took = self.took(event);
        let is_known = self.is_known(event);
        self.follow(event);
        if !is_known {
            run::event(out, event, took);
        }
        self.show();
    }

    /// The duration of the step or run that this event ends.
    fn took(&self, event: &RunEvent) -> Option<Duration> {
        let took = match event {
            RunEvent::Task { task, .. } => self.steps.get(task).map(Instant::elapsed),
            RunEvent::Ended { run: Some(_), .. } => Some(self.began.elapsed()),
            _ => None,
        };
        took.filter(|took| *took >= MIN_SHOWN)
    }

    /// Whether the person already knows this: the start of a run that they answered here, or a
    /// question that they are about to be asked.
    fn is_known(&self, event: &RunEvent) -> bool {
        match event {
            RunEvent::Started { run, .. } => self.run.as_ref() == Some(run),
            RunEvent::Waiting { .. } => self.asks && self.run.is_some(),
            _ => false,
        }
    }

    fn follow(&mut self, event: &RunEvent) {
        match event {
            RunEvent::Started { run, plan, .. } => {
                self.began = Instant::now();
                self.run = Some(run.clone());
                self.plan.clone_from(plan);
                self.waiting.clear();
                self.failed.clear();
            }
            RunEvent::Progress {
                task, elapsed_ms, ..
            } => {
                let ago = Duration::from_millis(*elapsed_ms);
                let began = || Instant::now().checked_sub(ago).unwrap_or(self.began);
                self.steps.entry(task.clone()).or_insert_with(began);
            }
            RunEvent::Request { task, .. } => {
                self.requests.insert(task.clone(), Instant::now());
            }
            RunEvent::Replied { task, .. } => drop(self.requests.remove(task)),
            RunEvent::Task { task, state, .. } => {
                self.steps.remove(task);
                self.requests.remove(task);
                if matches!(state.as_str(), "failed" | "refused") {
                    self.failed.push(task.clone());
                }
            }
            RunEvent::Waiting { id, .. } => {
                self.steps.remove(id);
                self.waiting.push(id.clone());
            }
            RunEvent::Ended { state, .. } => {
                self.steps.clear();
                self.requests.clear();
                self.ended = Some(*state);
            }
            _ => {}
        }
    }

    /// Shows the current work in the spinner: a pending model request, or else the running steps.
    fn show(&self) {
        let steps: Vec<&str> = self.steps.keys().map(String::as_str).collect();
        let requests = self.requests.iter();
        let since = self.steps.values().min();
        match (requests.min_by_key(|(_, since)| **since), since) {
            (Some((task, since)), _) => {
                terminal::working(&format!("{task}, waiting for the model"), *since);
            }
            (None, Some(since)) => terminal::working(&steps.join(", "), *since),
            (None, None) => terminal::idle(),
        }
    }

    /// Prints the next commands, once the run has ended.
    pub(crate) fn next(&self, out: &mut Out) {
        let (Some(run), Some(ended), false) = (&self.run, self.ended, self.json) else {
            return;
        };
        for (what, command) in self.commands(run, ended) {
            out.line(format!("{:<9} planwright {command}", format!("{what}:")));
        }
    }

    fn commands(&self, run: &str, ended: EndState) -> Vec<(&'static str, String)> {
        let word = |text: &str| workbench::shell_word(text);
        let receipt = || ("Receipt", format!("receipt {run}"));
        let undo = || ("Undo", format!("undo {run}"));
        let resume = || ("Resume", format!("resume {run}"));
        let answers = || {
            let shown = self.waiting.iter().take(MAX_SHOWN);
            shown.map(|id| ("Answer", format!("answer {run} {} ANSWER", word(id))))
        };
        let retries = || {
            let shown = self.failed.iter().take(MAX_SHOWN);
            shown.map(|id| ("Retry", format!("answer {run} {} Retry", word(id))))
        };
        match ended {
            EndState::Waiting if self.waiting.is_empty() => vec![resume()],
            EndState::Waiting => answers().collect(),
            EndState::Paused | EndState::Cancelled | EndState::Stopped => vec![resume(), undo()],
            EndState::Failed if self.failed.is_empty() => vec![resume(), receipt(), undo()],
            EndState::Failed => retries().chain([receipt(), undo()]).collect(),
            EndState::NotCovered => vec![("Read", format!("check {}", word(&self.plan))), resume()],
            EndState::Unverified => answers().chain([receipt(), undo()]).collect(),
            EndState::Incomplete | EndState::Done => vec![receipt(), undo()],
            EndState::Discarded => Vec::new(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        terminal::idle();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_a_run_names_the_next_command_with_the_run() {
        let mut progress = Progress::new(false, false);
        progress.plan = "/w/my plans/p.md".to_owned();
        let shown = |progress: &Progress, state| -> Vec<String> {
            let commands = progress.commands("ab12", state).into_iter();
            commands.map(|(_, command)| command).collect()
        };
        assert_eq!(shown(&progress, EndState::Paused)[0], "resume ab12");
        assert_eq!(shown(&progress, EndState::Cancelled)[0], "resume ab12");
        assert_eq!(shown(&progress, EndState::Failed)[0], "resume ab12");
        assert_eq!(
            shown(&progress, EndState::Done),
            ["receipt ab12", "undo ab12"]
        );
        assert_eq!(
            shown(&progress, EndState::NotCovered)[0],
            "check '/w/my plans/p.md'"
        );
        assert!(shown(&progress, EndState::Discarded).is_empty());

        progress.failed = vec!["T2".to_owned()];
        assert_eq!(
            shown(&progress, EndState::Failed)[0],
            "answer ab12 T2 Retry"
        );
        progress.waiting = vec!["T 1".to_owned()];
        assert_eq!(
            shown(&progress, EndState::Waiting),
            ["answer ab12 'T 1' ANSWER"]
        );
        assert_eq!(
            shown(&progress, EndState::Unverified),
            ["answer ab12 'T 1' ANSWER", "receipt ab12", "undo ab12"]
        );
    }
}
