//! The open question about a plan. It is opened if [`adequacy::clarification`] considers it worth a
//! person's time, and an answer applies the changes of the chosen option.
//!
//! At most one question is open across all plans. A resolved question isn't asked again, and one
//! that the plan no longer raises is withdrawn.

use adequacy::clarification::{AskInput, Decision, Load, Question, ambiguities, decide};
use plan::Revision;
use serde_json::{Value, json};
use store::AskedQuestion;

use crate::document::ParsedPlan;
use crate::editing::refused;
use crate::run_views::title_of;
use crate::wire::{DesktopEvent, EditOutcome, InboxItem, PlanOption, PlanQuestion};
use crate::{Desktop, Shared};
use workbench::error::Result;

/// Maximum size of a plan to ask about, in bytes.
const LARGEST: usize = 1 << 20;

impl Desktop {
    /// Returns the open question about a plan. If no plan has an open question, opens one for this
    /// plan if there is anything to ask.
    pub fn plan_question(&self, plan: &str) -> Result<Option<PlanQuestion>> {
        let (_, parsed) = self.shared.parsed_now(plan)?;
        let waiting = self.shared.waiting_question(Some(&parsed))?;
        let asked = match waiting {
            Some(asked) if asked.plan == parsed.key => asked,
            Some(_) => return Ok(None),
            None => match self.shared.open_question(&parsed)? {
                Some(asked) => asked,
                None => return Ok(None),
            },
        };
        Ok(shown(&asked))
    }

    /// Answers the open question by applying the chosen option to the plan, as one undo step.
    ///
    /// # Errors
    /// [`workbench::Code::Usage`] if the question is no longer open or has no such option;
    /// otherwise the same as [`Desktop::edit`].
    pub fn answer_question(&self, id: &str, option: u32) -> Result<EditOutcome> {
        let asked = self.shared.workbench().store.plan_questions().get(id)?;
        let asked = asked.filter(|asked| asked.settled_ms.is_none());
        let asked = asked.ok_or_else(|| {
            err!(Usage:
            "this question is no longer open; reload the plan")
        })?;
        let (_, parsed) = self.shared.parsed_now(&asked.plan)?;
        let Some(question) = still_asked(&parsed, &asked) else {
            self.shared.settle_question(id, None)?;
            return Err(err!(Usage:
                "the plan no longer raises this question, so nothing was changed"));
        };
        let chosen = usize::try_from(option).ok();
        let chosen = chosen.and_then(|option| question.options.get(option));
        let chosen = chosen.ok_or_else(|| err!(Usage: "the question has no option {option}"))?;
        let ours =
            adequacy::made_on(&chosen.mends, parsed.text(), &parsed.plan).map_err(refused)?;
        let outcome = self.shared.write_merged(&parsed, &ours, &chosen.label)?;
        if !matches!(outcome, EditOutcome::Conflict { .. }) {
            self.shared.settle_question(id, Some(option))?;
        }
        Ok(outcome)
    }
}

impl Shared {
    /// The open question as an Inbox item.
    pub(crate) fn asked_of_plans(&self) -> Result<Option<InboxItem>> {
        let Some(asked) = self.waiting_question(None)? else {
            return Ok(None);
        };
        let Ok((located, parsed)) = self.parsed_now(&asked.plan) else {
            // A question can't be answered without its plan.
            self.settle_question(&asked.id, None)?;
            return Ok(None);
        };
        if still_asked(&parsed, &asked).is_none() {
            self.settle_question(&asked.id, None)?;
            return Ok(None);
        }
        Ok(Some(InboxItem {
            id: asked.id.clone(),
            workspace: located.root.display().to_string(),
            plan: asked.plan.clone(),
            title: title_of(&parsed.plan, &asked.plan),
            kind: "plan_question".to_owned(),
            message: text(&body(&asked)["question"]),
            since_ms: asked.since_ms,
            ..InboxItem::default()
        }))
    }

