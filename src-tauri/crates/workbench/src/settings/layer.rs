//! The contents of one settings file, and the source of the JSON Schema.
//!
//! Pure data. Every value here is valid; invalid ones are absent.

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

/// The upper limit of `command_timeout_s` and `server_wait_s`: one day, in seconds.
const A_DAY: u32 = 24 * 60 * 60;

/// A key of a settings file, with the layer field that holds its value.
pub(super) struct Key<T> {
    pub(super) name: &'static str,
    pub(super) of: fn(&Layer) -> &Option<T>,
}

/// Every setting in one place: its description for editors, whether only the user may set it, its
/// key, and how its value is read.
macro_rules! settings {
    ($($(#[$meta:meta])* $owner:ident $key:literal $field:ident: $type:ty = $how:ident($read:expr);)*) => {
        /// Planwright settings: the user's `settings.json`, or a workspace's
        /// `.planwright/settings.json`. Keys that a workspace may not set are reported and ignored
        /// there.
        #[derive(Debug, Clone, Default, PartialEq, JsonSchema)]
        #[schemars(title = "Planwright settings", deny_unknown_fields)]
        pub(super) struct Layer {
            $($(#[$meta])* #[schemars(rename = $key)] pub(super) $field: Option<$type>,)*
        }

        /// Every key of a settings file.
        pub(super) const KEYS: [&str; [$($key),*].len()] = [$($key),*];

        /// Each key by its field name.
        #[allow(non_upper_case_globals, dead_code, reason = "named as the fields are")]
        pub(super) mod keys {
            use super::*;

            $(pub(in super::super) const $field: Key<$type> = Key {
                name: $key,
                of: |layer| &layer.$field,
            };)*
        }

        /// Who may set a key: [`Owner::User`] if a workspace may not even tighten it.
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
    /// The URL of this schema, for editors.
    Workspace "$schema" schema: String = one(values::text);
    /// How often a run asks for approval: before each step, before risky steps, or never after the
    /// plan's approval. A workspace can only make it ask more often.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&POLICIES)))]
    Workspace "policy" policy: Policy = one(|v| one_of(v, &POLICIES));
    /// Whether a plan's adequacy is measured and recorded at each approval. A workspace can only
    /// turn it on.
    #[schemars(extend("default" = true))]
    Workspace "plan_adequacy_shadow" plan_adequacy_shadow: bool = one(values::switch);
    /// Whether approving a thin plan requires a written reason. A workspace can only turn it on;
    /// PLANWRIGHT_PLAN_ADEQUACY_ENFORCE overrides the user's file.
    #[schemars(extend("default" = false))]
    Workspace "plan_adequacy_enforce" plan_adequacy_enforce: bool = one(values::switch);
    /// With enforcement on, a plan with a higher unresolved risk needs a written reason too. A
    /// workspace can only lower it.
    #[schemars(range(min = 0.05, max = 0.95))]
    Workspace "max_gap_risk" max_gap_risk: f64 = one(values::risk);
    /// When a plan is expanded in rounds: `off` only if `auto_expand_thin_plan` is on, `auto` while
    /// it is thin or risky, `force` until nothing is left to fix. A workspace can only ask for
    /// more.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&named(LoopMode::ALL, LoopMode::as_str)), "default" = "off"))]
    Workspace "loop_mode" loop_mode: LoopMode = one(|v| one_of(v, &named(LoopMode::ALL, LoopMode::as_str)));
    /// Maximum rounds of expansion; 0 never expands a plan. A workspace can only lower it.
    #[schemars(range(min = 0, max = 8), extend("default" = 2))]
    Workspace "max_refine_rounds" max_refine_rounds: u32 = one(|v| whole_in(v, &limits::MAX_REFINE_ROUNDS));
    /// Total tokens for planning; 0 means no limit. A workspace can only lower it.
    #[schemars(range(min = 0, max = 200000), extend("default" = 18000))]
    Workspace "refine_budget_tokens" refine_budget_tokens: u64 = one(|v| whole_in(v, &limits::REFINE_BUDGET_TOKENS));
    /// The unresolved risk above which a plan is expanded. A workspace can only lower it.
    #[schemars(range(min = 0.05, max = 0.95), extend("default" = 0.28))]
    Workspace "gap_risk_threshold" gap_risk_threshold: f64 = one(values::risk);
    /// Whether thin drafts are expanded even if `loop_mode` is off. A workspace can only turn it
    /// on.
    #[schemars(extend("default" = true))]
    Workspace "auto_expand_thin_plan" auto_expand_thin_plan: bool = one(values::switch);
    /// How detailed an expanded plan should be. A workspace can only ask for more detail.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&named(PlanDepth::ALL, PlanDepth::as_str)), "default" = "standard"))]
    Workspace "plan_depth" plan_depth: PlanDepth = one(|v| one_of(v, &named(PlanDepth::ALL, PlanDepth::as_str)));
    /// Maximum steps of an expanded plan. A workspace can only lower it.
    #[schemars(range(min = 1, max = 2000), extend("default" = 30))]
    Workspace "max_tasks" max_tasks: u32 = one(|v| whole_in(v, &limits::MAX_TASKS));
    /// Permission rules for tools; the strictest matching rule wins. A workspace can add `ask` and
    /// `deny`.
    #[schemars(with = "Option<Vec<PlacedRule>>")]
    Workspace "permissions" permissions: Vec<PlacedRule> = all(values::rules);
    /// The sandbox for commands; `auto` uses the strongest one that passes its self-test. User
    /// settings only; PLANWRIGHT_SANDBOX overrides it.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&SANDBOXES), "default" = "auto"))]
    User "sandbox" sandbox: Wanted = one(|v| one_of(v, &SANDBOXES));
    /// Folders that commands may read in addition to the system and the detected toolchains:
    /// absolute paths, or paths below the home folder starting with `~/`. User settings only.
    User "toolchains" toolchains: Vec<String> = many(values::toolchain);
    /// Patterns, as in `.gitignore`, of files with secrets, in addition to the built-in list; `!`
    /// makes an exception. Commands in plan mode can't see these files. User settings only.
    User "private_files" private_files: Vec<String> = many(values::pattern);
    /// An OpenAI-compatible model endpoint. User settings only. Never put a key here.
    #[schemars(schema_with = "endpoint_schema")]
    User "endpoint" endpoint: Endpoint = all(values::endpoint);
    /// The time limit of a command, in seconds. A workspace can only lower it.
    #[schemars(range(min = 1, max = 86400), extend("default" = 600))]
    Workspace "command_timeout_s" command_timeout_s: u32 = one(|v| whole_in(v, &(1..=A_DAY)));
    /// How long a run waits for an unreachable model server before it pauses, in seconds; 0 doesn't
    /// wait. A workspace can only lower it.
    #[schemars(range(min = 0, max = 86400), extend("default" = 600))]
    Workspace "server_wait_s" server_wait_s: u64 = one(|v| whole_in(v, &(0..=A_DAY.into())));
    /// Command lines that check the project. A workspace's list replaces the user's.
    Workspace "verify_commands" verify_commands: Vec<String> = many(values::command);
    /// Whether a changed file is compared, before and after the step, with the intended change.
    /// Without this check, the step ends unverified. A workspace can only turn it on.
    #[schemars(extend("default" = true))]
    Workspace "verifyFileChanges" verify_file_changes: bool = one(values::switch);
    /// Whether `verify_commands` check a step that changed files and has no check of its own. A
    /// workspace can only turn it on.
    #[schemars(extend("default" = true))]
    Workspace "runTestsAfterChanges" run_tests_after_changes: bool = one(values::switch);
    /// Whether a search must find something. A workspace can only turn it on.
    #[schemars(extend("default" = true))]
    Workspace "verifySearchResults" verify_search_results: bool = one(values::switch);
    /// Maximum attempts of a check without a change in between; a check that passes only on a
    /// repeat is shown as flaky. 0 turns verification off, and every step ends unverified. A
    /// workspace can only lower it, and not to 0.
    #[schemars(range(min = 0, max = 5), extend("default" = 2))]
    Workspace "maxVerificationAttempts" max_verification_attempts: u32 = one(|v| whole_in(v, &(0..=MAX_ATTEMPTS)));
    /// When steps are planned, unless the plan says so itself: `upfront` before the run,
    /// `iterative` after each step, `hybrid` from an outline, `auto` according to the model's
    /// profile. User settings only.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&STRATEGIES), "default" = "auto"))]
    User "planningStrategy" planning_strategy: Option<Strategy> = one(|v| one_of(v, &STRATEGIES));
    /// How much context a model gets for a step: `minimal` is previous steps and pinned notes,
    /// `relevant` adds the step's files and related knowledge, `full` adds whatever fits.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&named(Context::ALL, Context::as_str)), "default" = "relevant"))]
    Workspace "contextStrategy" context_strategy: Context = one(|v| one_of(v, &named(Context::ALL, Context::as_str)));
    /// How many steps a model is asked for at once while a plan grows; defaults to the model's
    /// profile.
    #[schemars(range(min = 1, max = 3))]
    Workspace "lookAheadTasks" look_ahead_tasks: u8 = one(|v| whole_in(v, &(1..=MAX_LOOK_AHEAD)));
    /// Maximum steps that a run may add to a plan. A workspace can only lower it.
    #[schemars(range(min = 1, max = 1000), extend("default" = 40))]
    Workspace "maxAddedSteps" max_added_steps: u32 = one(|v| whole_in(v, &(1..=1_000)));
    /// Maximum model requests of a run that adds steps. A workspace can only lower it.
    #[schemars(range(min = 1, max = 100000), extend("default" = 400))]
    Workspace "maxModelCalls" max_model_calls: u32 = one(|v| whole_in(v, &(1..=100_000)));
    /// Maximum tokens of a run that adds steps. A workspace can only lower it.
    #[schemars(range(min = 1, max = 1000000000), extend("default" = 2000000))]
    Workspace "maxRunTokens" max_run_tokens: u64 = one(|v| whole_in(v, &(1..=1_000_000_000)));
    /// Maximum active time of a run that adds steps, in seconds. A workspace can only lower it.
    #[schemars(range(min = 1, max = 604800), extend("default" = 14400))]
    Workspace "maxRunSeconds" max_run_seconds: u64 = one(|v| whole_in(v, &(1..=7 * u64::from(A_DAY))));
    /// The planner that is tried first. User settings only.
    #[schemars(schema_with = "routes::planner_schema")]
    User "defaultPlannerPlugin" default_planner_plugin: String = one(|v| routes::id(v, Kind::Planner));
    /// The planners to fall back to, in order. User settings only.
    #[schemars(schema_with = "anything", transform = routes::order_schema(Kind::Planner))]
    User "plannerFallbackOrder" planner_fallback_order: Vec<String> = one(|v| routes::ids(v, Kind::Planner));
    /// The default order of plugins that read a goal; those not listed aren't tried. User settings
    /// only.
    #[schemars(schema_with = "anything", transform = routes::order_schema(Kind::Detector))]
    User "defaultSeedDetectorPlan" default_seed_detector_plan: Vec<String> = one(|v| routes::ids(v, Kind::Detector));
    /// The default order of plugins that gather workspace knowledge; those not listed aren't tried.
    /// User settings only.
    #[schemars(schema_with = "anything", transform = routes::order_schema(Kind::Kb))]
    User "defaultKBPlan" default_kb_plan: Vec<String> = one(|v| routes::ids(v, Kind::Kb));
    /// The default order of plugins that write the plan; those not listed aren't tried. User
    /// settings only.
    #[schemars(schema_with = "anything", transform = routes::order_schema(Kind::Solver))]
    User "defaultGoalSolverPlan" default_goal_solver_plan: Vec<String> = one(|v| routes::ids(v, Kind::Solver));
    /// Commands that steps can be handed over to, such as another agent. User settings only.
    #[schemars(schema_with = "executors::schema")]
    User "executors" executors: Vec<Executor> = many(executors::executor);
    /// Folders with plan templates, relative to the workspace. A workspace's list replaces the
    /// user's.
    #[schemars(extend("default" = [".planwright/templates"]))]
    Workspace "template_folders" template_folders: Vec<String> = many(values::folder);
    /// The folder for new plans, relative to the workspace. A workspace's replaces the user's.
    #[schemars(extend("default" = "plans"))]
    Workspace "plan_folder" plan_folder: String = one(values::folder);
    /// Folders searched for plans in addition to `plan_folder`, relative to the workspace. If
    /// unset, plans are found anywhere. A workspace's list replaces the user's.
    Workspace "plan_folders" plan_folders: Vec<String> = many(values::folder);
    /// Project notes for planners. A workspace's notes are added to the user's.
    Workspace "context_notes" context_notes: Vec<String> = many(values::note);
    /// The window's theme: `auto` follows the system. User settings only.
    #[schemars(schema_with = "anything", extend("enum" = or_null(&named(Theme::ALL, Theme::as_str)), "default" = "auto"))]
    User "theme" theme: Theme = one(|v| one_of(v, &named(Theme::ALL, Theme::as_str)));
}

/// The keys of an endpoint.
pub(super) const ENDPOINT_KEYS: [&str; 3] = ["base_url", "model", "key_variable"];

/// The keys of a rule.
pub(super) const RULE_KEYS: [&str; 3] = ["tool", "match", "answer"];

/// A rule and its index in the list, to name it if it is ignored.
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

/// An empty schema; the key's attributes fill it in.
fn anything(_: &mut SchemaGenerator) -> Schema {
    Schema::default()
}

/// The names in a table, and `null` for unset.
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
