//! Drafting: the model is asked for steps, in the form and number that its profile can handle, and
//! code assembles the plan.
//!
//! After an unusable answer, the model is asked once more in the next smaller form; then the plugin
//! fails. A model that plans a few steps at a time gets several requests, each with the steps so
//! far. When it claims to be done, that is checked once against the requirements.

use adequacy::expansion::first_plan_output_cap;
use adequacy::{Code, PlanDepth, Report};
use model::profile::{Profile, Reliability, Strategy};
use plan::Plan;
use planning::Intake;
use planning::drafting::goal::ModelDepth;
use planning::drafting::prompt::{self, Form};
use planning::drafting::{
    Assembled, DraftStep, Material, Surroundings, assemble, surroundings, tokens,
};

use super::NoPlan;
use super::answer_parser::read;
use super::requester::{Answer, Question, Requester};
use crate::new_plan::basis::PlanningBasis;
use crate::text::counted;
use crate::{checking, ids, new_plan};

/// Minimum number of tokens of workspace context in a request.
const MIN_CONTEXT: u64 = 150;

/// Maximum number of requests for one draft, at each depth.
const PIECES_FAST: usize = 4;
const PIECES_DEEP: usize = 8;

pub(super) struct Draft {
    pub(super) text: String,
    pub(super) title: String,
    /// The workspace context given to the model.
    pub(super) around: Surroundings,
    /// The output token limit of the first request.
    pub(super) cap: u32,
    /// Notes on how the draft was made, one sentence each.
    pub(super) reasons: Vec<String>,
}

/// The answer form to use with this model.
pub(crate) fn form(requester: &Requester<'_>) -> Form {
    let profile = &requester.access.profile;
    match (
        profile.needs_simplified_prompts,
        profile.json_reliability,
        profile.supports_structured_output,
    ) {
        (false, ..) => Form::Markdown,
        (true, Reliability::Low, false) => Form::Lines,
        (true, ..) => Form::Steps,
    }
}

/// Number of tokens left for workspace context in a request; the error says why a plan doesn't fit.
pub(crate) fn room(
    requester: &Requester<'_>,
    intake: &Intake,
    depth: ModelDepth,
    plan_depth: PlanDepth,
) -> Result<u64, String> {
    let most = steps_at_once(&requester.access.profile, plan_depth);
    room_for(
        requester,
        intake,
        depth,
        form(requester),
        (most, plan_depth),
    )
}

fn room_for(
    requester: &Requester<'_>,
    intake: &Intake,
    depth: ModelDepth,
    form: Form,
    (most, plan_depth): (u32, PlanDepth),
) -> Result<u64, String> {
    let profile = &requester.access.profile;
    let limit = profile.output_limit(answer_target(form, most, plan_depth));
    let empty = prompt::message(&prompt::StepsRequest {
        intake,
        around: &Surroundings::default(),
        form,
        least: 0,
        most,
        before: &[],
        open: &[],
        again: "",
    });
    let asked = tokens(form.system()) + tokens(&empty);
    if let Some(why) = requester.access.too_small(asked + MIN_CONTEXT, limit) {
        return Err(why);
    }
    let most = match (profile.needs_simplified_prompts, depth) {
        (true, _) => 1_200,
        (false, ModelDepth::Deep) => 8_000,
        (false, _) => 4_000,
    };
    // Leave part of the window free, since token counts are estimates.
    let window = profile.context_window;
    let left = window.saturating_sub(asked + u64::from(limit) + window / 20);
    Ok(left.clamp(MIN_CONTEXT, most))
}

/// The number of requests for one draft.
fn pieces(strategy: Strategy, depth: ModelDepth) -> usize {
    match (strategy, depth) {
        (Strategy::Upfront, _) => 1,
        (Strategy::Hybrid, _) => 2,
        (Strategy::Iterative, ModelDepth::Deep) => PIECES_DEEP,
        (Strategy::Iterative, ModelDepth::Fast) => PIECES_FAST,
    }
}

/// The number of requests that drafting normally takes at most: one per piece and one retry; for a
/// deep draft, also the critique and its rounds.
pub(crate) fn most_requests(profile: &Profile, depth: ModelDepth, rounds: u32) -> u32 {
    let pieces = pieces(profile.recommended_strategy, depth);
    let draft = u32::try_from(pieces).unwrap_or(u32::MAX).saturating_add(1);
    match depth {
        ModelDepth::Fast => draft,
        ModelDepth::Deep => draft.saturating_add(1).saturating_add(rounds),
    }
}

