//! The settings of the loop that makes thin plans fuller: read, and merged.
//!
//! Names, defaults and limits are those of [`adequacy::expansion`]. A workspace may have plans looked
//! at more closely and may spend less on it, never the other way round.

use adequacy::PlanDepth;
use adequacy::expansion::{LoopMode, Settings, limits};
use serde_json::Value;

use super::layer::Layer;
use super::merge::at_most;
use super::values::{one_of, shown};

pub(super) const LOOP_MODES: [(&str, LoopMode); 3] = [
    ("off", LoopMode::Off),
    ("auto", LoopMode::Auto),
    ("force", LoopMode::Force),
];

pub(super) const DEPTHS: [(&str, PlanDepth); 3] = [
    ("minimal", PlanDepth::Minimal),
    ("standard", PlanDepth::Standard),
    ("deep", PlanDepth::Deep),
];

/// Its name in the settings.
pub(crate) fn depth_name(depth: PlanDepth) -> &'static str {
    let found = DEPTHS.iter().find(|(_, value)| *value == depth);
    found.map_or("standard", |(name, _)| name)
}

pub(super) fn loop_mode(value: &Value) -> Result<LoopMode, String> {
    one_of(value, &LOOP_MODES)
}

pub(super) fn depth(value: &Value) -> Result<PlanDepth, String> {
    one_of(value, &DEPTHS)
}

pub(super) fn rounds(value: &Value) -> Result<u32, String> {
    let (least, most) = limits::MAX_REFINE_ROUNDS.into_inner();
    whole(value, least.into(), most.into()).map(|number| number as u32)
}

pub(super) fn tokens(value: &Value) -> Result<u64, String> {
    let (least, most) = limits::REFINE_BUDGET_TOKENS.into_inner();
    whole(value, least, most)
}

pub(super) fn tasks(value: &Value) -> Result<u32, String> {
    let (least, most) = limits::MAX_TASKS.into_inner();
    whole(value, least.into(), most.into()).map(|number| number as u32)
}

/// A whole number of a range.
pub(super) fn whole(value: &Value, least: u64, most: u64) -> Result<u64, String> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0);
    match number {
        // Every range here is one that a float holds exactly.
        Some(number) if (least as f64..=most as f64).contains(&number) => Ok(number as u64),
        _ => Err(format!(
            "must be a whole number from {least} to {most}, not {}",
            shown(value)
        )),
    }
}

/// Merges; `ignore` is told what of the workspace would loosen.
pub(super) fn merge(
    user: &Layer,
    workspace: &Layer,
    ignore: &mut dyn FnMut(&str, String),
) -> Settings {
    let default = Settings::default();
    let mut most = |key: &str, own: u64, wish| at_most(key, own, wish, &mut *ignore);
    let rounds = most(
        "max_refine_rounds",
        user.max_refine_rounds
            .unwrap_or(default.max_refine_rounds)
            .into(),
        workspace.max_refine_rounds.map(Into::into),
    );
    let tasks = most(
        "max_tasks",
        user.max_tasks.unwrap_or(default.max_tasks).into(),
        workspace.max_tasks.map(Into::into),
    );
    // Nothing is more than no limit at all, which is written as 0.
    let limit = |tokens: u64| if tokens == 0 { u64::MAX } else { tokens };
    let own = user
        .refine_budget_tokens
        .unwrap_or(default.refine_budget_tokens);
    let refine_budget_tokens = match workspace.refine_budget_tokens {
        Some(wish) if limit(wish) > limit(own) => {
            let why = "is more than yours allow; a workspace can only lower it";
            ignore("refine_budget_tokens", format!("{wish} {why}"));
            own
        }
        wish => wish.unwrap_or(own),
    };
    let own = user
        .gap_risk_threshold
        .unwrap_or(default.gap_risk_threshold);
    let gap_risk_threshold = match workspace.gap_risk_threshold {
        Some(wish) if wish > own => {
            let why = format!("{wish} is more than your {own}; a workspace can only lower it");
            ignore("gap_risk_threshold", why);
            own
        }
        wish => wish.unwrap_or(own),
    };
    let own = user
        .auto_expand_thin_plan
        .unwrap_or(default.auto_expand_thin_plan);
    if own && workspace.auto_expand_thin_plan == Some(false) {
        let why = "a workspace can only turn it on".to_owned();
        ignore("auto_expand_thin_plan", why);
    }
    let auto_expand_thin_plan = own || workspace.auto_expand_thin_plan == Some(true);
    let mut stricter = |key: &str, own: usize, wish: Option<usize>| match wish {
        Some(wish) if wish < own => {
            let why = "it asks less than yours; a workspace can only ask more".to_owned();
            ignore(key, why);
            own
        }
        wish => wish.unwrap_or(own),
    };
    let mode = stricter(
        "loop_mode",
        rank(&LOOP_MODES, user.loop_mode.unwrap_or(default.loop_mode)),
        workspace.loop_mode.map(|mode| rank(&LOOP_MODES, mode)),
    );
    let depth = stricter(
        "plan_depth",
        rank(&DEPTHS, user.plan_depth.unwrap_or(default.plan_depth)),
        workspace.plan_depth.map(|depth| rank(&DEPTHS, depth)),
    );
    Settings {
        loop_mode: LOOP_MODES[mode].1,
        max_refine_rounds: rounds as u32,
        refine_budget_tokens,
        gap_risk_threshold,
        auto_expand_thin_plan,
        plan_depth: DEPTHS[depth].1,
        max_tasks: tasks as u32,
    }
}

/// The place of a value in a table that goes from asking least to asking most.
fn rank<T: PartialEq + Copy>(table: &[(&str, T); 3], value: T) -> usize {
    let found = table.iter().position(|(_, other)| *other == value);
    found.unwrap_or_default()
}
