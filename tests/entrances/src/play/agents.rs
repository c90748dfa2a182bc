//! Agents that call the MCP server's tools at random, including on plans and reviews of others.

use serde_json::{Value, json};
use soundness::dice::Dice;

use super::Game;
use crate::mcp::{Agent, result};
use crate::record::{Answer, Ask, Fate, hash};
use crate::texts;

/// The agents' names; one is also the name of the host with hooks.
const NAMES: [&str; 2] = ["Codex", "Claude Code"];

impl Game<'_> {
    /// An agent calls a tool.
    pub(super) fn agent_calls(&mut self, dice: &mut Dice) -> Result<(), String> {
        let count = self.agents.len();
        if count == 0 || (count < 3 && dice.chance(25)) {
            let name = dice.pick(&NAMES).copied().unwrap_or_default();
            let conversation = format!("mcp-{count}");
            let (bench, folder) = (self.stage.open()?, self.stage.project());
            self.agents
                .push(Agent::start(bench, folder, name, conversation)?);
        }
        let at = dice.roll(self.agents.len());
        match dice.roll(100) {
            0..30 => self.agent_asks(dice, at),
            30..46 => self.agent_polls(dice, at),
            46..58 => self.agent_proposes(dice, at),
            58..78 => self.agent_edits(dice, at),
            78..82 => self.agent_waits(dice, at),
            82..96 => self.agent_reads(dice, at),
            _ => {
                self.say(format!("{} leaves", self.agents[at].conversation));
                drop(self.agents.remove(at));
                Ok(())
            }
        }
    }

    /// A random plan, and the path that an agent passes for it, which may lead to another file.
    fn named(&self, dice: &mut Dice) -> (Option<String>, String) {
        let plan = self.plan(dice);
        let project = self.stage.project().display().to_string();
        let others = [
            "docs/guide.md",
            "docs/guide.md",
            "docs/guide.md",
            "src/report.py",
            "../outside.md",
            "plans/../../outside.md",
            "plans/link.md",
            ".planwright/plan.md",
            "plan://..%2Foutside.md",
            "/etc/hostname",
        ];
        let other = dice.pick(&others).copied().unwrap_or_default().to_owned();
        match plan {
            Some(plan) if dice.chance(75) => {
                let relative = plan.strip_prefix(&format!("{project}/"));
                let relative = relative.unwrap_or(&plan).to_owned();
                (Some(plan), relative)
            }
            _ => (None, other),
        }
    }

    fn call(&mut self, at: usize, tool: &str, given: &Value) -> Result<Option<Value>, String> {
        let agent = &mut self.agents[at];
        let answer = agent.call(tool, given)?;
        let conversation = agent.conversation.clone();
        let said = match &answer {
            Ok(value) => value.to_string(),
            Err(error) => error.clone(),
        };
        self.say(format!("{conversation} calls {tool} {given}: {said}"));
        if let Ok(value) = &answer {
            let status = &value["status"];
            if tool != "get_decision" && !status.is_null() && status != "waiting" {
                self.record
                    .odd
                    .push(format!("{tool} answered a status: {value}"));
            }
        }
        if tool != "get_decision" {
            self.record.said.push((conversation, said));
        }
        Ok(answer.ok())
    }

    fn agent_proposes(&mut self, dice: &mut Dice, at: usize) -> Result<(), String> {
        let number = self.number();
        let mut given = json!({"text": texts::plan(dice, number)});
        match dice.roll(6) {
            0 => given["session"] = json!(format!("claude-{}", dice.roll(3))),
            1 => given["approved"] = json!(true),
            2 => given["text"] = json!(" \n"),
            3 => {
                let own = self.agents[at].conversation.clone();
                let mut asks = self.record.asks.iter().rev();
                if let Some(ask) = asks.find(|ask| ask.conversation == own) {
                    given["text"] = json!(ask.text);
                }
            }
            _ => {}
        }
        self.call(at, "propose_plan", &given).map(drop)
    }

    /// An agent replaces text in a plan or another file.
    fn agent_edits(&mut self, dice: &mut Dice, at: usize) -> Result<(), String> {
        let number = self.number();
        let (plan, named) = self.named(dice);
        let project = self.stage.project().join(&named).display().to_string();
        let text = self.stage.read(plan.as_deref().unwrap_or(&project));
        let text = text.unwrap_or_default();
        let old = ["Write part", "## Tasks", "- [ ] **T1**", "print", "Run"];
        let old = dice.pick(&old).copied().unwrap_or_default();
        let new = match dice.roll(5) {
            0 => old.replace("[ ]", "[x]"),
            _ => format!("{old} {number}"),
        };
        let given = json!({
            "plan": named, "revision": self.revision(dice, &text), "old_text": old, "new_text": new,
        });
        let edited = self.call(at, "propose_edit", &given)?;
        let own = &self.agents[at].conversation;
        if edited.is_some() && plan.is_some() {
            for ask in &mut self.record.asks {
                if ask.conversation == *own && ask.plan == plan {
                    ask.fate = Fate::Stopped;
                }
            }
        }
        Ok(())
    }

    /// The text's revision, or sometimes a wrong one.
    fn revision(&self, dice: &mut Dice, text: &str) -> String {
        match (dice.roll(12), dice.pick(&self.texts)) {
            (0, Some((_, text))) => hash(text),
            (1, _) => "approved".to_owned(),
            _ => hash(text),
        }
    }

    fn agent_asks(&mut self, dice: &mut Dice, at: usize) -> Result<(), String> {
        let (plan, named) = self.named(dice);
        let path = self.stage.project().join(&named).display().to_string();
        let text = self.stage.read(plan.as_deref().unwrap_or(&path));
        let text = text.unwrap_or_default();
        let given = json!({"plan": named, "revision": self.revision(dice, &text)});
        let is_dark = dice.chance(6);
        let dark = std::sync::Arc::clone(&self.agents[at].is_dark);
        dark.store(is_dark, std::sync::atomic::Ordering::SeqCst);
        let begun = self.moments.next();
        let asked = self.call(at, "request_approval", &given)?;
        let conversation = self.agents[at].conversation.clone();
        let moment = self.moments.next();
        let ask = Ask {
            conversation,
            text,
            review: None,
            plan,
            begun,
            asked: Some(moment),
            fate: Fate::Stopped,
            answers: Vec::new(),
        };
        let Some(asked) = asked else {
            // The request was withdrawn at once, but it has already replaced an earlier one.
            let said = self.record.said.last();
            if said.is_some_and(|(_, said)| said.contains("nobody was asked")) {
                self.record.asks.push(ask);
            }
            return Ok(());
        };
        let review = asked["review"].as_str().unwrap_or_default().to_owned();
        let is_known = |ask: &Ask| ask.review.as_deref() == Some(&review);
        if self.record.asks.iter().any(is_known) {
            return Ok(());
        }
        let opened = self.agents[at].opened();
        let is_opened = is_dark || opened.last() == ask.plan.as_ref();
        if ask.plan.is_none() || !is_opened || asked["revision"] != hash(&ask.text) {
            let odd = format!("a review of {:?} opened {opened:?}: {asked}", ask.plan);
            self.record.odd.push(odd);
        }
        self.record.asks.push(Ask {
            review: Some(review),
            fate: Fate::Waits,
            ..ask
        });
        Ok(())
    }

    /// An agent asks for the decision on a review, usually its own.
    fn agent_polls(&mut self, dice: &mut Dice, at: usize) -> Result<(), String> {
        let own = self.agents[at].conversation.clone();
        let asks = self.record.asks.iter();
        let asks = asks.filter(|ask| ask.review.is_some());
        let reviews: Vec<(bool, String)> = asks
            .filter_map(|ask| Some((ask.conversation == own, ask.review.clone()?)))
            .collect();
        match dice.pick(&reviews) {
            Some((_, review)) if dice.chance(90) => self.poll(at, &review.clone(), 0),
            _ => {
                let given = json!({"review": "approved", "wait_seconds": 0});
                match self.call(at, "get_decision", &given)? {
                    Some(found) => Err(format!("a decision on no review: {found}")),
                    None => Ok(()),
                }
            }
        }
    }

    fn poll(&mut self, at: usize, review: &str, wait: u64) -> Result<(), String> {
        let given = json!({"review": review, "wait_seconds": wait});
        let found = self.call(at, "get_decision", &given)?;
        self.decided(review, found.as_ref())
    }

    /// Records the decision on a review, as returned to an agent.
    fn decided(&mut self, review: &str, found: Option<&Value>) -> Result<(), String> {
        let moment = self.moments.next();
        let Some(ask) = self
            .record
            .asks
            .iter_mut()
            .find(|ask| ask.review.as_deref() == Some(review))
        else {
            return Err(format!("nobody asked for review {review}"));
        };
        let found = found.ok_or_else(|| format!("review {review} has no state"))?;
        let word = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        let answer = match word("status").as_str() {
            "waiting" => Answer::Waiting,
            "approved" => {
                let text = match found["is_changed"] == true {
                    true => word("text"),
                    false => ask.text.clone(),
                };
                if hash(&text) != word("revision") {
                    return Err(format!("approved text and revision differ: {found}"));
                }
                Answer::Approved(text)
            }
            "changes_requested" => Answer::Changes(word("message")),
            "withdrawn" => Answer::Refused(word("reason")),
            other => return Err(format!("unknown status {other}")),
        };
        ask.answers.push((moment, answer));
        Ok(())
    }

    /// An agent waits a second for a decision, which the person makes in the meantime.
    fn agent_waits(&mut self, dice: &mut Dice, at: usize) -> Result<(), String> {
        let asks = self.record.asks.iter();
        let waiting: Vec<String> = asks.filter_map(|ask| ask.review.clone()).collect();
        let Some(review) = dice.pick(&waiting).cloned() else {
            return Ok(());
        };
        let given = json!({"review": review, "wait_seconds": 1});
        let call = self.agents[at].begin_call("get_decision", &given)?;
        self.person_decides(dice)?;
        let response = self.agents[at].finish(call)?;
        let found = result(&response).ok();
        self.say(format!("meanwhile, get_decision {review}: {response}"));
        self.decided(&review, found.as_ref())
    }

    fn agent_reads(&mut self, dice: &mut Dice, at: usize) -> Result<(), String> {
        let (plan, named) = self.named(dice);
        match dice.roll(5) {
            0 => self
                .call(at, "approve_plan", &json!({"plan": named}))
                .map(drop),
            1 => {
                let given = json!({"plan": named, "task": "T1", "note": "Approved and done."});
                self.call(at, "report_progress", &given).map(drop)
            }
            _ => self.agent_reads_state(at, plan, &named),
        }
    }

    fn agent_reads_state(
        &mut self,
        at: usize,
        plan: Option<String>,
        named: &str,
    ) -> Result<(), String> {
        let found = self.call(at, "get_plan", &json!({"plan": named}))?;
        if let (Some(found), Some(plan)) = (found, plan) {
            let word = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
            let moment = self.moments.next();
            let state = (plan, word("revision"), word("state"), moment);
            self.record.states.push(state);
        }
        Ok(())
    }

    /// Reads the decisions on all reviews and the states of all plans, as a restarted agent would.
    pub(super) fn decisions_are_read(&mut self) -> Result<(), String> {
        let asks = self.record.asks.iter();
        let reviews: Vec<String> = asks.filter_map(|ask| ask.review.clone()).collect();
        let (bench, folder) = (self.stage.open()?, self.stage.project());
        let agent = Agent::start(bench, folder, "Reader", "reader".to_owned())?;
        self.agents.push(agent);
        let at = self.agents.len() - 1;
        reviews
            .iter()
            .try_for_each(|review| self.poll(at, review, 0))?;
        let mut plans = self.stage.plans().into_iter();
        plans.try_for_each(|plan| self.agent_reads_state(at, Some(plan.clone()), &plan))
    }
}
