//! The text of one settings file to a layer and complaints.
//!
//! Pure. A file that is no JSON object gives an empty layer and one complaint; everything else is
//! read key by key, so that one mistake costs one key.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;

use super::Complaint;
use super::layer::{KEYS, Layer, USER_ALONE};
use super::{executors, expansion, planning, routes, values, verification};

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The user's, who may set everything.
    User,
    /// A workspace's: what only a user may set is named and not read.
    Workspace,
}

/// Reads one file.
pub(super) fn layer(text: &str, owner: Owner) -> (Layer, Vec<Complaint>) {
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let entries = match serde_json::from_str::<Entries>(text) {
        Ok(Entries(entries)) => entries,
        Err(error) => {
            return (
                Layer::default(),
                vec![Complaint::of_file(unreadable(&error))],
            );
        }
    };
    let mut reading = Reading {
        layer: Layer::default(),
        complaints: Vec::new(),
    };
    for (place, (key, value)) in entries.iter().enumerate() {
        if entries[..place].iter().any(|(earlier, _)| earlier == key) {
            reading.complain(&values::tamed(key), "stands twice; the last one counts");
        }
        if owner == Owner::Workspace && USER_ALONE.contains(&key.as_str()) {
            reading.complain(
                key,
                "is ignored: only your own settings can set it, no workspace",
            );
        } else {
            reading.take(key, value);
        }
    }
    (reading.layer, reading.complaints)
}

fn unreadable(error: &serde_json::Error) -> String {
    const NOTHING: &str = "nothing in it applies until it is mended";
    if error.classify() == Category::Data {
        return format!("must hold one JSON object {{…}}; {NOTHING}");
    }
    let (line, column) = (error.line(), error.column());
    let reason = error.to_string();
    let place = format!(" at line {line} column {column}");
    let reason = reason.strip_suffix(&place).unwrap_or(&reason);
    format!("is not JSON at line {line}, column {column}: {reason}; {NOTHING}")
}

struct Reading {
    layer: Layer,
    complaints: Vec<Complaint>,
}

impl Reading {
    fn complain(&mut self, key: &str, message: impl Into<String>) {
        self.complaints.push(Complaint::new(key, message));
    }

