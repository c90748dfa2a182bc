//! The smallest form of a change, for a weak model whose server holds it to a schema.
//!
//! Such a model is not left to find its way with tools. It is shown one small file as it was when the
//! attempt began, and the step's words, and is asked for one change of it; code makes a call of that, and
//! the step's check says whether it was the right one. Every reply starts from the file as it was, so that
//! a bad one leaves nothing behind. What is asked becomes another [`Way`] with each reply: first a choice among
//! what the step's words and the file hold, which adds nothing that nobody asked for, then any text.
//!
//! Submodules: `part` finds the words about one file, `values` what they name, `prompt` writes the request, `schema` what the reply is
//! held to, `reply` makes a call of the reply.
//!
//! Only for steps with a check of their own, since nothing else could tell the replies apart, and only
//! where all files are small. Never reads a file, never runs a call.

mod part;
mod prompt;
mod reply;
mod schema;
mod values;

use plan::{Task, ToolName};
use serde_json::Value;

use super::table;
use super::work::Work;
use crate::context::{Material, Target};
use crate::model_tool::ModelTool;
use crate::repair::FaultKind;
use crate::session::message::Message;
use crate::turn::Round;

pub use reply::read;

/// Lines of a file that is changed in this way, at most.
const MAX_LINES: u32 = 60;
/// Bytes of it.
const MAX_BYTES: usize = 1_800;
/// Files of a step.
const MAX_FILES: usize = 4;
/// Replies for each file in one attempt.
const MAX_REPLIES: usize = 8;
/// Of these, how many are asked with the words about that file alone.
const PARTS: usize = 4;
/// The first replies: where none of them can be read, the step is carried out with tools.
const LOOSE: usize = 3;

/// Why a change that could be read is not made.
pub const NO_CHANGE: &str = "The change leaves the file as it is.";
/// The same: a check may not miss them.
pub const OTHER_LINES: &str = "The change takes lines away that the step does not name.";

/// What a model is told whose step has a check that passed before the change, too.
pub const SHOWS_NOTHING: &str = "The check passed before the change as well, so it does not show that the \
                                 step is done. Look at the file, and call report_progress when it is.";

/// How a change is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Any change: a replacement, an insertion or the whole file, with any text.
    Free,
    /// A replacement or an addition, of values that the step's words hold.
    Choice,
    /// Another value for a name that the step's words hold, in one of the lines.
    Setting,
    /// The one of replacement and addition that was not chosen.
    Other,
    /// The whole file, as a block of text.
    Whole,
    /// Another text for one of the lines.
    Line,
}

/// The ways that are open, beside asking for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ways {
    /// [`Way::Free`].
    pub free: bool,
    /// Those in which values of the step's words are chosen: [`Way::Choice`], [`Way::Setting`], [`Way::Other`]
    /// and [`Way::Line`].
    pub choices: bool,
    /// [`Way::Whole`].
    pub blocks: bool,
}

impl Ways {
    /// All of them.
    pub const ALL: Self = Self {
        free: true,
        choices: true,
        blocks: true,
    };
    /// None: changes are made with tools.
    pub const NONE: Self = Self {
        free: false,
        choices: false,
        blocks: false,
    };

    fn has(self, way: Way) -> bool {
        match way {
            Way::Free => self.free,
            Way::Choice | Way::Setting | Way::Other | Way::Line => self.choices,
            Way::Whole => self.blocks,
        }
    }
}

/// What a request for a change is made of.
#[derive(Debug)]
struct Case<'a> {
    task: &'a Task,
    work: &'a Work,
    target: &'a Target,
    /// What the step asks for in this file: its title, or the part of it.
    title: String,
    /// The values in those words.
    values: Vec<String>,
    way: Way,
    /// As in [`Act`].
    is_varied: bool,
}

/// One request for a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    /// The file.
    pub target: Target,
    /// How the change is asked for.
    pub way: Way,
    /// The values in the step's words: a line goes only where it is about one of them.
    pub names: Vec<String>,
    /// The lines that stay though they are named, since the step adds something to them.
    pub stays: Vec<String>,
    /// What the reply's text is held to; absent where it is a block of text.
    pub schema: Option<Value>,
    /// Whether another reply than the likeliest is wanted, since that did not help.
    pub is_varied: bool,
}

/// A request for a change, with its words.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What is asked for.
    pub act: Act,
    /// The standing instructions.
    pub system: String,
    /// The one message.
    pub messages: Vec<Message>,
    /// The most tokens that the reply may take.
    pub max_output_tokens: u32,
}

