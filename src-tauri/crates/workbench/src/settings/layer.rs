//! What one settings file can hold; the JSON Schema is made from it.
//!
//! Pure data. Every value here is valid: what was not is absent.

use std::borrow::Cow;

use adequacy::PlanDepth;
use adequacy::expansion::LoopMode;
use gate::permissions::Rule;
use gate::policy::Policy;
use model::Endpoint;
use plan::ToolName;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use tools::sandbox::Wanted;

use super::executors::{self, Executor};
use super::{Theme, expansion, planning, routes, values};

/// Settings of Planwright: `settings.json` of the user, `.planwright/settings.json` of a workspace.
/// What a workspace may not set is named and ignored there.
#[derive(Debug, Clone, Default, PartialEq, JsonSchema)]
#[schemars(title = "Planwright settings", deny_unknown_fields)]
pub(super) struct Layer {
    /// The address of this schema, for editors.
    #[schemars(rename = "$schema")]
    pub(super) schema: Option<String>,
    /// How often a run asks: before each step, before risky steps, or before none because all are
    /// approved. A workspace can only ask more often.
    #[schemars(schema_with = "policy_schema")]
    pub(super) policy: Option<Policy>,
    /// Whether the adequacy of a plan is measured and recorded at each approval. A workspace can
    /// only turn it on.
    #[schemars(extend("default" = true))]
    pub(super) plan_adequacy_shadow: Option<bool>,
    /// Whether a thin plan can be approved only with a written reason. A workspace can only turn it
    /// on; PLANWRIGHT_PLAN_ADEQUACY_ENFORCE overrides the user's file.
    #[schemars(extend("default" = false))]
    pub(super) plan_adequacy_enforce: Option<bool>,
    /// With enforcement on, a plan whose unresolved risk is above this needs a written reason too. A
    /// workspace can only lower it.
    #[schemars(range(min = 0.05, max = 0.95))]
    pub(super) max_gap_risk: Option<f64>,
    /// When a plan is made fuller in rounds: `off` only where `auto_expand_thin_plan` says so, `auto`
    /// while it is thin or risky, `force` until nothing is left to mend. A workspace can only ask more.
    #[schemars(schema_with = "loop_mode_schema")]
    pub(super) loop_mode: Option<LoopMode>,
    /// Rounds at most; 0 never makes a plan fuller. A workspace can only lower it.
    #[schemars(range(min = 0, max = 8), extend("default" = 2))]
    pub(super) max_refine_rounds: Option<u32>,
    /// Tokens for planning in all; 0 is no limit. A workspace can only lower it.
    #[schemars(range(min = 0, max = 200000), extend("default" = 18000))]
    pub(super) refine_budget_tokens: Option<u64>,
    /// The unresolved risk above which a plan is made fuller. A workspace can only lower it.
    #[schemars(range(min = 0.05, max = 0.95), extend("default" = 0.28))]
    pub(super) gap_risk_threshold: Option<f64>,
    /// Whether thin drafts are made fuller although `loop_mode` is off. A workspace can only turn it
    /// on.
    #[schemars(extend("default" = true))]
    pub(super) auto_expand_thin_plan: Option<bool>,
    /// How finely a plan is to be cut when it is made fuller. A workspace can only ask more.
    #[schemars(schema_with = "depth_schema")]
    pub(super) plan_depth: Option<PlanDepth>,
    /// Steps at most that a plan is brought to. A workspace can only lower it.
    #[schemars(range(min = 1, max = 2000), extend("default" = 30))]
    pub(super) max_tasks: Option<u32>,
    /// Rules on tools; the strictest that matches wins. A workspace can add `ask` and `deny`.
    #[schemars(with = "Option<Vec<PlacedRule>>")]
    pub(super) permissions: Option<Vec<PlacedRule>>,
    /// The sandbox for commands; `auto` takes the best that proves itself. The user's alone;
    /// PLANWRIGHT_SANDBOX overrides it.
    #[schemars(schema_with = "sandbox_schema")]
    pub(super) sandbox: Option<Wanted>,
    /// Folders that commands may read beyond the system and the toolchains that are found: absolute,
    /// or below the home folder with `~/`. The user's alone.
    pub(super) toolchains: Option<Vec<String>>,
    /// Patterns, as in `.gitignore`, of files that hold secrets: beyond the built-in list. One that
    /// begins with `!` lets in. Commands in plan mode do not see these files. The user's alone.
    pub(super) private_files: Option<Vec<String>>,
    /// An OpenAI-compatible model endpoint. The user's alone. A key never stands here.
    #[schemars(schema_with = "endpoint_schema")]
    pub(super) endpoint: Option<Endpoint>,
    /// How long a command may run, in seconds. A workspace can only lower it.
    #[schemars(range(min = 1, max = 86400), extend("default" = 600))]
    pub(super) command_timeout_s: Option<u32>,
    /// How long a run waits for a model's server that is gone, in seconds, before it pauses; 0 does not
    /// wait. A workspace can only lower it.
    #[schemars(range(min = 0, max = 86400), extend("default" = 600))]
    pub(super) server_wait_s: Option<u64>,
    /// Command lines that check the project. A workspace's list replaces the user's.
    pub(super) verify_commands: Option<Vec<String>>,
    /// Whether a file that a step changed is compared, before and after, with what was intended. What is
    /// not verified ends unverified. A workspace can only turn it on.
    #[schemars(rename = "verifyFileChanges", extend("default" = true))]
    pub(super) verify_file_changes: Option<bool>,
    /// Whether `verify_commands` check a step that changed files and has no check of its own.
    /// A workspace can only turn it on.
    #[schemars(rename = "runTestsAfterChanges", extend("default" = true))]
    pub(super) run_tests_after_changes: Option<bool>,
    /// Whether a search must have found something. A workspace can only turn it on.
    #[schemars(rename = "verifySearchResults", extend("default" = true))]
    pub(super) verify_search_results: Option<bool>,
    /// How often a check is run until it passes, without a change between; what passes only then is
    /// shown as flaky. 0 switches verification off, and every step ends unverified. A workspace can only
    /// lower it, and not to 0.
    #[schemars(rename = "maxVerificationAttempts", range(min = 0, max = 5), extend("default" = 2))]
    pub(super) max_verification_attempts: Option<u32>,
    /// When the steps of a plan are thought of that does not say so itself: `upfront` before the run,
    /// `iterative` after each step, `hybrid` an outline first, `auto` as the model's profile says. The
    /// user's alone.
    #[schemars(rename = "planningStrategy", schema_with = "planning::choice_schema")]
    pub(super) planning_strategy: Option<planning::Choice>,
    /// How much of what is known a model is given for a step: `minimal` the steps before and pinned
    /// notes, `relevant` also the files that the step names and what has to do with it, `full` whatever
    /// fits.
    #[schemars(rename = "contextStrategy", schema_with = "planning::context_schema")]
    pub(super) context_strategy: Option<agent::context::Strategy>,
    /// How many steps a model is asked for at once while a plan grows; without it as its profile says.
    #[schemars(rename = "lookAheadTasks", range(min = 1, max = 3))]
    pub(super) look_ahead_tasks: Option<u8>,
    /// Steps that one run may add to a plan. A workspace can only lower it.
    #[schemars(rename = "maxAddedSteps", range(min = 1, max = 1000), extend("default" = 40))]
    pub(super) max_added_steps: Option<u32>,
    /// Requests to a model after which a run that adds steps ends. A workspace can only lower it.
    #[schemars(rename = "maxModelCalls", range(min = 1, max = 100000), extend("default" = 400))]
    pub(super) max_model_calls: Option<u32>,
    /// Tokens after which a run that adds steps ends. A workspace can only lower it.
    #[schemars(rename = "maxRunTokens", range(min = 1, max = 1000000000), extend("default" = 2000000))]
    pub(super) max_run_tokens: Option<u64>,
    /// Seconds of work after which a run that adds steps ends. A workspace can only lower it.
    #[schemars(rename = "maxRunSeconds", range(min = 1, max = 604800), extend("default" = 14400))]
    pub(super) max_run_seconds: Option<u64>,
    /// The planner that decides first which plugins are tried for a goal. The user's alone.
    #[schemars(
        rename = "defaultPlannerPlugin",
        schema_with = "routes::planner_schema"
    )]
    pub(super) default_planner_plugin: Option<String>,
    /// The planners that are asked one after the other where a plan does not come about. The user's alone.
    #[schemars(
        rename = "plannerFallbackOrder",
        schema_with = "routes::planners_schema"
    )]
    pub(super) planner_fallback_order: Option<Vec<String>>,
    /// The default order of what reads a goal; what is not named is not tried. The user's alone.
    #[schemars(
        rename = "defaultSeedDetectorPlan",
        schema_with = "routes::detectors_schema"
    )]
    pub(super) default_seed_detector_plan: Option<Vec<String>>,
    /// The default order of what gathers knowledge of the workspace; what is not named is not tried. The
    /// user's alone.
    #[schemars(rename = "defaultKBPlan", schema_with = "routes::kbs_schema")]
    pub(super) default_kb_plan: Option<Vec<String>>,
    /// The default order of what writes the plan; what is not named is not tried. The user's alone.
    #[schemars(
        rename = "defaultGoalSolverPlan",
        schema_with = "routes::solvers_schema"
    )]
    pub(super) default_goal_solver_plan: Option<Vec<String>>,
    /// Commands that steps can be handed over to, such as another agent's. The user's alone.
    #[schemars(schema_with = "executors::schema")]
    pub(super) executors: Option<Vec<Executor>>,
    /// Folders with plan templates, relative to the workspace. A workspace's list replaces the
    /// user's.
    #[schemars(extend("default" = [".planwright/templates"]))]
    pub(super) template_folders: Option<Vec<String>>,
    /// The folder for new plans, relative to the workspace. A workspace's replaces the user's.
    #[schemars(extend("default" = "plans"))]
    pub(super) plan_folder: Option<String>,
    /// The folders in which plans are looked for besides `plan_folder`, relative to the workspace.
    /// Without it plans are found wherever they are. A workspace's list replaces the user's.
    pub(super) plan_folders: Option<Vec<String>>,
    /// What a planner should know about the project. A workspace's notes are added to the user's.
    pub(super) context_notes: Option<Vec<String>>,
    /// How the window looks: `auto` follows the system. The user's alone.
    #[schemars(schema_with = "theme_schema")]
    pub(super) theme: Option<Theme>,
}