/// The number of steps to request at once: as many as the model's profile allows, or fewer for a
/// short plan.
fn steps_at_once(profile: &Profile, plan_depth: PlanDepth) -> u32 {
    let bears = profile.max_tasks_per_plan.max(1);
    scaled(bears, plan_depth).clamp(1, bears)
}

/// Expected length, in tokens, of an answer with `most` steps; deeper plans say more about each
/// step.
fn answer_target(form: Form, most: u32, plan_depth: PlanDepth) -> u32 {
    scaled(form.answer_tokens(most), plan_depth).min(first_plan_output_cap(plan_depth))
}

/// Converts a value for plans of standard depth to this depth, in proportion to their length
/// limits.
fn scaled(usual: u32, plan_depth: PlanDepth) -> u32 {
    let standard = first_plan_output_cap(PlanDepth::Standard);
    usual
        .saturating_mul(first_plan_output_cap(plan_depth))
        .div_ceil(standard)
}

pub(super) fn draft(
    requester: &mut Requester<'_>,
    basis: &PlanningBasis,
    depth: ModelDepth,
    form: Form,
    assumptions: &[String],
) -> Result<Draft, NoPlan> {
    let intake = &basis.intake;
    let bounds = &basis.settings.expansion;
    let plan_depth = bounds.plan_depth;
    let most = steps_at_once(&requester.access.profile, plan_depth).min(bounds.max_tasks);
    let room =
        room_for(requester, intake, depth, form, (most, plan_depth)).map_err(NoPlan::Model)?;
    let around = surroundings(intake, &basis.context, room, depth == ModelDepth::Deep);
    let mut drafting = Drafting {
        basis,
        form,
        assumptions,
        suffix: ids::random(4)?,
        cap: 0,
        approach: String::new(),
        steps: Vec::new(),
        reasons: Vec::new(),
    };
    let floor = drafting.assessed().1.detail_target_min_tasks;
    let strategy = requester.access.profile.recommended_strategy;
    let pieces = pieces(strategy, depth);
    let mut was_doubted = false;
    for piece in 0..pieces {
        let count = drafting.steps.len();
        let is_enough = strategy == Strategy::Hybrid && count >= floor as usize;
        let is_full = count >= bounds.max_tasks as usize;
        if piece > 0 && (is_enough || is_full || !requester.is_within(bounds.refine_budget_tokens))
        {
            break;
        }
        let open = match piece {
            0 => Vec::new(),
            _ => drafting.open(),
        };
        let least = floor.min(most);
        match drafting.piece(requester, &around, least, most, &open) {
            Ok(Piece::Steps) if drafting.steps.len() == count => break,
            Ok(Piece::Steps) => {}
            // Believe this only if the model repeats it.
            Ok(Piece::Done) if !open.is_empty() && !was_doubted => was_doubted = true,
            Ok(Piece::Done) => break,
            Err(NoPlan::Answer(why)) if count > 0 => {
                drafting
                    .reasons
                    .push(format!("steps: stopped at {count} because the model {why}"));
                break;
            }
            Err(error) => return Err(error),
        }
    }
    drafting.finished(around)
}

/// The result of one request.
enum Piece {
    /// Steps that were added.
    Steps,
    /// The model claims that nothing is missing.
    Done,
}

struct Drafting<'a> {
    basis: &'a PlanningBasis,
    form: Form,
    assumptions: &'a [String],
    suffix: String,
    cap: u32,
    approach: String,
    steps: Vec<DraftStep>,
    reasons: Vec<String>,
}

