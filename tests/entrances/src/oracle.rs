//! The rules for the entrances, based on what Planwright promises to people and agents and
//! independent of its code.
//!
//! An agent may consider its plan approved only if a person approved exactly the text that the
//! agent gets. The person must have done so between the agent's request and the answer, and after
//! seeing the agent's proposal or a later version of it. A decision belongs to one review and is
//! final. Nothing else is an approval.

use crate::record::{Answer, Ask, Changed, Decision, Fate, Place, Record, Verdict, hash};

mod stored;

/// The text that follows a person's words if the plan was edited too.
const EDITED: &str = "\n\nThe person also edited the plan.";

/// The violations, one sentence each.
pub fn judge(record: &Record) -> Vec<String> {
    let mut judge = Judge {
        record,
        given: vec![None; record.decisions.len()],
        violations: record.odd.clone(),
    };
    for at in 0..record.asks.len() {
        judge.answers(at);
    }
    for at in 0..record.decisions.len() {
        judge.delivery(at);
        judge.notes(at);
    }
    judge.words_elsewhere();
    judge.violations.extend(stored::judge(record));
    judge.violations
}

struct Judge<'r> {
    record: &'r Record,
    /// For each decision, the review that it was matched to.
    given: Vec<Option<usize>>,
    violations: Vec<String>,
}

/// Whether the decision can be about this review: the person had seen the agent's proposal or a
/// later version of it.
fn fits(decision: &Decision, ask: &Ask) -> bool {
    let is_after = match decision.shown == ask.text {
        // The same text was on screen, so it doesn't matter whether the proposal or the decision
        // came first.
        true => decision.ended > ask.begun,
        false => {
            // The person looked after the proposal, or the file again has the text on screen.
            let is_current = decision.file.as_ref() == Some(&decision.shown);
            decision.begun > ask.begun && (decision.looked > ask.begun || is_current)
        }
    };
    ask.plan.as_deref() == Some(&decision.plan) && is_after
}

/// Whether the message contains the requested changes word for word, and nothing else from a
/// person.
fn is_word_for_word(message: &str, words: &str) -> bool {
    let rest = message.strip_prefix(words);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(EDITED))
}

/// The part of the words that occurs in no other request.
fn mark(words: &str) -> &str {
    let from = words.find('(').unwrap_or_default();
    let to = words.find(')').map_or(words.len(), |at| at + 1);
    words.get(from..to).unwrap_or(words)
}

