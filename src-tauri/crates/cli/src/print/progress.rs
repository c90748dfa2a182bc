//! A run as it goes on: its events printed with the time that steps took, what is going on shown by the
//! spinner, and at its end the commands to go on with.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use workbench::EndState;
use workbench::wire::RunEvent;

use super::{Out, run, terminal};

/// Questions whose commands are printed; the others follow once these are answered.
const MAX_SHOWN: usize = 3;

/// Less time than this is not worth a word.
const MIN_SHOWN: Duration = Duration::from_millis(100);

/// What has been seen of a run in this process.
#[derive(Debug)]
pub(crate) struct Progress {
    json: bool,
    /// Whether the person is asked here, so that questions are shown with their cards.
    asks: bool,
    began: Instant,
    run: Option<String>,
    plan: String,
    steps: BTreeMap<String, Instant>,
    /// The steps whose model was sent a request and has not replied.
    requests: BTreeMap<String, Instant>,
    /// The keys of the answers that are waited for.
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

    /// The run's id, once there is one.
    pub(crate) fn run(&self) -> Option<&str> {
        self.run.as_deref()
    }

    /// Whether this part of the run ended with a question of this key.
    pub(crate) fn waits_at(&self, id: &str) -> bool {
        self.waiting.iter().any(|waiting| waiting == id)
    }

    /// One event.
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

    /// How long what this event ends took.
    fn took(&self, event: &RunEvent) -> Option<Duration> {
        let took = match event {
            RunEvent::Task { task, .. } => self.steps.get(task).map(Instant::elapsed),
            RunEvent::Ended { run: Some(_), .. } => Some(self.began.elapsed()),
            _ => None,
        };
        took.filter(|took| *took >= MIN_SHOWN)
    }

    /// Whether the person has seen this: the head of a run that they answered here, or a question that
    /// they are about to be asked.
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

    /// Shows what is going on: the steps, or the requests of their models.
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

    /// Prints how to go on, once the run has ended.
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
