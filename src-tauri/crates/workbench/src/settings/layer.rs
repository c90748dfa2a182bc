//! The table of all settings, and the contents of one settings file.
//!
//! Pure data. Every value of a [`Layer`] is valid; invalid ones are absent.

use adequacy::PlanDepth;
use adequacy::expansion::{self, LoopMode, limits};
use agent::context::Strategy as Context;
use agent::micro_planning::{MAX_LOOK_AHEAD, Strategy};
use agent::run_limits::RunLimits;
use agent::verification::{MAX_ATTEMPTS, Verification};
use gate::policy::Policy;
use model::Endpoint;
use planning::decision::{Kind, Orders};
use serde_json::{Map, Value, json};
use tools::sandbox::Wanted;

use super::agents::{self, AgentEntry};
use super::executors::{self, Executor};
use super::format::{Format, choice, number, switch, text, texts, whole};
use super::merge::Merge;
use super::planning::STRATEGIES;
use super::read::{LayerReader, Owner};
use super::rules::{self, PlacedRule};
use super::value_parsers::{POLICIES, SANDBOXES, named};
use super::{Editor, Settings, Theme, endpoint, routes, value_parsers};
use crate::wire::settings::SettingGroup;

/// One day, in seconds.
const DAY_S: u32 = 24 * 60 * 60;

/// A key of a settings file, with the layer field that holds its value.
pub(super) struct Key<T> {
    pub(super) name: &'static str,
    pub(super) of: fn(&Layer) -> &Option<T>,
}

/// A setting, for the window and for editors.
pub struct Descriptor {
    /// Its key in a settings file.
    pub key: &'static str,
    /// Its name on screen.
    pub label: &'static str,
    /// What it does, and who may set it.
    pub help: &'static str,
    /// The group it is shown in.
    pub group: SettingGroup,
    /// Its JSON Schema: type, bounds, choices, default, label and help.
    pub schema: Value,
}

/// The key that links the JSON Schema, for editors. It isn't a setting.
const SCHEMA_KEY: &str = "$schema";

/// Generates everything that depends on the list of settings from one table. A row is
///
/// ```text
/// /// help
/// Group "key" "Label";
/// layer_field: Type = format, default value, merge_rule => field.of.settings;
/// ```
///
/// The format is a [`Format`], which contains the bounds. The merge rule is a method of
/// [`Merge`]: it says what a workspace may do. With `user_only`, that is nothing.
macro_rules! settings {
    ($(
        $(#[doc = $help:literal])+
        $group:ident $key:literal $label:literal;
        $field:ident: $type:ty = $format:expr, default $default:expr,
        $rule:ident $(($argument:expr))? => $($path:ident).+;
    )*) => {
        /// The values that one settings file sets.
        #[derive(Debug, Clone, Default, PartialEq)]
        pub(super) struct Layer {
            $(pub(super) $field: Option<$type>,)*
        }

        /// Every key of a settings file.
        pub(super) const KEYS: [&str; 1 + [$($key),*].len()] = [SCHEMA_KEY, $($key),*];

        /// Each key by its field name.
        #[allow(non_upper_case_globals, reason = "named after the fields")]
        mod keys {
            use super::*;

            $(pub(super) const $field: Key<$type> = Key {
                name: $key,
                of: |layer| &layer.$field,
            };)*
        }

        /// Who may set a key: [`Owner::User`] if a workspace may not even tighten it.
        pub(super) fn owner_of(key: &str) -> Owner {
            match key {
                $($key => owner!($rule),)*
                _ => Owner::Workspace,
            }
        }

        impl LayerReader {
            /// Reads the value of one key.
            pub(super) fn take(&mut self, key: &str, value: &Value) {
                let problems = &mut self.problems;
                match key {
                    $($key => self.layer.$field = $format.read(key, value, problems),)*
                    SCHEMA_KEY => drop(text(value_parsers::text).read(key, value, problems)),
                    unknown => problems.push(value_parsers::unknown_key("", unknown, &KEYS[1..])),
                }
            }
        }

        impl Merge<'_> {
            /// Merges every setting by its rule.
            pub(super) fn settings(&mut self) -> Settings {
                let mut settings = Settings::unset();
                $(settings.$($path).+ = self.$rule(&keys::$field, $default $(, $argument)?);)*
                settings
            }
        }

        impl Settings {
            /// The settings under their keys, as a JSON object.
            pub fn to_json(&self) -> Value {
                let mut map = Map::new();
                $({
                    let format: Format<$type> = $format;
                    map.insert($key.to_owned(), format.to_json(&self.$($path).+));
                })*
                Value::Object(map)
            }
        }

        /// Every setting, in the order in which they are listed.
        pub fn descriptors() -> Vec<Descriptor> {
            let default = Settings::default().to_json();
            vec![$({
                let format: Format<$type> = $format;
                let help = concat!($($help),+).trim_start();
                Descriptor {
                    key: $key,
                    label: $label,
                    help,
                    group: SettingGroup::$group,
                    schema: schema($label, help, format.schema(), &default[$key]),
                }
            }),*]
        }
    };
}

