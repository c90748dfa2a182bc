//! Hooks of several conversations: they ask, wait, ask again, give up, or are killed.

use std::time::Duration;

use serde_json::{Value, json};
use soundness::dice::Dice;

use super::Game;
use crate::hook::{Hook, Order, PATIENCE, Told};
use crate::record::{Answer, Ask, Fate};
use crate::texts;

/// A hook, and the review that it asked for.
pub(super) struct Waiting {
    pub(super) hook: Hook,
    /// The index of its review in the record.
    pub(super) ask: usize,
    /// The tool's input, which an approval must return.
    input: Value,
    /// Whether it waits for the window to open.
    is_opening: bool,
    is_over: bool,
    /// Whether its time limit ends as soon as the window is open.
    is_hurried: bool,
}

/// Number of conversations with hooks.
const CONVERSATIONS: usize = 3;

impl Game<'_> {
    /// A hook asks for a review of a text, which may be new, changed, the same or empty.
    pub(super) fn hook_asks(&mut self, dice: &mut Dice) -> Result<(), String> {
        let conversation = format!("claude-{}", dice.roll(CONVERSATIONS));
        let at = self.hook_starts(dice, &conversation)?;
        // Sometimes, a person decides before the hook has asked.
        if dice.chance(12) {
            self.decide_on_screen(dice, false)?;
        }
        self.hook_opens(at)
    }

    fn hook_starts(&mut self, dice: &mut Dice, conversation: &str) -> Result<usize, String> {
        let number = self.number();
        let mut asks = self.record.asks.iter().rev();
        let before = asks.find(|ask| ask.conversation == conversation);
        let before = before.map(|ask| ask.text.clone());
        let input = match (dice.roll(100), before) {
            (0..6, _) => texts::empty_input(dice),
            (6..20, Some(text)) => json!({"plan": text}),
            (20..70, Some(text)) => json!({"plan": texts::changed(dice, &text, number)}),
            _ => json!({"plan": texts::plan(dice, number), "later": [1, {"a": texts::odd(dice)}]}),
        };
        let text = input["plan"].as_str().unwrap_or_default().to_owned();
        let mut input = input;
        if let (1, Some(input)) = (dice.roll(6), input.as_object_mut()) {
            let file = self.file_of(dice, &text)?;
            input.insert("planFilePath".to_owned(), json!(file));
        }
        let event = json!({
            "session_id": conversation, "cwd": self.stage.project(), "permission_mode": "plan",
            "hook_event_name": "PermissionRequest", "tool_name": "ExitPlanMode",
            "tool_input": input,
        });
        let is_hurried = dice.chance(10);
        let limit = if is_hurried { Duration::ZERO } else { PATIENCE };
        let begun = self.moments.next();
        let moments = self.moments.clone();
        let hook = match dice.chance(8) && !is_hurried {
            true => {
                let variables = self.stage.variables();
                Hook::process(self.program, variables, &event.to_string(), moments)?
            }
            false => Hook::thread(self.stage.open()?, event.to_string(), limit, moments),
        };
        self.say(format!("{conversation} asks about {text:?}"));
        self.record.asks.push(Ask {
            conversation: conversation.to_owned(),
            text,
            review: None,
            plan: None,
            begun,
            asked: None,
            fate: if is_hurried {
                Fate::Stopped
            } else {
                Fate::Waits
            },
            answers: Vec::new(),
        });
        self.hooks.push(Waiting {
            hook,
            ask: self.record.asks.len() - 1,
            input,
            is_opening: false,
            is_over: false,
            is_hurried,
        });
        Ok(self.hooks.len() - 1)
    }

    /// The file that a hook names: its own, someone else's, or one that isn't a plan.
    fn file_of(&mut self, dice: &mut Dice, text: &str) -> Result<String, String> {
        let project = self.stage.project();
        Ok(match (dice.roll(4), self.plan(dice)) {
            (0, _) => project.join("docs/guide.md").display().to_string(),
            (1, _) => "../outside.md".to_owned(),
            (2, Some(plan)) => plan,
            _ => {
                let file = project.join(".claude/plans/p.md").display().to_string();
                self.stage.set(&file, Some(text))?;
                file
            }
        })
    }

    /// Waits until the hook asks for a window, or ends.
    fn hook_opens(&mut self, at: usize) -> Result<(), String> {
        let told = self.hooks[at].hook.told.recv_timeout(PATIENCE);
        let told = told.map_err(|error| format!("a hook doesn't ask: {error}"))?;
        self.is_told(at, told);
        Ok(())
    }

    fn is_told(&mut self, at: usize, told: Told) {
        let waiting = &mut self.hooks[at];
        let ask = &mut self.record.asks[waiting.ask];
        match told {
            Told::Opened(plan, moment) => {
                waiting.is_opening = true;
                ask.asked = Some(moment);
                ask.plan = Some(plan);
            }
            Told::Ended(answer, moment) => {
                waiting.is_over = true;
                let answer = answer.map(|answer| understood(&answer, &waiting.input));
                let line = format!("{} is answered {answer:?}", ask.conversation);
                match answer {
                    Some(Ok(answer)) => ask.answers.push((moment, answer)),
                    Some(Err(error)) => self.record.odd.push(error),
                    None if ask.fate != Fate::Killed => {
                        self.record
                            .odd
                            .push("a hook ended without an answer".to_owned());
                    }
                    None => {}
                }
                self.say(line);
            }
        }
    }

    /// Records the answers that hooks have received.
    pub(super) fn hear(&mut self) -> Result<(), String> {
        for at in 0..self.hooks.len() {
            while let Ok(told) = self.hooks[at].hook.told.try_recv() {
                self.is_told(at, told);
            }
        }
        Ok(())
    }

    /// Waits until a hook is answered.
    fn hook_is_answered(&mut self, at: usize) -> Result<(), String> {
        while !self.hooks[at].is_over {
            let told = self.hooks[at].hook.told.recv_timeout(PATIENCE);
            let told = told.map_err(|error| format!("a hook isn't answered: {error}"))?;
            self.is_told(at, told);
        }
        Ok(())
    }

    /// A hook that asked for a window starts to wait, or learns that the window can't be opened.
    pub(super) fn hook_goes_on(&mut self, dice: &mut Dice) -> Result<(), String> {
        let at = dice.roll(self.hooks.len());
        let is_dark = dice.chance(8);
        if self.hooks.get(at).is_some_and(|hook| hook.is_opening) {
            self.hook_is_let_go(at, is_dark)?;
        }
        Ok(())
    }

    fn hook_is_let_go(&mut self, at: usize, is_dark: bool) -> Result<(), String> {
        let waiting = &mut self.hooks[at];
        waiting.is_opening = false;
        match is_dark {
            true => {
                self.record.asks[waiting.ask].fate = Fate::Stopped;
                waiting.hook.order(Order::Fail);
            }
            false => waiting.hook.order(Order::Go),
        }
        match is_dark || waiting.is_hurried {
            true => self.hook_is_answered(at),
            false => Ok(()),
        }
    }

    /// The host gives up, or the hook is killed.
    pub(super) fn hook_ends(&mut self, dice: &mut Dice) -> Result<(), String> {
        let at = dice.roll(self.hooks.len());
        match self.hooks.get(at) {
            Some(waiting) if !waiting.is_over => self.hook_is_stopped(at, true),
            _ => Ok(()),
        }
    }

    fn hook_is_stopped(&mut self, at: usize, may_kill: bool) -> Result<(), String> {
        self.hear()?;
        let waiting = &mut self.hooks[at];
        let ask = &mut self.record.asks[waiting.ask];
        if waiting.is_over {
            return Ok(());
        }
        let line = format!("{} is stopped", ask.conversation);
        if may_kill && waiting.hook.kill() {
            ask.fate = Fate::Killed;
            self.counts.kills += 1;
        } else {
            if may_kill {
                ask.fate = Fate::Stopped;
            }
            waiting.hook.order(Order::Cancel);
            if std::mem::take(&mut waiting.is_opening) {
                waiting.hook.order(Order::Go);
            }
        }
        self.say(line);
        self.hook_is_answered(at)
    }

    /// Ends all hooks; if they aren't stopped, they end because the window is closed.
    pub(super) fn hooks_end(&mut self, is_stopped: bool) -> Result<(), String> {
        for at in 0..self.hooks.len() {
            if is_stopped {
                self.hook_is_stopped(at, false)?;
                continue;
            }
            if self.hooks[at].is_opening {
                self.hook_is_let_go(at, false)?;
            }
        }
        (0..self.hooks.len()).try_for_each(|at| self.hook_is_answered(at))
    }
}

/// How the host interprets a hook's answer.
fn understood(answer: &Value, input: &Value) -> Result<Answer, String> {
    let output = &answer["hookSpecificOutput"];
    let decision = &output["decision"];
    let odd = || format!("the host can't use this answer: {answer}");
    if output["hookEventName"] != "PermissionRequest" {
        return Err(odd());
    }
    if decision["behavior"] == "deny" {
        let message = decision["message"].as_str().ok_or_else(odd)?;
        return Ok(Answer::Refused(message.to_owned()));
    }
    let text = decision["updatedInput"]["plan"].as_str().ok_or_else(odd)?;
    let mut same = input.clone();
    same["plan"] = json!(text);
    match decision["behavior"] == "allow" && decision["updatedInput"] == same {
        true => Ok(Answer::Approved(text.to_owned())),
        false => Err(odd()),
    }
}
