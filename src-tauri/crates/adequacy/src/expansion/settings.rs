//! Settings of the expansion loop.

use crate::size::PlanDepth;

/// Valid ranges of the settings, for parsing user input.
pub mod limits {
    use std::ops::RangeInclusive;

    /// Range of `max_refine_rounds`; 0 turns the loop off.
    pub const MAX_REFINE_ROUNDS: RangeInclusive<u32> = 0..=8;
    /// Maximum of `max_refine_rounds` when the mode is off and only thin plans are expanded.
    pub const MAX_ROUNDS_OF_AUTO_EXPAND: u32 = 4;
    /// Range of `refine_budget_tokens`; 0 means unlimited.
    pub const REFINE_BUDGET_TOKENS: RangeInclusive<u64> = 0..=200_000;
    /// Range of `gap_risk_threshold`.
    pub const GAP_RISK_THRESHOLD: RangeInclusive<f64> = 0.05..=0.95;
    /// Range of `max_tasks`.
    pub const MAX_TASKS: RangeInclusive<u32> = 1..=2000;
    /// Minimum output limit of a round in tokens, which applies even if less of the budget is left.
    pub const MIN_OUTPUT_TOKENS: u32 = 4096;
}

/// When the loop runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LoopMode {
    /// Only if [`Settings::auto_expand_thin_plan`] is set.
    #[default]
    Off,
    /// While the plan is thin or its risk exceeds the threshold.
    Auto,
    /// Until the rounds are used up or nothing is left to fix.
    Force,
}

impl LoopMode {
    /// Every mode.
    pub const ALL: [Self; 3] = [Self::Off, Self::Auto, Self::Force];

    /// The name used in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Auto => "auto",
            Self::Force => "force",
        }
    }

    /// The mode with this exact name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == name)
    }
}

/// Settings and limits of the loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// When the loop runs.
    pub loop_mode: LoopMode,
    /// Maximum number of rounds, 0 to 8; 0 turns the loop off.
    pub max_refine_rounds: u32,
    /// Token budget for planning, including the first plan, 0 to 200,000; 0 means unlimited.
    /// Checked before each round.
    pub refine_budget_tokens: u64,
    /// Risk above which a plan is expanded, 0.05 to 0.95.
    pub gap_risk_threshold: f64,
    /// Whether a thin or risky plan is expanded even if the loop is off.
    pub auto_expand_thin_plan: bool,
    /// How detailed the plan should be.
    pub plan_depth: PlanDepth,
    /// Maximum number of steps, 1 to 2000. A plan that already has more keeps them.
    pub max_tasks: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            loop_mode: LoopMode::Off,
            max_refine_rounds: 2,
            refine_budget_tokens: 18_000,
            gap_risk_threshold: 0.28,
            auto_expand_thin_plan: true,
            plan_depth: PlanDepth::Standard,
            max_tasks: 30,
        }
    }
}

impl Settings {
    /// The settings clamped to their valid ranges. NaN becomes the default.
    #[must_use]
    pub fn clamped(self) -> Self {
        let (rounds, risk) = (limits::MAX_REFINE_ROUNDS, limits::GAP_RISK_THRESHOLD);
        let gap_risk_threshold = match self.gap_risk_threshold.is_nan() {
            true => Self::default().gap_risk_threshold,
            false => self.gap_risk_threshold.clamp(*risk.start(), *risk.end()),
        };
        Self {
            max_refine_rounds: self.max_refine_rounds.min(*rounds.end()),
            refine_budget_tokens: self
                .refine_budget_tokens
                .min(*limits::REFINE_BUDGET_TOKENS.end()),
            gap_risk_threshold,
            max_tasks: self
                .max_tasks
                .clamp(*limits::MAX_TASKS.start(), *limits::MAX_TASKS.end()),
            ..self
        }
    }

    /// Maximum number of rounds in this mode.
    pub fn rounds(&self) -> u32 {
        match self.loop_mode {
            LoopMode::Off => self
                .max_refine_rounds
                .min(limits::MAX_ROUNDS_OF_AUTO_EXPAND),
            LoopMode::Auto | LoopMode::Force => self.max_refine_rounds,
        }
    }

    /// The name of the mode in reports; a loop that is off except for thin plans has its own name.
    pub fn loop_mode_effective(&self) -> &'static str {
        match self.loop_mode {
            LoopMode::Off if self.auto_expand_thin_plan => "off+auto_expand_thin",
            mode => mode.as_str(),
        }
    }
}

/// Maximum number of output tokens for a first plan of this depth.
pub fn first_plan_output_cap(depth: PlanDepth) -> u32 {
    match depth {
        PlanDepth::Minimal => 3072,
        PlanDepth::Standard => 4096,
        PlanDepth::Deep => 8192,
    }
}

/// Maximum number of output tokens for a round: the rest of the budget, limited by a ceiling that
/// depends on the depth, but at least 4096.
pub fn refine_output_cap(depth: PlanDepth, budget: u64, used: u64) -> u32 {
    let ceiling = match depth {
        PlanDepth::Minimal => 6144,
        PlanDepth::Standard => 8192,
        PlanDepth::Deep => 12_288,
    };
    if budget == 0 {
        return ceiling;
    }
    let left = u32::try_from(budget.saturating_sub(used)).unwrap_or(u32::MAX);
    left.clamp(limits::MIN_OUTPUT_TOKENS, ceiling)
}