/// Every key of a settings file.
pub(super) const KEYS: [&str; 42] = [
    "$schema",
    "policy",
    "plan_adequacy_shadow",
    "plan_adequacy_enforce",
    "max_gap_risk",
    "loop_mode",
    "max_refine_rounds",
    "refine_budget_tokens",
    "gap_risk_threshold",
    "auto_expand_thin_plan",
    "plan_depth",
    "max_tasks",
    "permissions",
    "sandbox",
    "toolchains",
    "private_files",
    "endpoint",
    "command_timeout_s",
    "server_wait_s",
    "verify_commands",
    "verifyFileChanges",
    "runTestsAfterChanges",
    "verifySearchResults",
    "maxVerificationAttempts",
    "planningStrategy",
    "contextStrategy",
    "lookAheadTasks",
    "maxAddedSteps",
    "maxModelCalls",
    "maxRunTokens",
    "maxRunSeconds",
    "defaultPlannerPlugin",
    "plannerFallbackOrder",
    "defaultSeedDetectorPlan",
    "defaultKBPlan",
    "defaultGoalSolverPlan",
    "executors",
    "template_folders",
    "plan_folder",
    "plan_folders",
    "context_notes",
    "theme",
];

/// The keys that a workspace may not even tighten.
pub(super) const USER_ALONE: [&str; 12] = [
    "sandbox",
    "toolchains",
    "private_files",
    "endpoint",
    "planningStrategy",
    "defaultPlannerPlugin",
    "plannerFallbackOrder",
    "defaultSeedDetectorPlan",
    "defaultKBPlan",
    "defaultGoalSolverPlan",
    "executors",
    "theme",
];

