//! `sd-llm-fast` and `sd-llm-deep`: let a model read the goal, on top of what code found.

use adequacy::expansion::read_object;
use planning::Intake;
use planning::drafting::Surroundings;
use planning::drafting::goal::{self, Depth, Read};

use super::NoPlan;
use super::asking::{Answer, Asking, Question};

/// Expected tokens of an answer.
const TARGET: u32 = 700;

/// Reads a goal; an unusable answer is retried once.
pub(crate) fn read(
    asking: &mut Asking<'_>,
    intake: &Intake,
    around: Option<&Surroundings>,
    depth: Depth,
    may_add: bool,
) -> Result<Read, NoPlan> {
    let mut why = "";
    for _ in 0..2 {
        let mut message = goal::message(intake, around);
        if !why.is_empty() {
            message.push_str(&format!(
                "Your last answer {why}. Answer with the JSON object alone.\n"
            ));
        }
        let answer = asking.ask(Question {
            purpose: "goal",
            system: depth.system(),
            message,
            target: TARGET,
            schema: Some(depth.schema()),
        })?;
        why = match answer {
            Answer::Broken(why) => why,
            Answer::Whole(text) => {
                let said = read_object(&text, &Depth::KEYS);
                asking.note_json(said.is_some())?;
                match said {
                    Some(said) => return Ok(goal::read(intake, &said, may_add)),
                    None => "held no such JSON object",
                }
            }
        };
    }
    Err(NoPlan::Answer(format!("answered, and it {why}")))
}
