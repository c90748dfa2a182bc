//! `sd-llm-fast` and `sd-llm-deep`: let a model read the goal, on top of what code found.

use planning::Intake;
use planning::drafting::Surroundings;
use planning::drafting::goal::{self, GoalReading, ModelDepth};
use repair::read_object;

use super::NoPlan;
use super::requester::{Answer, Question, Requester};

/// Expected length of an answer, in tokens.
const TARGET: u32 = 700;

/// Lets the model read a goal; after an unusable answer, asks once more.
pub(crate) fn read(
    requester: &mut Requester<'_>,
    intake: &Intake,
    around: Option<&Surroundings>,
    depth: ModelDepth,
    may_add: bool,
) -> Result<GoalReading, NoPlan> {
    let mut why = "";
    for _ in 0..2 {
        let mut message = goal::message(intake, around);
        if !why.is_empty() {
            message.push_str(&format!(
                "Your last answer {why}. Answer with the JSON object alone.\n"
            ));
        }
        let answer = requester.ask(Question {
            purpose: "goal",
            system: depth.system(),
            message,
            target: TARGET,
            schema: Some(depth.schema()),
        })?;
        why = match answer {
            Answer::Broken(why) => why,
            Answer::Whole(text) => {
                let said = read_object(&text, &ModelDepth::KEYS);
                requester.note_json(said.is_some())?;
                match said {
                    Some(said) => return Ok(goal::read(intake, &said, may_add)),
                    None => "did not contain the requested JSON object",
                }
            }
        };
    }
    Err(NoPlan::Answer(format!(
        "gave two unusable answers; the last one {why}"
    )))
}