    /// Returns the open question. If it is about `parsed` and that plan no longer raises it,
    /// withdraws it and returns `None`.
    fn waiting_question(&self, parsed: Option<&ParsedPlan>) -> Result<Option<AskedQuestion>> {
        let waiting = self.workbench().store.plan_questions().waiting()?;
        let Some(asked) = waiting else {
            return Ok(None);
        };
        let is_stale = parsed.is_some_and(|parsed| {
            parsed.key == asked.plan && still_asked(parsed, &asked).is_none()
        });
        if is_stale {
            self.settle_question(&asked.id, None)?;
            return Ok(None);
        }
        Ok(Some(asked))
    }

    fn settle_question(&self, id: &str, choice: Option<u32>) -> Result<()> {
        let workbench = self.workbench();
        let now = workbench.clock.now_ms();
        let is_news = workbench.store.plan_questions().settle(id, choice, now)?;
        drop(workbench);
        if is_news {
            self.events.send(DesktopEvent::Inbox);
        }
        Ok(())
    }

    /// Opens the first of the questions about a plan that haven't been asked before, if there is
    /// one.
    fn open_question(&self, parsed: &ParsedPlan) -> Result<Option<AskedQuestion>> {
        if parsed.text().len() > LARGEST {
            return Ok(None);
        }
        for question in questions(parsed) {
            let workbench = self.workbench();
            let asked = AskedQuestion {
                id: question_id(&parsed.key, &question.id),
                plan: parsed.key.clone(),
                revision: parsed.revision().as_str().to_owned(),
                body: body_of(&question).to_string(),
                since_ms: workbench.clock.now_ms(),
                settled_ms: None,
                choice: None,
            };
            let is_open = workbench.store.plan_questions().open(&asked)?;
            drop(workbench);
            if is_open {
                self.events.send(DesktopEvent::Inbox);
                return Ok(Some(asked));
            }
        }
        Ok(None)
    }
}

/// Everything worth asking about a plan, including questions asked before.
fn questions(parsed: &ParsedPlan) -> Vec<Question> {
    let input = AskInput {
        plan: &parsed.plan,
        goal: None,
        facts: &parsed.facts,
        report: &parsed.report,
    };
    let load = Load::default();
    let decided = ambiguities(&input)
        .into_iter()
        .map(|one| decide(&one, &load));
    let asked = decided.filter_map(|decision| match decision {
        Decision::Ask(question) => Some(question),
        Decision::Assume(_) => None,
    });
    asked.collect()
}

/// A stable id per plan and question, so that no question is asked twice.
fn question_id(key: &str, question: &str) -> String {
    let hash = Revision::of(format!("{key}\n{question}").as_bytes());
    format!("q-{}", &hash.as_str()[..16])
}

fn body(asked: &AskedQuestion) -> Value {
    serde_json::from_str(&asked.body).unwrap_or_default()
}

fn still_asked(parsed: &ParsedPlan, asked: &AskedQuestion) -> Option<Question> {
    let body = body(asked);
    let mut questions = questions(parsed).into_iter();
    questions.find(|question| body["question_id"] == question.id.as_str())
}

fn body_of(question: &Question) -> Value {
    let options = question.options.iter().map(|one| PlanOption {
        label: one.label.clone(),
        consequence: one.consequence.clone(),
    });
    json!({
        "question_id": question.id,
        "question": question.question,
        "stakes": question.stakes,
        "options": options.collect::<Vec<PlanOption>>(),
        "default": question.default,
    })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn shown(asked: &AskedQuestion) -> Option<PlanQuestion> {
    let body = body(asked);
    Some(PlanQuestion {
        id: asked.id.clone(),
        plan: asked.plan.clone(),
        question: text(&body["question"]),
        stakes: text(&body["stakes"]),
        options: serde_json::from_value(body["options"].clone()).ok()?,
        default: u32::try_from(body["default"].as_u64()?).ok()?,
    })
}
