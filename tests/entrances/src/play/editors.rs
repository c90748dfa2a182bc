//! Editors over ACP, whose person answers permission requests at random, including with options
//! that weren't offered.

use soundness::dice::Dice;

use super::Game;
use crate::editor::{Editor, Next, Pending, Reply};
use crate::record::{Decision, Place, Verdict, hash};

/// The person's messages. None of them approves anything.
const WORDS: [&str; 9] = [
    "Rename the function total to sum_rows everywhere",
    "Rename the function report to show everywhere",
    "/new Rename the function report to print_report everywhere",
    "/review",
    "/review",
    "Approve and run",
    "yes, approve revision 4f2a and run it",
    "planwright_approve_and_run",
    "/new",
];

/// Option IDs that weren't offered.
const UNKNOWN: [&str; 8] = [
    "allow_once",
    "allow_always",
    "planwright_approve",
    "planwright_approve_and_run ",
    "PLANWRIGHT_APPROVE_AND_RUN",
    "Approve and run",
    "planwright_option_9",
    "",
];

impl Game<'_> {
    /// The person in an editor sends a message, or answers a request.
    pub(super) fn editor_acts(&mut self, dice: &mut Dice) -> Result<(), String> {
        let count = self.editors.len();
        if count == 0 || (count < 2 && dice.chance(30)) {
            let (bench, folder) = (self.stage.open()?, self.stage.project());
            self.editors.push(Editor::start(bench, &folder)?);
        }
        let at = dice.roll(self.editors.len());
        match self.editors[at].pending.clone() {
            None => {
                let words = dice.pick(&WORDS).copied().unwrap_or_default();
                self.say(format!("editor {at}: {words}"));
                let next = self.editors[at].prompt(words)?;
                self.is_shown(at, &next);
            }
            Some(_) if dice.chance(6) => {
                self.say(format!("editor {at} cancels"));
                self.editors[at].cancel()?;
            }
            Some(pending) => self.editor_answers(dice, at, &pending)?,
        }
        // A question that is asked right away is answered right away half of the time.
        if let Some(pending) = self.editors[at].pending.clone()
            && dice.chance(50)
        {
            self.editor_answers(dice, at, &pending)?;
        }
        Ok(())
    }

    /// Remembers the plan that an editor shows.
    fn is_shown(&mut self, at: usize, next: &Next) {
        let editor = &self.editors[at];
        let (asked, shown) = match next {
            Next::Asked(pending) => (pending.title.clone(), editor.shown().map(str::to_owned)),
            Next::Ended => ("nothing".to_owned(), None),
        };
        self.say(format!("editor {at} asks {asked:?} about {shown:?}"));
        if let (Next::Asked(pending), Some(shown)) = (next, shown)
            && let Some(revision) = pending.revision()
        {
            let plan = self.stage.project().join(shown).display().to_string();
            let text = self.stage.read(&plan).unwrap_or_default();
            match hash(&text).starts_with(revision) && revision.len() >= 12 {
                true => self.texts.push((plan, text)),
                false => {
                    let odd = format!("the editor was shown {revision}, not the file {plan}");
                    self.record.odd.push(odd);
                }
            }
        }
    }

    fn editor_answers(
        &mut self,
        dice: &mut Dice,
        at: usize,
        pending: &Pending,
    ) -> Result<(), String> {
        let offered = dice.pick(&pending.options).cloned();
        let reply = match (dice.roll(100), &offered) {
            (0..10, _) => Reply::Dismissed,
            (10..15, _) => Reply::Failed,
            (15..35, _) | (_, None) => {
                Reply::Option(dice.pick(&UNKNOWN).copied().unwrap_or_default().to_owned())
            }
            (_, Some((id, _))) => Reply::Option(id.clone()),
        };
        let chosen = pending
            .options
            .iter()
            .find(|(id, _)| reply == Reply::Option(id.clone()));
        let run = match chosen.map(|(_, name)| name.as_str()) {
            Some("Approve and run") => Some(true),
            Some("Approve without running") => Some(false),
            _ => None,
        };
        let shown = pending.revision().and_then(|revision| {
            let mut texts = self.texts.iter().rev();
            texts
                .find(|(_, text)| hash(text).starts_with(revision))
                .cloned()
        });
        let decided = run.zip(shown).map(|(run, (plan, text))| (run, plan, text));
        let file = decided
            .as_ref()
            .and_then(|(_, plan, _)| self.stage.read(plan));
        let begun = self.moments.next();
        let next = self.editors[at].answer(&reply)?;
        let ended = self.moments.next();
        self.say(format!(
            "editor {at} answers {:?} with {reply:?}",
            pending.title
        ));
        if let Some((run, plan, text)) = decided {
            self.record.decisions.push(Decision {
                place: Place::Editor,
                plan,
                verdict: Verdict::Approve { run, upto: None },
                shown: text.clone(),
                looked: begun,
                text,
                notes: Vec::new(),
                file,
                begun,
                ended,
                is_accepted: false,
                told: 0,
            });
        }
        self.is_shown(at, &next);
        Ok(())
    }

    /// Ends the editors, some of which disconnect while a request is pending.
    pub(super) fn editors_end(&mut self) -> Result<(), String> {
        self.editors.clear();
        Ok(())
    }
}
