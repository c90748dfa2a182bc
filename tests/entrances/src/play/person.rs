//! The person in the window: looks, edits, approves in every possible way, requests changes, or
//! does nothing.

use soundness::dice::Dice;

use super::Game;
use crate::record::{Decision, Place, Verdict, hash};
use crate::texts;
use crate::window::{Approving, Shown};

impl Game<'_> {
    /// Looks at a plan.
    pub(super) fn person_looks(&mut self, dice: &mut Dice) -> Result<(), String> {
        let Some(plan) = self.plan(dice) else {
            return Ok(());
        };
        self.look_at(&plan).map(drop)
    }

    fn look_at(&mut self, plan: &str) -> Result<Option<Shown>, String> {
        let Some(window) = &self.window else {
            return Ok(None);
        };
        let shown = window.look(&self.stage, plan, &self.moments)?;
        if let Some(shown) = &shown {
            self.screen.insert(plan.to_owned(), shown.clone());
            self.transcript.push(format!(
                "the person looks at {plan} at {}",
                &shown.revision[..12]
            ));
        }
        Ok(shown)
    }

    /// Changes the text of a plan in the window.
    pub(super) fn person_edits(&mut self, dice: &mut Dice) -> Result<(), String> {
        let (number, plan) = (self.number(), self.plan(dice));
        let Some(plan) = plan else {
            return Ok(());
        };
        let shown = match self.screen.get(&plan).filter(|_| dice.chance(20)) {
            Some(shown) => Some(shown.clone()),
            None => self.look_at(&plan)?,
        };
        let (Some(shown), Some(window)) = (shown, &self.window) else {
            return Ok(());
        };
        if window.edit(&plan, &shown, |text| texts::changed(dice, text, number)) {
            let text = self.stage.read(&plan).unwrap_or_default();
            self.say(format!("the person edits {plan}: {text:?}"));
            self.texts.push((plan.clone(), text.clone()));
            self.record.written.insert(text, false);
            self.look_at(&plan)?;
        }
        Ok(())
    }

    /// Decides about a plan, usually after looking at it.
    pub(super) fn person_decides(&mut self, dice: &mut Dice) -> Result<(), String> {
        if dice.chance(75)
            && let Some(plan) = self.plan(dice)
        {
            self.look_at(&plan)?;
            return self.decide_on(dice, &plan, true);
        }
        self.decide_on_screen(dice, true)
    }

    /// Decides about a plan that the person looked at earlier. Unless `is_alone`, something else
    /// happens concurrently, so the file may change.
    pub(super) fn decide_on_screen(
        &mut self,
        dice: &mut Dice,
        is_alone: bool,
    ) -> Result<(), String> {
        let plans: Vec<String> = self.screen.keys().cloned().collect();
        match dice.pick(&plans) {
            Some(plan) => self.decide_on(dice, plan, is_alone),
            None => Ok(()),
        }
    }

    fn decide_on(&mut self, dice: &mut Dice, plan: &str, is_alone: bool) -> Result<(), String> {
        let Some(shown) = self.screen.get(plan).cloned() else {
            return Ok(());
        };
        match dice.roll(100) {
            0..35 => self.request(dice, plan, shown, is_alone),
            35..75 => self.approve(plan, shown, Approving::default(), is_alone),
            75..83 => {
                let run = Approving {
                    run: true,
                    is_asked: dice.chance(30),
                    ..Approving::default()
                };
                self.approve(plan, shown, run, is_alone)
            }
            83..90 => {
                let upto = Some("T1".to_owned());
                let part = Approving {
                    upto,
                    ..Approving::default()
                };
                self.approve(plan, shown, part, is_alone)
            }
            _ => {
                let note = format!("Note {}: {}", self.number(), texts::odd(dice));
                // A note is a single line of visible text.
                let note = note.replace(|c: char| c.is_control() || c == '\u{2028}', " ");
                let note = note.trim().to_owned();
                let noted = Approving {
                    notes: vec![("T1".to_owned(), note)],
                    ..Approving::default()
                };
                self.approve(plan, shown, noted, is_alone)
            }
        }
    }

    fn approve(
        &mut self,
        plan: &str,
        shown: Shown,
        approving: Approving,
        is_alone: bool,
    ) -> Result<(), String> {
        let Some(window) = &self.window else {
            return Ok(());
        };
        let file = self.stage.read(plan).filter(|_| is_alone);
        let begun = self.moments.next();
        let given = window.approve(plan, &shown, &approving);
        let ended = self.moments.next();
        let notes: Vec<String> = approving.notes.into_iter().map(|(_, note)| note).collect();
        let text = match (&given, notes.is_empty()) {
            (Ok((revision, _)), false) => {
                let texts = [self.stage.read(plan), self.noted(plan, revision)];
                let mut texts = texts.into_iter().flatten();
                let text = texts.find(|text| hash(text) == *revision);
                text.ok_or_else(|| format!("{plan} isn't what was approved with notes"))?
            }
            (_, _) => shown.text.clone(),
        };
        if let Ok((revision, _)) = &given
            && hash(&text) != *revision
        {
            let odd = format!("the window approved {revision} instead of what it showed");
            self.record.odd.push(odd);
        }
        if given.is_ok() && !notes.is_empty() {
            self.record.written.insert(text.clone(), false);
        }
        let (run, upto) = (approving.run, approving.upto);
        self.say(format!(
            "the person approves {plan} at {} (run {run}, up to {upto:?}, notes {notes:?}): {:?}",
            &shown.revision[..12],
            given.as_ref().map(|(_, told)| told)
        ));
        self.record.decisions.push(Decision {
            place: Place::Window,
            plan: plan.to_owned(),
            verdict: Verdict::Approve { run, upto },
            shown: shown.text,
            looked: shown.looked,
            text,
            notes,
            file,
            begun,
            ended,
            is_accepted: given.is_ok(),
            told: given.map_or(0, |(_, told)| told),
        });
        Ok(())
    }

    /// The text of a revision, with the file's line endings.
    fn noted(&self, plan: &str, revision: &str) -> Option<String> {
        self.window.as_ref()?.revision(plan, revision)
    }

    fn request(
        &mut self,
        dice: &mut Dice,
        plan: &str,
        shown: Shown,
        is_alone: bool,
    ) -> Result<(), String> {
        let number = self.number();
        let words = texts::words(dice, number);
        let Some(window) = &self.window else {
            return Ok(());
        };
        let file = self.stage.read(plan).filter(|_| is_alone);
        let begun = self.moments.next();
        let told = window.request_changes(plan, &shown, &words);
        let ended = self.moments.next();
        self.say(format!(
            "the person requests changes of {plan}: {words:?}: {told:?}"
        ));
        self.record.decisions.push(Decision {
            place: Place::Window,
            plan: plan.to_owned(),
            verdict: Verdict::Change(words),
            text: shown.text.clone(),
            shown: shown.text,
            looked: shown.looked,
            notes: Vec::new(),
            file,
            begun,
            ended,
            is_accepted: told.is_ok(),
            told: told.unwrap_or(0),
        });
        Ok(())
    }

    /// Checks that everything the person wrote can still be read.
    pub(super) fn texts_are_there(&mut self) -> Result<(), String> {
        let Some(window) = &self.window else {
            return Ok(());
        };
        let plans = self.stage.plans();
        let known = plans.iter().chain(self.screen.keys());
        let plain = |text: &str| text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
        for (text, is_there) in &mut self.record.written {
            let revision = hash(text);
            let mut found = known
                .clone()
                .filter_map(|plan| window.revision(plan, &revision));
            *is_there = found.any(|found| plain(&found) == plain(text));
        }
        let comments = self.stage.comments()?;
        for decision in &self.record.decisions {
            if let Verdict::Change(words) = &decision.verdict
                && decision.is_accepted
                && !comments.contains(words)
            {
                self.record.lost.push(words.clone());
            }
        }
        Ok(())
    }
}
