//! What one settings file can hold; the JSON Schema is made from it.
//!
//! Pure data. Every value here is valid: what was not is absent.

use std::borrow::Cow;

use adequacy::PlanDepth;
use adequacy::expansion::{LoopMode, limits};
use agent::context::Strategy as Context;
use agent::micro_planning::{MAX_LOOK_AHEAD, Strategy};
use agent::verifying::MAX_ATTEMPTS;
use gate::permissions::{Rule, Verdict};
use gate::policy::Policy;
use model::Endpoint;
use plan::ToolName;
use planning::decision::Kind;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;
use tools::sandbox::Wanted;

use super::executors::{self, Executor};
use super::planning::STRATEGIES;
use super::read::{Owner, Reading};
use super::values::{POLICIES, SANDBOXES, named, one_of, whole_in};
use super::{Theme, routes, values};

/// Seconds of a day, the most that a command may run and a server be waited for.
const A_DAY: u32 = 24 * 60 * 60;

/// A key of settings files, and its value in one of them.
pub(super) struct Key<T> {
    pub(super) name: &'static str,
    pub(super) of: fn(&Layer) -> &Option<T>,
}

/// Every setting in one place: what editors are told of it, whether it is the user's alone or a workspace's
/// too, its key, and how a value is read.
macro_rules! settings {
    ($($(#[$meta:meta])* $owner:ident $key:literal $field:ident: $type:ty = $how:ident($read:expr);)*) => {
        /// Settings of Planwright: `settings.json` of the user, `.planwright/settings.json` of a workspace.
        /// What a workspace may not set is named and ignored there.
        #[derive(Debug, Clone, Default, PartialEq, JsonSchema)]
        #[schemars(title = "Planwright settings", deny_unknown_fields)]
        pub(super) struct Layer {
            $($(#[$meta])* #[schemars(rename = $key)] pub(super) $field: Option<$type>,)*
        }

        /// Every key of a settings file.
        pub(super) const KEYS: [&str; [$($key),*].len()] = [$($key),*];

        /// Each key by its field.
        #[allow(non_upper_case_globals, dead_code, reason = "named as the fields are")]
        pub(super) mod keys {
            use super::*;

            $(pub(in super::super) const $field: Key<$type> = Key {
                name: $key,
                of: |layer| &layer.$field,
            };)*
        }

        /// Whose a key is: [`Owner::User`] where a workspace may not even tighten it.
        pub(super) fn owner_of(key: &str) -> Owner {
            match key {
                $($key => Owner::$owner,)*
                _ => Owner::Workspace,
            }
        }

        impl Reading {
            /// Reads the value of one key.
            pub(super) fn take(&mut self, key: &str, value: &Value) {
                match key {
                    $($key => self.layer.$field = self.$how(key, value, $read),)*
                    unknown => self.complaints.push(values::unknown_key("", unknown, &KEYS[1..])),
                }
            }
        }
    };
}

settings! {
    /// The address of this schema, for editors.
    Workspace "$schema" schema: String = one(values::text);
    /// How often a run asks: before each step, before risky steps, or before none because all are
    /// approved. A workspace can only ask more often.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&POLICIES)))]
    Workspace "policy" policy: Policy = one(|v| one_of(v, &POLICIES));
    /// Whether the adequacy of a plan is measured and recorded at each approval. A workspace can
    /// only turn it on.
    #[schemars(extend("default" = true))]
    Workspace "plan_adequacy_shadow" plan_adequacy_shadow: bool = one(values::switch);
    /// Whether a thin plan can be approved only with a written reason. A workspace can only turn it
    /// on; PLANWRIGHT_PLAN_ADEQUACY_ENFORCE overrides the user's file.
    #[schemars(extend("default" = false))]
    Workspace "plan_adequacy_enforce" plan_adequacy_enforce: bool = one(values::switch);
    /// With enforcement on, a plan whose unresolved risk is above this needs a written reason too. A
    /// workspace can only lower it.
    #[schemars(range(min = 0.05, max = 0.95))]
    Workspace "max_gap_risk" max_gap_risk: f64 = one(values::risk);
    /// When a plan is made fuller in rounds: `off` only where `auto_expand_thin_plan` says so, `auto`
    /// while it is thin or risky, `force` until nothing is left to mend. A workspace can only ask more.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&named(LoopMode::ALL, LoopMode::as_str)), "default" = "off"))]
    Workspace "loop_mode" loop_mode: LoopMode = one(|v| one_of(v, &named(LoopMode::ALL, LoopMode::as_str)));
    /// Rounds at most; 0 never makes a plan fuller. A workspace can only lower it.
    #[schemars(range(min = 0, max = 8), extend("default" = 2))]
    Workspace "max_refine_rounds" max_refine_rounds: u32 = one(|v| whole_in(v, &limits::MAX_REFINE_ROUNDS));
    /// Tokens for planning in all; 0 is no limit. A workspace can only lower it.
    #[schemars(range(min = 0, max = 200000), extend("default" = 18000))]
    Workspace "refine_budget_tokens" refine_budget_tokens: u64 = one(|v| whole_in(v, &limits::REFINE_BUDGET_TOKENS));
    /// The unresolved risk above which a plan is made fuller. A workspace can only lower it.
    #[schemars(range(min = 0.05, max = 0.95), extend("default" = 0.28))]
    Workspace "gap_risk_threshold" gap_risk_threshold: f64 = one(values::risk);
    /// Whether thin drafts are made fuller although `loop_mode` is off. A workspace can only turn it
    /// on.
    #[schemars(extend("default" = true))]
    Workspace "auto_expand_thin_plan" auto_expand_thin_plan: bool = one(values::switch);
    /// How finely a plan is to be cut when it is made fuller. A workspace can only ask more.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&named(PlanDepth::ALL, PlanDepth::as_str)), "default" = "standard"))]
    Workspace "plan_depth" plan_depth: PlanDepth = one(|v| one_of(v, &named(PlanDepth::ALL, PlanDepth::as_str)));
    /// Steps at most that a plan is brought to. A workspace can only lower it.
    #[schemars(range(min = 1, max = 2000), extend("default" = 30))]
    Workspace "max_tasks" max_tasks: u32 = one(|v| whole_in(v, &limits::MAX_TASKS));
    /// Rules on tools; the strictest that matches wins. A workspace can add `ask` and `deny`.
    #[schemars(with = "Option<Vec<PlacedRule>>")]
    Workspace "permissions" permissions: Vec<PlacedRule> = all(values::rules);
    /// The sandbox for commands; `auto` takes the best that proves itself. The user's alone;
    /// PLANWRIGHT_SANDBOX overrides it.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&SANDBOXES), "default" = "auto"))]
    User "sandbox" sandbox: Wanted = one(|v| one_of(v, &SANDBOXES));
    /// Folders that commands may read beyond the system and the toolchains that are found: absolute,
    /// or below the home folder with `~/`. The user's alone.
    User "toolchains" toolchains: Vec<String> = many(values::toolchain);
    /// Patterns, as in `.gitignore`, of files that hold secrets: beyond the built-in list. One that
    /// begins with `!` lets in. Commands in plan mode do not see these files. The user's alone.
    User "private_files" private_files: Vec<String> = many(values::pattern);
    /// An OpenAI-compatible model endpoint. The user's alone. A key never stands here.
    #[schemars(schema_with = "endpoint_schema")]
    User "endpoint" endpoint: Endpoint = all(values::endpoint);
    /// How long a command may run, in seconds. A workspace can only lower it.
    #[schemars(range(min = 1, max = 86400), extend("default" = 600))]
    Workspace "command_timeout_s" command_timeout_s: u32 = one(|v| whole_in(v, &(1..=A_DAY)));
    /// How long a run waits for a model's server that is gone, in seconds, before it pauses; 0 does not
    /// wait. A workspace can only lower it.
    #[schemars(range(min = 0, max = 86400), extend("default" = 600))]
    Workspace "server_wait_s" server_wait_s: u64 = one(|v| whole_in(v, &(0..=A_DAY.into())));
    /// Command lines that check the project. A workspace's list replaces the user's.
    Workspace "verify_commands" verify_commands: Vec<String> = many(values::command);
    /// Whether a file that a step changed is compared, before and after, with what was intended. What is
    /// not verified ends unverified. A workspace can only turn it on.
    #[schemars(extend("default" = true))]
    Workspace "verifyFileChanges" verify_file_changes: bool = one(values::switch);
    /// Whether `verify_commands` check a step that changed files and has no check of its own.
    /// A workspace can only turn it on.
    #[schemars(extend("default" = true))]
    Workspace "runTestsAfterChanges" run_tests_after_changes: bool = one(values::switch);
    /// Whether a search must have found something. A workspace can only turn it on.
    #[schemars(extend("default" = true))]
    Workspace "verifySearchResults" verify_search_results: bool = one(values::switch);
    /// How often a check is run until it passes, without a change between; what passes only then is
    /// shown as flaky. 0 switches verification off, and every step ends unverified. A workspace can only
    /// lower it, and not to 0.
    #[schemars(range(min = 0, max = 5), extend("default" = 2))]
    Workspace "maxVerificationAttempts" max_verification_attempts: u32 = one(|v| whole_in(v, &(0..=MAX_ATTEMPTS)));
    /// When the steps of a plan are thought of that does not say so itself: `upfront` before the run,
    /// `iterative` after each step, `hybrid` an outline first, `auto` as the model's profile says. The
    /// user's alone.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&STRATEGIES), "default" = "auto"))]
    User "planningStrategy" planning_strategy: Option<Strategy> = one(|v| one_of(v, &STRATEGIES));
    /// How much of what is known a model is given for a step: `minimal` the steps before and pinned
    /// notes, `relevant` also the files that the step names and what has to do with it, `full` whatever
    /// fits.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&named(Context::ALL, Context::as_str)), "default" = "relevant"))]
    Workspace "contextStrategy" context_strategy: Context = one(|v| one_of(v, &named(Context::ALL, Context::as_str)));
    /// How many steps a model is asked for at once while a plan grows; without it as its profile says.
    #[schemars(range(min = 1, max = 3))]
    Workspace "lookAheadTasks" look_ahead_tasks: u8 = one(|v| whole_in(v, &(1..=MAX_LOOK_AHEAD)));
    /// Steps that one run may add to a plan. A workspace can only lower it.
    #[schemars(range(min = 1, max = 1000), extend("default" = 40))]
    Workspace "maxAddedSteps" max_added_steps: u32 = one(|v| whole_in(v, &(1..=1_000)));
    /// Requests to a model after which a run that adds steps ends. A workspace can only lower it.
    #[schemars(range(min = 1, max = 100000), extend("default" = 400))]
    Workspace "maxModelCalls" max_model_calls: u32 = one(|v| whole_in(v, &(1..=100_000)));
    /// Tokens after which a run that adds steps ends. A workspace can only lower it.
    #[schemars(range(min = 1, max = 1000000000), extend("default" = 2000000))]
    Workspace "maxRunTokens" max_run_tokens: u64 = one(|v| whole_in(v, &(1..=1_000_000_000)));
    /// Seconds of work after which a run that adds steps ends. A workspace can only lower it.
    #[schemars(range(min = 1, max = 604800), extend("default" = 14400))]
    Workspace "maxRunSeconds" max_run_seconds: u64 = one(|v| whole_in(v, &(1..=7 * u64::from(A_DAY))));
    /// The planner that decides first which plugins are tried for a goal. The user's alone.
    #[schemars(schema_with = "routes::planner_schema")]
    User "defaultPlannerPlugin" default_planner_plugin: String = one(|v| routes::id(v, Kind::Planner));
    /// The planners that are asked one after the other where a plan does not come about. The user's alone.
    #[schemars(schema_with = "anything", transform = routes::order_schema(Kind::Planner))]
    User "plannerFallbackOrder" planner_fallback_order: Vec<String> = one(|v| routes::ids(v, Kind::Planner));
    /// The default order of what reads a goal; what is not named is not tried. The user's alone.
    #[schemars(schema_with = "anything", transform = routes::order_schema(Kind::Detector))]
    User "defaultSeedDetectorPlan" default_seed_detector_plan: Vec<String> = one(|v| routes::ids(v, Kind::Detector));
    /// The default order of what gathers knowledge of the workspace; what is not named is not tried. The
    /// user's alone.
    #[schemars(schema_with = "anything", transform = routes::order_schema(Kind::Kb))]
    User "defaultKBPlan" default_kb_plan: Vec<String> = one(|v| routes::ids(v, Kind::Kb));
    /// The default order of what writes the plan; what is not named is not tried. The user's alone.
    #[schemars(schema_with = "anything", transform = routes::order_schema(Kind::Solver))]
    User "defaultGoalSolverPlan" default_goal_solver_plan: Vec<String> = one(|v| routes::ids(v, Kind::Solver));
    /// Commands that steps can be handed over to, such as another agent's. The user's alone.
    #[schemars(schema_with = "executors::schema")]
    User "executors" executors: Vec<Executor> = many(executors::executor);
    /// Folders with plan templates, relative to the workspace. A workspace's list replaces the
    /// user's.
    #[schemars(extend("default" = [".planwright/templates"]))]
    Workspace "template_folders" template_folders: Vec<String> = many(values::folder);
    /// The folder for new plans, relative to the workspace. A workspace's replaces the user's.
    #[schemars(extend("default" = "plans"))]
    Workspace "plan_folder" plan_folder: String = one(values::folder);
    /// The folders in which plans are looked for besides `plan_folder`, relative to the workspace.
    /// Without it plans are found wherever they are. A workspace's list replaces the user's.
    Workspace "plan_folders" plan_folders: Vec<String> = many(values::folder);
    /// What a planner should know about the project. A workspace's notes are added to the user's.
    Workspace "context_notes" context_notes: Vec<String> = many(values::note);
    /// How the window looks: `auto` follows the system. The user's alone.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&named(Theme::ALL, Theme::as_str)), "default" = "auto"))]
    User "theme" theme: Theme = one(|v| one_of(v, &named(Theme::ALL, Theme::as_str)));
}

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
                "answer": { "enum": Verdict::ALL.map(Verdict::as_str) },
            },
        })
    }
}

/// A schema that the attributes of its key make.
fn anything(_: &mut SchemaGenerator) -> Schema {
    Schema::default()
}

/// The names of a table; `null` says of every key that it is not set.
fn or_null<T>(table: &[(&'static str, T)]) -> Vec<Option<&'static str>> {
    table
        .iter()
        .map(|(name, _)| Some(*name))
        .chain([None])
        .collect()
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