/// The keys of an endpoint.
pub(super) const ENDPOINT_KEYS: [&str; 3] = ["base_url", "model", "key_variable"];

/// The keys of a rule.
pub(super) const RULE_KEYS: [&str; 3] = ["tool", "match", "answer"];

/// A rule and its place in the list, so that it can be named when it is ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlacedRule {
    pub(super) place: usize,
    pub(super) rule: Rule,
}

impl JsonSchema for PlacedRule {
    fn schema_name() -> Cow<'static, str> {
        "Rule".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let tools = ToolName::ALL.map(ToolName::as_str);
        json_schema!({
            "type": "object",
            "description": "What happens when a tool is about to do something.",
            "required": RULE_KEYS,
            "additionalProperties": false,
            "properties": {
                "tool": { "enum": tools },
                "match": {
                    "description": "`exact …` or `prefix …`, followed by a path or a command line.",
                    "type": "string",
                    "pattern": "^((exact|prefix) |prefix$)",
                },
                "answer": { "enum": values::ANSWERS.map(|(name, _)| name) },
            },
        })
    }
}

fn policy_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "enum": or_null(values::POLICIES.map(|(name, _)| name)) })
}

fn sandbox_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "enum": or_null(values::SANDBOXES.map(|(name, _)| name)),
        "default": "auto",
    })
}

fn loop_mode_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "enum": or_null(expansion::LOOP_MODES.map(|(name, _)| name)),
        "default": "off",
    })
}

fn depth_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "enum": or_null(expansion::DEPTHS.map(|(name, _)| name)),
        "default": "standard",
    })
}

fn theme_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "enum": or_null(values::THEMES.map(|(name, _)| name)),
        "default": "auto",
    })
}

/// `null` says of every key that it is not set.
pub(super) fn or_null<const N: usize>(names: [&'static str; N]) -> Vec<Option<&'static str>> {
    names.into_iter().map(Some).chain([None]).collect()
}

fn endpoint_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": ["object", "null"],
        "required": ["base_url", "model"],
        "additionalProperties": false,
        "properties": {
            "base_url": {
                "description": "For example http://localhost:11434/v1, without a user name or a key.",
                "type": "string",
                "pattern": "^https?://[^?#\\s]+$",
            },
            "model": { "description": "The model's name at that server.", "type": "string" },
            "key_variable": {
                "description": "The environment variable that holds the key, never the key itself.",
                "type": ["string", "null"],
                "pattern": "^[A-Z0-9_]+$",
            },
        },
    })
}