impl Drafting<'_> {
    /// Asks for the next steps, and once more in a smaller form if the answer is unusable.
    fn piece(
        &mut self,
        requester: &mut Requester<'_>,
        around: &Surroundings,
        least: u32,
        most: u32,
        open: &[String],
    ) -> Result<Piece, NoPlan> {
        let before: Vec<String> = self.steps.iter().map(|step| step.what.clone()).collect();
        let (mut form, mut most, mut again) = (self.form, most, String::new());
        let mut last = String::new();
        for attempt in 0..2 {
            let plan_depth = self.basis.settings.expansion.plan_depth;
            let target = answer_target(form, most, plan_depth);
            if before.is_empty() {
                self.cap = requester.access.profile.output_limit(target);
            }
            let answer = requester.ask(Question {
                purpose: "draft",
                system: form.system(),
                message: prompt::message(&prompt::StepsRequest {
                    intake: &self.basis.intake,
                    around,
                    form,
                    least: least.min(most),
                    most,
                    before: &before,
                    open,
                    again: &again,
                }),
                target,
                schema: form.schema(),
            })?;
            let why = match answer {
                Answer::Broken(why) => why.to_owned(),
                Answer::Whole(text) => {
                    let read = read(&text);
                    match form {
                        Form::Steps => requester.note_json(read.is_ok())?,
                        _ => requester.note_reading(read.is_ok()),
                    }
                    match read {
                        Ok((_, steps)) if steps.is_empty() && !before.is_empty() => {
                            return Ok(Piece::Done);
                        }
                        Ok((_, steps)) if steps.is_empty() => "contained no steps".to_owned(),
                        Ok((approach, steps)) => {
                            self.take(approach, steps, form);
                            return Ok(Piece::Steps);
                        }
                        Err(why) => why.to_owned(),
                    }
                }
            };
            last.clone_from(&why);
            if attempt == 0 {
                again = format!("Your last answer could not be used: it {why}.");
                form = form.smaller().unwrap_or(form);
                most = (most / 2).clamp(1, 5).max(most.min(3));
            }
        }
        // Don't ask again in a form that gave unusable answers.
        self.form = form;
        Err(NoPlan::Answer(format!(
            "gave two unusable answers; the last one {last}"
        )))
    }

    /// Adds new steps, skipping duplicates.
    fn take(&mut self, approach: String, steps: Vec<DraftStep>, form: Form) {
        if self.approach.is_empty() {
            self.approach = approach;
        }
        self.form = form;
        let offset = self.steps.len();
        for mut step in steps {
            let is_there = self.steps.iter().any(|known| same(&known.what, &step.what));
            if is_there {
                continue;
            }
            // Pieces number their steps independently, so IDs are unique only within one piece.
            if offset > 0 && !step.id.is_empty() {
                step.id = format!("{}.{}", offset, step.id);
            }
            self.steps.push(step);
        }
    }

    fn assembled(&self) -> Assembled {
        assemble(
            &self.steps,
            &Material {
                intake: &self.basis.intake,
                context: &self.basis.context,
                facts: &self.basis.around,
                approach: &self.approach,
                assumptions: self.assumptions,
                most: self.basis.settings.expansion.max_tasks as usize,
                suffix: &self.suffix,
            },
        )
    }

    fn assessed(&self) -> (Plan, Report) {
        let (plan, problems) = plan::parse(&self.assembled().text);
        let plan_depth = self.basis.settings.expansion.plan_depth;
        let report = checking::report_at(plan_depth, &plan, &problems, &self.basis.around);
        (plan, report)
    }

    /// The requirements that no step covers yet, as ID and text.
    fn open(&self) -> Vec<String> {
        let (plan, report) = self.assessed();
        let findings = report.findings.iter();
        let open = findings.filter(|finding| finding.code == Code::UncoveredRequirement);
        let lines: Vec<u32> = open.map(|finding| finding.line).collect();
        let open = plan.requirements.iter();
        let open = open.filter(|requirement| lines.contains(&requirement.line));
        open.map(|requirement| format!("{} {}", requirement.id, requirement.text))
            .collect()
    }

    fn finished(mut self, around: Surroundings) -> Result<Draft, NoPlan> {
        let assembled = self.assembled();
        if assembled.steps == 0 {
            return Err(NoPlan::Answer("gave no usable steps".to_owned()));
        }
        let mut reasons = vec![format!(
            "draft: {}, requested as {}",
            counted(assembled.steps, "step"),
            self.form.as_str()
        )];
        if !around.included.is_empty() {
            let cut = if around.is_cut {
                "; the rest didn't fit"
            } else {
                ""
            };
            reasons.push(format!("context: {}{cut}", around.included.join(", ")));
        }
        reasons.append(&mut self.reasons);
        const SHOWN: usize = 6;
        let left_out = assembled.rejected.iter();
        reasons.extend(left_out.take(SHOWN).map(|said| format!("ignored: {said}")));
        if let Some(more) = assembled.rejected.len().checked_sub(SHOWN + 1) {
            reasons.push(format!("ignored: {} more", more + 1));
        }
        let mut text = assembled.text;
        new_plan::add_notes(&mut text, &self.basis.settings.context_notes);
        Ok(Draft {
            text,
            title: assembled.title,
            cap: self.cap,
            around,
            reasons,
        })
    }
}

fn same(one: &str, other: &str) -> bool {
    let plain = |text: &str| -> String {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    plain(one) == plain(other)
}