    fn take(&mut self, key: &str, value: &Value) {
        match key {
            "$schema" => self.layer.schema = self.one(key, value, values::text),
            "policy" => self.layer.policy = self.one(key, value, values::policy),
            "plan_adequacy_shadow" => {
                self.layer.plan_adequacy_shadow = self.one(key, value, values::switch);
            }
            "plan_adequacy_enforce" => {
                self.layer.plan_adequacy_enforce = self.one(key, value, values::switch);
            }
            "max_gap_risk" => self.layer.max_gap_risk = self.one(key, value, values::risk),
            "loop_mode" => self.layer.loop_mode = self.one(key, value, expansion::loop_mode),
            "max_refine_rounds" => {
                self.layer.max_refine_rounds = self.one(key, value, expansion::rounds);
            }
            "refine_budget_tokens" => {
                self.layer.refine_budget_tokens = self.one(key, value, expansion::tokens);
            }
            "gap_risk_threshold" => {
                self.layer.gap_risk_threshold = self.one(key, value, values::risk);
            }
            "auto_expand_thin_plan" => {
                self.layer.auto_expand_thin_plan = self.one(key, value, values::switch);
            }
            "plan_depth" => self.layer.plan_depth = self.one(key, value, expansion::depth),
            "max_tasks" => self.layer.max_tasks = self.one(key, value, expansion::tasks),
            "permissions" => {
                self.layer.permissions = self.unless_null(value, values::rules);
            }
            "sandbox" => self.layer.sandbox = self.one(key, value, values::sandbox),
            "toolchains" => self.layer.toolchains = self.many(key, value, values::toolchain),
            "private_files" => self.layer.private_files = self.many(key, value, values::pattern),
            "endpoint" => self.layer.endpoint = self.unless_null(value, values::endpoint),
            "command_timeout_s" => {
                self.layer.command_timeout_s = self.one(key, value, values::seconds);
            }
            "server_wait_s" => self.layer.server_wait_s = self.one(key, value, planning::wait),
            "verify_commands" => {
                self.layer.verify_commands = self.many(key, value, values::command);
            }
            "verifyFileChanges" => {
                self.layer.verify_file_changes = self.one(key, value, values::switch);
            }
            "runTestsAfterChanges" => {
                self.layer.run_tests_after_changes = self.one(key, value, values::switch);
            }
            "verifySearchResults" => {
                self.layer.verify_search_results = self.one(key, value, values::switch);
            }
            "maxVerificationAttempts" => {
                self.layer.max_verification_attempts = self.one(key, value, verification::attempts);
            }
            "planningStrategy" => {
                self.layer.planning_strategy = self.one(key, value, planning::choice);
            }
            "contextStrategy" => {
                self.layer.context_strategy = self.one(key, value, planning::context);
            }
            "lookAheadTasks" => {
                self.layer.look_ahead_tasks = self.one(key, value, planning::look_ahead);
            }
            "maxAddedSteps" => {
                self.layer.max_added_steps = self.one(key, value, planning::steps);
            }
            "maxModelCalls" => {
                self.layer.max_model_calls = self.one(key, value, planning::calls);
            }
            "maxRunTokens" => {
                self.layer.max_run_tokens = self.one(key, value, planning::tokens);
            }
            "maxRunSeconds" => {
                self.layer.max_run_seconds = self.one(key, value, planning::seconds);
            }
            "defaultPlannerPlugin" => {
                self.layer.default_planner_plugin = self.one(key, value, routes::planner);
            }
            "plannerFallbackOrder" => {
                self.layer.planner_fallback_order = self.one(key, value, routes::planners);
            }
            "defaultSeedDetectorPlan" => {
                self.layer.default_seed_detector_plan = self.one(key, value, routes::detectors);
            }
            "defaultKBPlan" => self.layer.default_kb_plan = self.one(key, value, routes::kbs),
            "defaultGoalSolverPlan" => {
                self.layer.default_goal_solver_plan = self.one(key, value, routes::solvers);
            }
            "executors" => self.layer.executors = self.many(key, value, executors::executor),
            "template_folders" => {
                self.layer.template_folders = self.many(key, value, values::folder);
            }
            "plan_folder" => self.layer.plan_folder = self.one(key, value, values::folder),
            "plan_folders" => self.layer.plan_folders = self.many(key, value, values::folder),
            "context_notes" => self.layer.context_notes = self.many(key, value, values::note),
            "theme" => self.layer.theme = self.one(key, value, values::theme),
            unknown => self
                .complaints
                .push(values::unknown_key("", unknown, &KEYS[1..])),
        }
    }

    fn one<T>(
        &mut self,
        key: &str,
        value: &Value,
        read: fn(&Value) -> Result<T, String>,
    ) -> Option<T> {
        if value.is_null() {
            return None;
        }
        read(value)
            .map_err(|message| self.complain(key, message))
            .ok()
    }

    fn many<T>(
        &mut self,
        key: &str,
        value: &Value,
        read: fn(&Value) -> Result<T, String>,
    ) -> Option<Vec<T>> {
        self.unless_null(value, |value, complaints| {
            values::list(key, value, complaints, read)
        })
    }

    /// `null` is a key that is not set.
    fn unless_null<T>(
        &mut self,
        value: &Value,
        read: impl Fn(&Value, &mut Vec<Complaint>) -> Option<T>,
    ) -> Option<T> {
        if value.is_null() {
            None
        } else {
            read(value, &mut self.complaints)
        }
    }
}

/// The entries of an object in their order, those that stand twice included.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Entries;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}
