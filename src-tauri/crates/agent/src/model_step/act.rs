//! The smallest kind of request, for a single change, used for a weak model whose server enforces a
//! schema.
//!
//! Such a model doesn't explore with tools. It sees the step's text and one small file with its
//! content from the start of the attempt, and is asked for one change to that file. Code turns the
//! reply into a call, and the step's check decides whether the change was right. Every reply
//! applies to the original file, so a bad reply has no lasting effect. Each request asks for a
//! different [`EditForm`]: first a choice of values found in the step's text and the file, which
//! cannot add anything unwanted, then free text.
//!
//! Submodules: `part` finds the words about one file, `values` finds the values in those words,
//! `prompt` writes the request, `schema` constrains the reply, and `reply` turns the reply into a
//! call.
//!
//! Used only for steps with their own check, since nothing else could judge the replies, and only
//! if all files are small. Never reads a file or runs a call.

mod part;
mod prompt;
mod reply;
mod schema;
mod values;

use plan::{Task, ToolName};
use serde_json::Value;

use super::step_tools;
use super::work::Work;
use crate::context::{Material, Target};
use crate::model_tool::ModelTool;
use crate::session::message::Message;
use crate::turn::Round;
use repair::FaultKind;

pub use reply::read;

/// Maximum number of lines in a file for which such requests are used.
const MAX_LINES: u32 = 60;
/// Maximum size of a file for which such requests are used, in bytes.
const MAX_BYTES: usize = 1_800;
const MAX_FILES: usize = 4;
const MAX_REPLIES: usize = 8;
/// For this many replies per file, only the part of the title about that file is shown; after that,
/// the whole title.
const PARTS: usize = 4;
/// If the first replies, up to this number, are all unreadable, the step is carried out with tools
/// instead.
const LOOSE: usize = 3;

/// The reason for rejecting a change that has no effect.
pub const NO_CHANGE: &str = "The change leaves the file as it is.";
/// The reason for rejecting a change that removes lines that the step doesn't name, since a check
/// may not notice the loss.
pub const OTHER_LINES: &str = "The change removes lines that the step does not name.";

/// The message to a model whose check passes now but also passed before the change.
pub const SHOWS_NOTHING: &str = "The check passed before the change as well, so it does not show that the \
                                 step is done. Look at the file, and call report_progress when it is.";

/// The form in which a change is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditForm {
    /// Any change: a replacement, an insertion or the whole file, with free text.
    Free,
    /// A replacement or an insertion of values from the step's text.
    Choice,
    /// A different value, taken from the step's text, for a name in one of the lines.
    Setting,
    /// An insertion if a replacement was offered before, and vice versa.
    Other,
    /// The whole file in a code block.
    Whole,
    /// New text for one of the lines.
    Line,
}

/// The forms that can be used instead of asking for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditForms {
    /// Whether [`EditForm::Free`] can be used.
    pub free: bool,
    /// Whether the forms that choose values from the step's text can be used: [`EditForm::Choice`],
    /// [`EditForm::Setting`], [`EditForm::Other`] and [`EditForm::Line`].
    pub choices: bool,
    /// Whether [`EditForm::Whole`] can be used.
    pub blocks: bool,
}

impl EditForms {
    /// All forms can be used.
    pub const ALL: Self = Self {
        free: true,
        choices: true,
        blocks: true,
    };
    /// No form can be used; changes are made with tools.
    pub const NONE: Self = Self {
        free: false,
        choices: false,
        blocks: false,
    };

    fn has(self, way: EditForm) -> bool {
        match way {
            EditForm::Free => self.free,
            EditForm::Choice | EditForm::Setting | EditForm::Other | EditForm::Line => self.choices,
            EditForm::Whole => self.blocks,
        }
    }
}

#[derive(Debug)]
struct Case<'a> {
    task: &'a Task,
    work: &'a Work,
    target: &'a Target,
    /// The task for this file: the step's title or the part of it about the file.
    title: String,
    /// The values in `title`.
    values: Vec<String>,
    way: EditForm,
    /// See [`Act::is_varied`].
    is_varied: bool,
}

/// A request for a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Act {
    /// The file to change.
    pub target: Target,
    /// The form in which the change is requested.
    pub way: EditForm,
    /// The values in the step's text. Only lines that contain one of them may be removed.
    pub names: Vec<String>,
    /// Lines that must stay even though they contain a value, because the step adds something to
    /// them.
    pub stays: Vec<String>,
    /// The schema of the reply; `None` for a reply that is a code block.
    pub schema: Option<Value>,
    /// Whether to ask for a less likely reply, because the most likely one didn't help.
    pub is_varied: bool,
}

