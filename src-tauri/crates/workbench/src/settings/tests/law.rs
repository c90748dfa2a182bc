//! Property test: whatever a workspace contains, nothing is looser than with the user's settings
//! alone.

use gate::permissions::{Verdict, judge};
use gate::question::PermissionRequest;
use plan::ToolName;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

const SUBJECTS: [&str; 7] = [
    "",
    "cargo test",
    "cargo test --all",
    "rm -rf .",
    "rm -rf . && echo",
    "src/main.rs",
    "src/",
];

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((".{0,8}", inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn rule() -> impl Strategy<Value = Value> {
    let tools = ToolName::ALL.map(ToolName::as_str);
    let answers = select(vec!["allow", "ask", "deny", "allowed"]);
    (select(tools.to_vec()), select(vec!["exact", "prefix", "all"]), select(SUBJECTS.to_vec()), answers)
        .prop_map(|(tool, kind, subject, answer)| {
            json!({ "tool": tool, "match": format!("{kind} {subject}"), "answer": answer })
        })
}

/// A key and a value that is valid or almost valid.
fn entry() -> impl Strategy<Value = (String, Value)> {
    let one = |key: &'static str, values: Vec<Value>| {
        select(values)
            .prop_map(move |value| (key.to_owned(), value))
            .boxed()
    };
    let policies = ["each", "risky", "all", "none"].map(Value::from).to_vec();
    let sandboxes = ["auto", "bubblewrap", "landlock", "none", "off"]
        .map(Value::from)
        .to_vec();
    let switches = || [json!(true), json!(false), json!("false"), json!(0)].to_vec();
    let endpoints = ["http://a/v1", "https://b", "ftp://c"]
        .map(|url| json!({ "base_url": url, "model": "m" }))
        .to_vec();
    prop_oneof![
        one("policy", policies),
        one("sandbox", sandboxes),
        one("plan_adequacy_enforce", switches()),
        one("plan_adequacy_shadow", switches()),
        one("endpoint", endpoints),
        one("verifyFileChanges", switches()),
        one("runTestsAfterChanges", switches()),
        one("verifySearchResults", switches()),
        (0..6u32).prop_map(|times| ("maxVerificationAttempts".to_owned(), json!(times))),
        (0.0..1.1f64).prop_map(|risk| ("max_gap_risk".to_owned(), json!(risk))),
        (0..100_000i64).prop_map(|time| ("command_timeout_s".to_owned(), json!(time))),
        prop::collection::vec(rule(), 0..5)
            .prop_map(|rules| ("permissions".to_owned(), Value::from(rules))),
        (select(layer::KEYS.to_vec()), anything()).prop_map(|(key, value)| (key.to_owned(), value)),
        (".{0,12}", anything()),
    ]
}

/// The text of a file: usually an object, sometimes arbitrary text.
fn file() -> impl Strategy<Value = String> {
    let object = prop::collection::vec(entry(), 0..10).prop_map(|entries| {
        // Formatted directly rather than serialized, so that keys can occur twice.
        let entries: Vec<String> = entries
            .iter()
            .map(|(key, value)| format!("{}:{value}", json!(key)))
            .collect();
        format!("{{{}}}", entries.join(","))
    });
    prop_oneof![8 => object, 1 => anything().prop_map(|value| value.to_string()), 1 => ".{0,60}"]
}

fn requests() -> Vec<PermissionRequest> {
    let request = |tool: ToolName, subject: &str| PermissionRequest {
        tool: tool.as_str().to_owned(),
        subject: subject.to_owned(),
        danger: None,
        content: None,
    };
    ToolName::ALL
        .into_iter()
        .flat_map(|tool| SUBJECTS.map(|subject| request(tool, subject)))
        .collect()
}

proptest! {
    #[test]
    fn a_workspace_only_tightens(user in file(), workspace in file(), guarded in any::<bool>()) {
        let (user, _) = layer(&user, Owner::User);
        // Merging must be safe even if reading accepted keys that only the user may set.
        let owner = if guarded { Owner::Workspace } else { Owner::User };
        let (asked, _) = layer(&workspace, owner);
        let alone = merge(&user, &Layer::default()).0;
        let together = merge(&user, &asked).0;

        let policies = [Policy::All, Policy::Risky, Policy::Each];
        for default in policies {
            for wish in [None, Some(Policy::All), Some(Policy::Risky), Some(Policy::Each)] {
                prop_assert!(together.policy_for(wish, default) >= alone.policy_for(wish, default));
            }
        }
        prop_assert!(together.policy >= alone.policy);
        prop_assert!(together.plan_adequacy_shadow >= alone.plan_adequacy_shadow);
        prop_assert!(together.plan_adequacy_enforce >= alone.plan_adequacy_enforce);
        if let Some(most) = alone.max_gap_risk {
            prop_assert!(together.max_gap_risk.is_some_and(|risk| risk <= most));
        }
        prop_assert!((1..=alone.command_timeout_s).contains(&together.command_timeout_s));
        let (bound, free) = (&together.expansion, &alone.expansion);
        prop_assert!(bound.max_refine_rounds <= free.max_refine_rounds);
        prop_assert!(bound.max_tasks <= free.max_tasks);
        prop_assert!(bound.gap_risk_threshold <= free.gap_risk_threshold);
        prop_assert!(bound.auto_expand_thin_plan >= free.auto_expand_thin_plan);
        let is_bound = bound.refine_budget_tokens != 0 || free.refine_budget_tokens == 0;
        prop_assert!(is_bound);
        if free.refine_budget_tokens != 0 {
            prop_assert!(bound.refine_budget_tokens <= free.refine_budget_tokens);
        }
        prop_assert_eq!(bound.clone().clamped(), bound.clone());
        let (checked, free) = (&together.verification, &alone.verification);
        prop_assert!(checked.verify_file_changes >= free.verify_file_changes);
        prop_assert!(checked.run_tests_after_changes >= free.run_tests_after_changes);
        prop_assert!(checked.verify_search_results >= free.verify_search_results);
        if !free.is_off() {
            let attempts = 1..=free.max_verification_attempts;
            prop_assert!(attempts.contains(&checked.max_verification_attempts));
        }
        prop_assert_eq!(together.sandbox, alone.sandbox);
        prop_assert_eq!(&together.endpoint, &alone.endpoint);
        for request in requests() {
            for sandboxed in [true, false] {
                let free = judge(&request, &alone.permissions, sandboxed);
                let bound = judge(&request, &together.permissions, sandboxed);
                prop_assert!(bound >= free, "{:?}: {:?} became {:?}", request, free, bound);
            }
        }
        let folders = together.template_folders.iter().chain([&together.plan_folder]);
        for folder in folders.chain(together.plan_folders.iter().flatten()) {
            prop_assert!(!folder.is_empty() && !folder.starts_with('/'));
            prop_assert!(folder.split('/').all(|part| !matches!(part, "" | "." | "..")));
        }
    }

    #[test]
    fn an_ignored_key_is_always_named(user in file(), workspace in file()) {
        let (user, _) = layer(&user, Owner::User);
        let (asked, _) = layer(&workspace, Owner::Workspace);
        let (together, ignored) = merge(&user, &asked);
        let said = |key: &str| ignored.iter().any(|complaint| complaint.key == key);
        prop_assert!(asked.policy.is_none() || together.policy == asked.policy || said("policy"));
        prop_assert!(
            asked.command_timeout_s.is_none_or(|time| time == together.command_timeout_s)
                || said("command_timeout_s")
        );
        prop_assert!(
            asked.max_gap_risk.is_none() || asked.max_gap_risk == together.max_gap_risk
                || said("max_gap_risk")
        );
        let allows = asked.permissions.iter().flatten()
            .filter(|placed| placed.rule.verdict == Verdict::Allow).count();
        let named = ignored.iter().filter(|complaint| complaint.key.starts_with("permissions["));
        prop_assert_eq!(named.count(), allows);
    }
}