/// The files of a step that can be changed in this way; none where the step has to be carried out with
/// tools.
pub fn targets(task: &Task, material: &Material) -> Vec<Target> {
    let can_write = table::of_step(task).contains(&ModelTool::Workspace(ToolName::WriteFile));
    let is_fit = can_write
        && table::is_to_change(task)
        && !table::is_to_take_away(task)
        && !task.verify.is_empty()
        && (1..=MAX_FILES).contains(&task.files.len());
    if !is_fit {
        return Vec::new();
    }
    let target = |path: &String| -> Option<Target> {
        if material.missing.contains(path) {
            let is_file = !path.ends_with('/');
            let (path, text) = (path.clone(), None);
            return is_file.then_some(Target { path, text });
        }
        let file = material.files.iter().find(|file| file.path == *path)?;
        let is_small = file.unshown.is_none()
            && !file.is_cut
            && file.lines_total <= MAX_LINES
            && file.text.len() <= MAX_BYTES;
        is_small.then(|| Target {
            path: path.clone(),
            text: Some(file.text.clone()),
        })
    };
    let all: Option<Vec<Target>> = task.files.iter().map(target).collect();
    all.unwrap_or_default()
}

/// The files that this attempt changes in this way; none where the step is carried out with tools.
pub fn of(work: &Work) -> &[Target] {
    let chosen = work.context.as_ref();
    let targets = chosen.map_or(&[][..], |chosen| &chosen.targets);
    let rounds = work.rounds.all();
    // A server that does not keep the schema after all, or refused it.
    let is_loose = rounds.len() >= LOOSE && rounds.iter().take(LOOSE).all(is_unread);
    let mut told = rounds.iter().flat_map(|round| &round.told);
    // A second attempt is to be another one.
    let is_second = !work.recoveries.is_empty();
    match is_second || is_loose || told.any(|words| words == SHOWS_NOTHING) {
        true => &[],
        false => targets,
    }
}

/// Whether a reply was no such call. One that could be read and changes nothing is one.
fn is_unread(round: &Round) -> bool {
    let faults = &round.reply.faults;
    round.reply.calls.is_empty() && !faults.iter().any(|fault| fault.kind == FaultKind::BadValue)
}

/// How many replies an attempt may take.
pub fn max_replies(targets: &[Target]) -> usize {
    targets.len() * MAX_REPLIES
}

/// Whether every file of the step was asked about since its check was run last.
pub fn is_round_over(targets: &[Target], replies: usize) -> bool {
    !targets.is_empty() && replies.is_multiple_of(targets.len())
}

/// The next request of an attempt.
pub fn next(task: &Task, work: &Work, ways: Ways, most: u32) -> Option<Asked> {
    let targets = of(work);
    let replies = work.rounds.all().len();
    let nth = replies.checked_rem(targets.len())?;
    let target = targets.get(nth)?;
    let pass = replies / targets.len();
    // Where that did not help, the part may be the wrong one.
    let paths: Vec<&str> = targets.iter().map(|other| other.path.as_str()).collect();
    let part = part::of(&task.title, &target.path, &paths).filter(|_| pass < PARTS);
    let title = part.unwrap_or_else(|| task.title.clone());
    let values = values::of(&title, &target.path);
    let ways = ways_for(target, &values, ways);
    let way_of = |pass| ways.iter().cycle().nth(pass).copied().unwrap_or(Way::Free);
    let way = way_of(pass);
    let case = Case {
        task,
        work,
        target,
        title,
        values,
        way,
        // The likeliest reply is the same each time.
        is_varied: (0..pass).any(|before| way_of(before) == way),
    };
    Some(prompt::asked(case, most))
}

/// In which ways the change of a file is asked for, one after the other.
fn ways_for(target: &Target, values: &[String], open: Ways) -> Vec<Way> {
    use Way::{Choice, Free, Line, Other, Setting, Whole};
    const OF_A_FILE: [Way; 9] = [Setting, Choice, Other, Free, Whole, Line, Whole, Line, Free];
    const OF_NONE: [Way; 8] = [Choice, Free, Whole, Free, Whole, Free, Whole, Free];
    let is_possible = |way: &Way| match (way, &target.text) {
        (Setting, Some(text)) => !values::settings(text, values).is_empty(),
        (Choice, None) => !values.is_empty(),
        _ => true,
    };
    let ways: &[Way] = match target.text {
        Some(_) => &OF_A_FILE,
        None => &OF_NONE,
    };
    let ways = ways.iter().copied();
    ways.filter(|way| open.has(*way) && is_possible(way))
        .collect()
}