/// A request for a change, with its prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The requested change.
    pub act: Act,
    /// The system prompt of the request.
    pub system: String,
    /// The only message of the request.
    pub messages: Vec<Message>,
    /// Maximum number of tokens in the reply.
    pub max_output_tokens: u32,
}

/// The files of a step that can be changed in this way; empty if the step must be carried out with
/// tools.
pub fn targets(task: &Task, material: &Material) -> Vec<Target> {
    let can_write = step_tools::for_step(task).contains(&ModelTool::Workspace(ToolName::WriteFile));
    let is_fit = can_write
        && step_tools::is_edit(task)
        && !step_tools::is_deletion(task)
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

/// The files that this attempt changes in this way; empty if the step is carried out with tools.
pub fn of(work: &Work) -> &[Target] {
    let chosen = work.context.as_ref();
    let targets = chosen.map_or(&[][..], |chosen| &chosen.targets);
    let rounds = work.rounds.all();
    // The server turned out not to enforce the schema, or rejected it.
    let is_loose = rounds.len() >= LOOSE && rounds.iter().take(LOOSE).all(is_unread);
    let mut told = rounds.iter().flat_map(|round| &round.told);
    // A second attempt should work differently.
    let is_second = !work.recoveries.is_empty();
    match is_second || is_loose || told.any(|words| words == SHOWS_NOTHING) {
        true => &[],
        false => targets,
    }
}

/// Whether a reply could not be read as a call. A readable call that changes nothing counts as
/// read.
fn is_unread(round: &Round) -> bool {
    let faults = &round.reply.faults;
    round.reply.calls.is_empty() && !faults.iter().any(|fault| fault.kind == FaultKind::BadValue)
}

/// Maximum number of replies in one attempt.
pub fn max_replies(targets: &[Target]) -> usize {
    targets.len() * MAX_REPLIES
}

/// Whether every file of the step has been asked about since its check last ran.
pub fn is_round_over(targets: &[Target], replies: usize) -> bool {
    !targets.is_empty() && replies.is_multiple_of(targets.len())
}

/// The next request of an attempt.
pub fn next(task: &Task, work: &Work, forms: EditForms, most: u32) -> Option<Asked> {
    let targets = of(work);
    let replies = work.rounds.all().len();
    let nth = replies.checked_rem(targets.len())?;
    let target = targets.get(nth)?;
    let pass = replies / targets.len();
    // After several rounds without success, the part of the title may be the wrong one.
    let paths: Vec<&str> = targets.iter().map(|other| other.path.as_str()).collect();
    let part = part::of(&task.title, &target.path, &paths).filter(|_| pass < PARTS);
    let title = part.unwrap_or_else(|| task.title.clone());
    let values = values::of(&title, &target.path);
    let forms = forms_for(target, &values, forms);
    let way_of = |pass| {
        forms
            .iter()
            .cycle()
            .nth(pass)
            .copied()
            .unwrap_or(EditForm::Free)
    };
    let way = way_of(pass);
    let case = Case {
        task,
        work,
        target,
        title,
        values,
        way,
        // If the same form was used before, the most likely reply would be the same again.
        is_varied: (0..pass).any(|before| way_of(before) == way),
    };
    Some(prompt::asked(case, most))
}

fn forms_for(target: &Target, values: &[String], open: EditForms) -> Vec<EditForm> {
    use EditForm::{Choice, Free, Line, Other, Setting, Whole};
    const OF_A_FILE: [EditForm; 9] = [Setting, Choice, Other, Free, Whole, Line, Whole, Line, Free];
    const OF_NONE: [EditForm; 8] = [Choice, Free, Whole, Free, Whole, Free, Whole, Free];
    let is_possible = |way: &EditForm| match (way, &target.text) {
        (Setting, Some(text)) => !values::settings(text, values).is_empty(),
        (Choice, None) => !values.is_empty(),
        _ => true,
    };
    let forms: &[EditForm] = match target.text {
        Some(_) => &OF_A_FILE,
        None => &OF_NONE,
    };
    let forms = forms.iter().copied();
    forms
        .filter(|way| open.has(*way) && is_possible(way))
        .collect()
}