impl Judge<'_> {
    fn wrong(&mut self, what: String) {
        self.violations.push(what);
    }

    /// Whether a later proposal for the same plan was made before this moment.
    fn is_superseded(&self, at: usize, before: u64) -> bool {
        let ask = &self.record.asks[at];
        let asked = ask.asked.unwrap_or(u64::MAX);
        self.record.asks.iter().enumerate().any(|(other, one)| {
            let is_later = one.begun > asked && one.asked.is_some_and(|moment| moment < before);
            other != at && one.plan == ask.plan && is_later
        })
    }

    /// Finds a decision that explains an answer, and matches it to the review.
    fn explain(&mut self, at: usize, moment: u64, is_it: impl Fn(&Decision) -> bool) -> bool {
        let ask = &self.record.asks[at];
        let found = self
            .record
            .decisions
            .iter()
            .enumerate()
            .find(|(index, one)| {
                let is_free = self.given[*index].is_none_or(|given| given == at);
                is_free
                    && is_it(one)
                    && fits(one, ask)
                    && one.begun < moment
                    && !self.is_superseded(at, one.begun)
            });
        let found = found.map(|(index, _)| index);
        if let Some(index) = found {
            self.given[index] = Some(at);
        }
        found.is_some()
    }

    fn answers(&mut self, at: usize) {
        let ask = &self.record.asks[at];
        let mut last: Option<&Answer> = None;
        for (moment, answer) in &ask.answers {
            if last.is_some_and(|last| last != answer) {
                self.wrong(format!("the decision on review {at} changed"));
            }
            match answer {
                Answer::Waiting => continue,
                Answer::Approved(text) => self.approved(at, *moment, text),
                Answer::Refused(message) => self.refused(at, *moment, message, false),
                Answer::Changes(message) => self.refused(at, *moment, message, true),
            }
            last = Some(answer);
        }
    }

    fn approved(&mut self, at: usize, moment: u64, text: &str) {
        let is_it = |one: &Decision| one.is_for_agents() && one.text == text;
        if text.trim().is_empty() {
            self.wrong(format!("review {at}: an empty plan was approved"));
        } else if !self.explain(at, moment, is_it) {
            self.wrong(format!(
                "review {at}: approved without a person's decision on this text: {text:?}"
            ));
        }
    }

    fn refused(&mut self, at: usize, moment: u64, message: &str, is_request: bool) {
        let ask = &self.record.asks[at];
        let heard: Vec<usize> = self.requests_in(message);
        if ask.asked.is_none() {
            // If the same plan is proposed again, the agent is reminded of the earlier request.
            let is_repeated = |index: &usize| {
                let mut asks = self.record.asks.iter().enumerate();
                asks.any(|(other, one)| {
                    let is_same = one.conversation == ask.conversation && one.text == ask.text;
                    // An agent that was killed got no answer.
                    let is_heard = self.given[*index] == Some(other);
                    is_same && (is_heard || fits(&self.record.decisions[*index], one))
                })
            };
            if !heard.iter().all(is_repeated) {
                self.wrong(format!("review {at}: words for another agent: {message:?}"));
            }
            return;
        }
        let is_it = |one: &Decision| match &one.verdict {
            Verdict::Change(words) => one.is_accepted && is_word_for_word(message, words),
            Verdict::Approve { .. } => false,
        };
        if heard.len() > 1 {
            self.wrong(format!(
                "review {at}: words of several requests: {message:?}"
            ));
        } else if (is_request || !heard.is_empty()) && !self.explain(at, moment, is_it) {
            self.wrong(format!(
                "review {at}: nobody said this about it: {message:?}"
            ));
        }
    }

    /// The requests for changes whose words occur in a text.
    fn requests_in(&self, text: &str) -> Vec<usize> {
        let decisions = self.record.decisions.iter().enumerate();
        let found = decisions.filter(|(_, one)| match &one.verdict {
            Verdict::Change(words) => text.contains(mark(words)),
            Verdict::Approve { .. } => false,
        });
        found.map(|(index, _)| index).collect()
    }

    /// Checks that a decision reaches the agent that waits for it.
    fn delivery(&mut self, at: usize) {
        let decision = &self.record.decisions[at];
        let is_for_agents = match &decision.verdict {
            Verdict::Change(_) => decision.is_accepted,
            Verdict::Approve { .. } => decision.is_for_agents(),
        };
        if !is_for_agents {
            return;
        }
        let told = usize::from(self.given[at].is_some());
        let waiting = self.record.asks.iter().enumerate().filter(|(index, ask)| {
            let is_first = |one: &Decision| {
                let is_between = one.begun > ask.begun && one.begun < decision.begun;
                let may_be = one.is_accepted || one.place == Place::Editor;
                one.plan != decision.plan || !is_between || !may_be
            };
            ask.fate == Fate::Waits
                && fits(decision, ask)
                && ask.asked.is_some_and(|asked| asked < decision.begun)
                && !self.is_superseded(*index, u64::MAX)
                && self.record.decisions.iter().all(is_first)
        });
        let waiting: Vec<usize> = waiting.map(|(index, _)| index).collect();
        let is_dead = |ask: &&Ask| ask.fate != Fate::Waits && fits(decision, ask);
        if told == 0 && !waiting.is_empty() {
            self.wrong(format!("decision {at} didn't reach review {}", waiting[0]));
        } else if decision.told > 1 {
            self.wrong(format!(
                "decision {at} was given to {} reviews",
                decision.told
            ));
        } else if decision.told == 1
            && told == 0
            && !self.record.asks.iter().any(|one| is_dead(&one))
        {
            self.wrong(format!("decision {at} was given to an unknown review"));
        }
    }

    /// Checks that approving with notes adds only the notes.
    fn notes(&mut self, at: usize) {
        let decision = &self.record.decisions[at];
        let is_note = |line: &&str| decision.notes.iter().any(|note| line.contains(note));
        let (notes, rest): (Vec<&str>, Vec<&str>) = decision.text.lines().partition(is_note);
        let shown: Vec<&str> = decision.shown.lines().collect();
        if decision.is_accepted && (notes.len() != decision.notes.len() || rest != shown) {
            self.wrong(format!(
                "decision {at}: the notes changed more than they say"
            ));
        }
    }

    /// Checks that only the agent that waited for a person's words gets them.
    fn words_elsewhere(&mut self) {
        for (conversation, text) in &self.record.said {
            for index in self.requests_in(text) {
                let owner = self.given[index].map(|at| &self.record.asks[at].conversation);
                if owner != Some(conversation) {
                    self.wrong(format!(
                        "{conversation} got words for another agent: {text}"
                    ));
                }
            }
        }
        for (plan, revision, state, moment) in &self.record.states {
            let is_it = |one: &Decision| {
                let whole = Verdict::Approve {
                    run: false,
                    upto: None,
                };
                let may_be = one.is_accepted || one.place == Place::Editor;
                let is_right = one.verdict == whole && hash(&one.text) == *revision;
                may_be && is_right && one.plan == *plan && one.begun < *moment
            };
            if state == "approved" && !self.record.decisions.iter().any(is_it) {
                self.wrong(format!(
                    "an agent read that {plan} is approved at {revision}"
                ));
            }
        }
    }
}

/// Whether a text that was approved to run says that this file gets this content.
fn is_announced(text: &str, changed: &Changed) -> bool {
    let Some(path) = changed.path.strip_prefix("project/") else {
        return false;
    };
    let calls = text
        .lines()
        .filter(|line| line.trim_start().starts_with("- call: "));
    let calls = calls.map(|line| line.replace("\": \"", "\":\""));
    let mut calls = calls.filter(|line| line.contains(&format!("\"path\":\"{path}\"")));
    calls.any(|line| match (&changed.now, line.contains("`write_file ")) {
        (Some(now), true) => line.contains(&format!("\"content\":\"{now}\"")),
        (Some(_), false) => line.contains("`edit_file "),
        (None, _) => line.contains("`delete_file "),
    })
}