macro_rules! owner {
    (user_only) => {
        Owner::User
    };
    ($rule:ident) => {
        Owner::Workspace
    };
}

settings! {
    /// How often a run asks for approval: before each step, before risky steps, or never after the
    /// plan's approval. A workspace can only make it ask more often.
    Runs "policy" "Approval policy";
    policy: Policy = choice(POLICIES), default None, policy => policy;

    /// Whether a plan's adequacy is measured and recorded at each approval. A workspace can only
    /// turn it on.
    Adequacy "plan_adequacy_shadow" "Measure adequacy";
    plan_adequacy_shadow: bool = switch(), default true, on_only => plan_adequacy_shadow;

    /// Whether approving a thin plan requires a written reason. A workspace can only turn it on;
    /// PLANWRIGHT_PLAN_ADEQUACY_ENFORCE overrides the user's file.
    Adequacy "plan_adequacy_enforce" "Enforce adequacy";
    plan_adequacy_enforce: bool = switch(), default false, on_only => plan_adequacy_enforce;

    /// With enforcement on, a plan with a higher unresolved risk needs a written reason too. A
    /// workspace can only lower it.
    Adequacy "max_gap_risk" "Maximum risk";
    max_gap_risk: f64 = number(limits::GAP_RISK_THRESHOLD), default None, lower_only => max_gap_risk;

    /// When a plan is expanded in rounds: `off` only if `auto_expand_thin_plan` is on, `auto` while
    /// it is thin or risky, `force` until nothing is left to fix. A workspace can only ask for
    /// more.
    Expansion "loop_mode" "Expansion mode";
    loop_mode: LoopMode = choice(named(LoopMode::ALL, LoopMode::as_str)),
    default expansion().loop_mode, stricter_only(&LoopMode::ALL) => expansion.loop_mode;

    /// Maximum rounds of expansion; 0 never expands a plan. A workspace can only lower it.
    Expansion "max_refine_rounds" "Expansion rounds";
    max_refine_rounds: u32 = whole(limits::MAX_REFINE_ROUNDS),
    default expansion().max_refine_rounds, lower_only => expansion.max_refine_rounds;

    /// Total tokens for planning; 0 means no limit. A workspace can only lower it.
    Expansion "refine_budget_tokens" "Planning token budget";
    refine_budget_tokens: u64 = whole(limits::REFINE_BUDGET_TOKENS),
    default expansion().refine_budget_tokens, token_budget => expansion.refine_budget_tokens;

    /// The unresolved risk above which a plan is expanded. A workspace can only lower it.
    Expansion "gap_risk_threshold" "Risk threshold";
    gap_risk_threshold: f64 = number(limits::GAP_RISK_THRESHOLD),
    default expansion().gap_risk_threshold, lower_only => expansion.gap_risk_threshold;

    /// Whether thin drafts are expanded even if `loop_mode` is off. A workspace can only turn it
    /// on.
    Expansion "auto_expand_thin_plan" "Expand thin plans";
    auto_expand_thin_plan: bool = switch(),
    default expansion().auto_expand_thin_plan, on_only => expansion.auto_expand_thin_plan;

    /// How detailed an expanded plan should be. A workspace can only ask for more detail.
    Expansion "plan_depth" "Plan depth";
    plan_depth: PlanDepth = choice(named(PlanDepth::ALL, PlanDepth::as_str)),
    default expansion().plan_depth, stricter_only(&PlanDepth::ALL) => expansion.plan_depth;

    /// Maximum steps of an expanded plan. A workspace can only lower it.
    Expansion "max_tasks" "Maximum steps";
    max_tasks: u32 = whole(limits::MAX_TASKS),
    default expansion().max_tasks, lower_only => expansion.max_tasks;

    /// Permission rules for tools; the strictest matching rule wins. A workspace can add `ask` and
    /// `deny`.
    Permissions "permissions" "Permission rules";
    permissions: Vec<PlacedRule> = rules::format(), default Vec::new(), permissions => permissions;

    /// The sandbox for commands; `auto` uses the strongest one that passes its self-test. User
    /// settings only; PLANWRIGHT_SANDBOX overrides it.
    Permissions "sandbox" "Sandbox";
    sandbox: Wanted = choice(SANDBOXES), default Wanted::Auto, user_only => sandbox;

    /// Folders that commands may read in addition to the system and the detected toolchains:
    /// absolute paths, or paths below the home folder starting with `~/`. User settings only.
    Permissions "toolchains" "Toolchain folders";
    toolchains: Vec<String> = texts(value_parsers::toolchain), default Vec::new(), user_only => toolchains;

    /// Patterns, as in `.gitignore`, of files with secrets, in addition to the built-in list; `!`
    /// makes an exception. Commands in plan mode can't see these files. User settings only.
    Permissions "private_files" "Private files";
    private_files: Vec<String> = texts(value_parsers::pattern), default Vec::new(), user_only => private_files;

    /// An OpenAI-compatible model endpoint. User settings only. Never put a key here.
    Runs "endpoint" "Model endpoint";
    endpoint: Endpoint = endpoint::format(), default None, user_only => endpoint;

    /// The time limit of a command, in seconds. A workspace can only lower it.
    Runs "command_timeout_s" "Command timeout (s)";
    command_timeout_s: u32 = whole(1..=DAY_S), default 600, lower_only => command_timeout_s;

    /// How long a run waits for an unreachable model server before it pauses, in seconds; 0 doesn't
    /// wait. A workspace can only lower it.
    Runs "server_wait_s" "Wait for model server (s)";
    server_wait_s: u64 = whole(0..=DAY_S.into()), default 600, lower_only => server_wait_s;

    /// Command lines that check the project. A workspace's list replaces the user's.
    Checks "verify_commands" "Check commands";
    verify_commands: Vec<String> = texts(value_parsers::command), default Vec::new(), workspace_first => verify_commands;

    /// Whether a changed file is compared, before and after the step, with the intended change.
    /// Without this check, the step ends unverified. A workspace can only turn it on.
    Checks "verifyFileChanges" "Verify file changes";
    verify_file_changes: bool = switch(),
    default verification().verify_file_changes, on_only => verification.verify_file_changes;

    /// Whether `verify_commands` check a step that changed files and has no check of its own. A
    /// workspace can only turn it on.
    Checks "runTestsAfterChanges" "Run checks after changes";
    run_tests_after_changes: bool = switch(),
    default verification().run_tests_after_changes, on_only => verification.run_tests_after_changes;

    /// Whether a search must find something. A workspace can only turn it on.
    Checks "verifySearchResults" "Verify search results";
    verify_search_results: bool = switch(),
    default verification().verify_search_results, on_only => verification.verify_search_results;

    /// Maximum attempts of a check without a change in between; a check that passes only on a
    /// repeat is shown as flaky. 0 turns verification off, and every step ends unverified. A
    /// workspace can only lower it, and not to 0.
    Checks "maxVerificationAttempts" "Maximum check attempts";
    max_verification_attempts: u32 = whole(0..=MAX_ATTEMPTS),
    default verification().max_verification_attempts, attempts => verification.max_verification_attempts;

    /// When steps are planned, unless the plan says so itself: `upfront` before the run,
    /// `iterative` after each step, `hybrid` from an outline, `auto` according to the model's
    /// profile. User settings only.
    Growth "planningStrategy" "Planning strategy";
    planning_strategy: Option<Strategy> = choice(STRATEGIES), default None, user_only => planning.strategy;

    /// How much context a model gets for a step: `minimal` is previous steps and pinned notes,
    /// `relevant` adds the step's files and related knowledge, `full` adds whatever fits.
    Growth "contextStrategy" "Context strategy";
    context_strategy: Context = choice(named(Context::ALL, Context::as_str)),
    default Context::default(), workspace_first => planning.context;

    /// How many steps a model is asked for at once while a plan grows; defaults to the model's
    /// profile.
    Growth "lookAheadTasks" "Steps per request";
    look_ahead_tasks: u8 = whole(1..=MAX_LOOK_AHEAD), default None, workspace_first => planning.look_ahead;

    /// Maximum steps that a run may add to a plan. A workspace can only lower it.
    Growth "maxAddedSteps" "Maximum added steps";
    max_added_steps: u32 = whole(1..=1_000), default RunLimits::default().steps, lower_only => planning.caps.steps;

    /// Maximum model requests of a run that adds steps. A workspace can only lower it.
    Growth "maxModelCalls" "Maximum model requests";
    max_model_calls: u32 = whole(1..=100_000), default RunLimits::default().calls, lower_only => planning.caps.calls;

    /// Maximum tokens of a run that adds steps. A workspace can only lower it.
    Growth "maxRunTokens" "Maximum tokens";
    max_run_tokens: u64 = whole(1..=1_000_000_000),
    default RunLimits::default().tokens, lower_only => planning.caps.tokens;

    /// Maximum active time of a run that adds steps, in seconds. A workspace can only lower it.
    Growth "maxRunSeconds" "Maximum active time (s)";
    max_run_seconds: u64 = whole(1..=7 * u64::from(DAY_S)),
    default RunLimits::default().seconds, lower_only => planning.caps.seconds;

    /// The planner that is tried first. User settings only.
    Routes "defaultPlannerPlugin" "Default planner";
    default_planner_plugin: String = routes::planner(), default orders().planner, user_only => routes.planner;

    /// The planners to fall back to, in order. User settings only.
    Routes "plannerFallbackOrder" "Fallback planners";
    planner_fallback_order: Vec<String> = routes::order(Kind::Planner),
    default orders().planners, user_only => routes.planners;

    /// The default order of plugins that read a goal; those not listed aren't tried. User settings
    /// only.
    Routes "defaultSeedDetectorPlan" "Goal readers";
    default_seed_detector_plan: Vec<String> = routes::order(Kind::Detector),
    default orders().detectors, user_only => routes.detectors;

    /// The default order of plugins that gather workspace knowledge; those not listed aren't tried.
    /// User settings only.
    Routes "defaultKBPlan" "Knowledge sources";
    default_kb_plan: Vec<String> = routes::order(Kind::Kb), default orders().kbs, user_only => routes.kbs;

    /// The default order of plugins that write the plan; those not listed aren't tried. User
    /// settings only.
    Routes "defaultGoalSolverPlan" "Plan writers";
    default_goal_solver_plan: Vec<String> = routes::order(Kind::Solver),
    default orders().solvers, user_only => routes.solvers;

    /// Commands that steps can be handed over to, such as another agent. User settings only.
    Runs "executors" "Executors";
    executors: Vec<Executor> = executors::format(), default Vec::new(), user_only => executors;

    /// Other agents that carry out steps, and what is different for known ones. User settings only.
    Runs "agents" "Agents";
    agents: Vec<AgentEntry> = agents::format(), default Vec::new(), user_only => agents;

    /// Folders with plan templates, relative to the workspace. A workspace's list replaces the
    /// user's.
    General "template_folders" "Template folders";
    template_folders: Vec<String> = texts(value_parsers::folder),
    default vec![".planwright/templates".to_owned()], workspace_first => template_folders;

    /// The folder for new plans, relative to the workspace. A workspace's replaces the user's.
    General "plan_folder" "Plan folder";
    plan_folder: String = text(value_parsers::folder), default "plans".to_owned(), workspace_first => plan_folder;

    /// Folders searched for plans in addition to `plan_folder`, relative to the workspace. If
    /// unset, plans are found anywhere. A workspace's list replaces the user's.
    General "plan_folders" "More plan folders";
    plan_folders: Vec<String> = texts(value_parsers::folder), default None, workspace_first => plan_folders;

    /// Project notes for planners. A workspace's notes are added to the user's.
    General "context_notes" "Notes for planners";
    context_notes: Vec<String> = texts(value_parsers::note), default Vec::new(), appended => context_notes;

    /// The window's theme: `auto` follows the system. User settings only.
    General "theme" "Theme";
    theme: Theme = choice(named(Theme::ALL, Theme::as_str)), default Theme::default(), user_only => theme;

    /// The editor that the window opens files in: `visual` is `$VISUAL`, `desktop` the desktop's
    /// editor for text files, `auto` the first of `visual`, `vscode`, `zed` and `desktop` that
    /// works. User settings only.
    General "editor" "Editor";
    editor: Editor = choice(named(Editor::ALL, Editor::as_str)), default Editor::default(), user_only => editor;
}

fn expansion() -> expansion::Settings {
    expansion::Settings::default()
}

fn verification() -> Verification {
    Verification::default()
}

fn orders() -> Orders {
    Orders::default()
}

fn schema(label: &str, help: &str, format: &Value, default: &Value) -> Value {
    let mut schema = Map::new();
    schema.insert("title".to_owned(), json!(label));
    schema.insert("description".to_owned(), json!(help));
    let parts = format.as_object().into_iter().flatten();
    schema.extend(parts.map(|(name, value)| (name.clone(), value.clone())));
    if !default.is_null() {
        schema.insert("default".to_owned(), default.clone());
    }
    Value::Object(schema)
}
