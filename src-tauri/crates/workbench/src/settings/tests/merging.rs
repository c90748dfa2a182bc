//! Tables of a user's and a workspace's value and the merged result.

use super::*;

#[test]
fn without_any_file_the_defaults_apply() {
    let (settings, ignored) = merged(&json!({}), &json!({}));
    assert!(ignored.is_empty());
    insta::assert_snapshot!(settings.to_json(), @r#"{"policy":null,"plan_adequacy_shadow":true,"plan_adequacy_enforce":false,"max_gap_risk":null,"loop_mode":"off","max_refine_rounds":2,"refine_budget_tokens":18000,"gap_risk_threshold":0.28,"auto_expand_thin_plan":true,"plan_depth":"standard","max_tasks":30,"permissions":[],"sandbox":"auto","toolchains":[],"private_files":[],"endpoint":null,"command_timeout_s":600,"server_wait_s":600,"verify_commands":[],"verifyFileChanges":true,"runTestsAfterChanges":true,"verifySearchResults":true,"maxVerificationAttempts":2,"planningStrategy":"auto","contextStrategy":"relevant","lookAheadTasks":null,"maxAddedSteps":40,"maxModelCalls":400,"maxRunTokens":2000000,"maxRunSeconds":14400,"defaultPlannerPlugin":"planner-default","plannerFallbackOrder":["planner-default","planner-depth"],"defaultSeedDetectorPlan":["sd-symbolic","sd-llm-fast","sd-llm-deep"],"defaultKBPlan":["kb-fast","kb-balanced","kb-thinkingdb"],"defaultGoalSolverPlan":["gs-symbolic","gs-llm-fast","gs-llm-deep"],"executors":[],"agents":[],"template_folders":[".planwright/templates"],"plan_folder":"plans","plan_folders":null,"context_notes":[],"theme":"auto","editor":"auto"}"#);
}

#[test]
fn a_workspace_tightens_and_what_would_loosen_is_named() {
    // Columns: key, user's value, workspace's value, effective value, message.
    let table = [
        ("policy", json!("risky"), json!("each"), json!("each"), None),
        ("policy", json!(null), json!("risky"), json!("risky"), None),
        (
            "policy",
            json!("risky"),
            json!("risky"),
            json!("risky"),
            None,
        ),
        (
            "policy",
            json!("each"),
            json!("risky"),
            json!("each"),
            Some(
                "ignored: “risky” asks less often than your “each”; a workspace can only make runs ask more often",
            ),
        ),
        (
            "policy",
            json!(null),
            json!("all"),
            json!(null),
            Some("ignored: “all” never asks; a workspace can only make runs ask more often"),
        ),
        (
            "loop_mode",
            json!("auto"),
            json!("force"),
            json!("force"),
            None,
        ),
        (
            "loop_mode",
            json!("auto"),
            json!("off"),
            json!("auto"),
            Some(
                "ignored: it is less strict than your setting; a workspace can only make it stricter",
            ),
        ),
        (
            "plan_depth",
            json!(null),
            json!("deep"),
            json!("deep"),
            None,
        ),
        (
            "plan_depth",
            json!(null),
            json!("minimal"),
            json!("standard"),
            Some(
                "ignored: it is less strict than your setting; a workspace can only make it stricter",
            ),
        ),
        ("max_refine_rounds", json!(4), json!(0), json!(0), None),
        (
            "max_refine_rounds",
            json!(null),
            json!(3),
            json!(2),
            Some("ignored: 3 is higher than your 2; a workspace can only lower it"),
        ),
        (
            "refine_budget_tokens",
            json!(0),
            json!(500),
            json!(500),
            None,
        ),
        (
            "refine_budget_tokens",
            json!(500),
            json!(0),
            json!(500),
            Some("ignored: no limit is higher than your 500; a workspace can only lower it"),
        ),
        (
            "gap_risk_threshold",
            json!(0.5),
            json!(0.1),
            json!(0.1),
            None,
        ),
        (
            "gap_risk_threshold",
            json!(0.1),
            json!(0.5),
            json!(0.1),
            Some("ignored: 0.5 is higher than your 0.1; a workspace can only lower it"),
        ),
        (
            "auto_expand_thin_plan",
            json!(false),
            json!(true),
            json!(true),
            None,
        ),
        (
            "auto_expand_thin_plan",
            json!(true),
            json!(false),
            json!(true),
            Some("ignored: a workspace can only turn it on"),
        ),
        (
            "max_tasks",
            json!(20),
            json!(40),
            json!(20),
            Some("ignored: 40 is higher than your 20; a workspace can only lower it"),
        ),
        (
            "plan_adequacy_enforce",
            json!(false),
            json!(true),
            json!(true),
            None,
        ),
        (
            "plan_adequacy_enforce",
            json!(false),
            json!(false),
            json!(false),
            None,
        ),
        (
            "plan_adequacy_enforce",
            json!(true),
            json!(false),
            json!(true),
            Some("ignored: a workspace can only turn it on"),
        ),
        (
            "plan_adequacy_shadow",
            json!(false),
            json!(true),
            json!(true),
            None,
        ),
        (
            "plan_adequacy_shadow",
            json!(null),
            json!(false),
            json!(true),
            Some("ignored: a workspace can only turn it on"),
        ),
        ("max_gap_risk", json!(0.5), json!(0.3), json!(0.3), None),
        ("max_gap_risk", json!(null), json!(0.9), json!(0.9), None),
        (
            "max_gap_risk",
            json!(0.5),
            json!(0.6),
            json!(0.5),
            Some("ignored: 0.6 is higher than your 0.5; a workspace can only lower it"),
        ),
        ("command_timeout_s", json!(900), json!(60), json!(60), None),
        ("command_timeout_s", json!(60), json!(60.0), json!(60), None),
        (
            "command_timeout_s",
            json!(null),
            json!(601),
            json!(600),
            Some("ignored: 601 is higher than your 600; a workspace can only lower it"),
        ),
    ];
    for (key, user, workspace, expected, said) in table {
        let (settings, ignored) = merged(&json!({ key: user }), &json!({ key: workspace }));
        assert_eq!(
            settings.to_json()[key],
            expected,
            "{key} {user} {workspace}"
        );
        let said: Vec<String> = said
            .map(|said| format!("{key}: {said}"))
            .into_iter()
            .collect();
        assert_eq!(ignored, said, "{key} {user} {workspace}");
    }
}

#[test]
fn a_wish_for_one_run_replaces_the_users_policy_but_not_the_workspaces() {
    use Policy::{All, Each, Risky};
    // Columns: the user's, the workspace's and the run's own choice, the default, the result.
    let table = [
        (None, None, None, All, All),
        (None, None, None, Each, Each),
        (Some(Each), None, Some(All), All, All),
        (Some(Risky), None, None, Each, Risky),
        (None, Some(Risky), Some(All), All, Risky),
        (None, Some(Risky), None, Each, Each),
        (Some(Risky), Some(Each), Some(All), All, Each),
    ];
    for (user, workspace, wish, default, expected) in table {
        let user = json!({ "policy": user.map(Policy::as_str) });
        let workspace = json!({ "policy": workspace.map(Policy::as_str) });
        let (settings, _) = merged(&user, &workspace);
        assert_eq!(
            settings.policy_for(wish, default),
            expected,
            "{user} {workspace} {wish:?}"
        );
    }
}

#[test]
fn a_workspaces_rules_come_after_the_users_and_never_allow() {
    let rule = |tool: &str, matches: &str, answer: &str| json!({ "tool": tool, "match": matches, "answer": answer });
    let user = json!({ "permissions": [rule("run_command", "prefix cargo ", "allow")] });
    let workspace = json!({ "permissions": [
        rule("delete_file", "prefix ", "ask"),
        rule("run_command", "exact rm -rf .", "allow"),
        rule("run_command", "exact cargo publish", "deny"),
    ] });
    let (settings, ignored) = merged(&user, &workspace);
    insta::assert_snapshot!(settings.to_json()["permissions"], @r#"[{"tool":"run_command","match":"prefix cargo","answer":"allow"},{"tool":"delete_file","match":"prefix ","answer":"ask"},{"tool":"run_command","match":"exact cargo publish","answer":"deny"}]"#);
    assert_eq!(
        ignored,
        [
            "permissions[1].answer: ignored: a workspace can only ask or deny; use your own \
             settings to allow it"
        ]
    );
}

#[test]
fn project_things_come_from_the_workspace_first_and_notes_from_both() {
    let user = json!({
        "verify_commands": ["make check"],
        "plan_folder": "notes/plans",
        "plan_folders": ["specs"],
        "context_notes": ["I write British English."],
    });
    let workspace = json!({
        "verify_commands": ["cargo test", "cargo clippy"],
        "template_folders": ["docs/templates/", "./more"],
        "plan_folders": ["docs/rfc/", ".kiro/specs"],
        "context_notes": ["The parser is generated."],
    });
    let (settings, ignored) = merged(&user, &workspace);
    assert!(ignored.is_empty());
    assert_eq!(settings.verify_commands, ["cargo test", "cargo clippy"]);
    assert_eq!(settings.template_folders, ["docs/templates", "more"]);
    assert_eq!(settings.plan_folder, "notes/plans");
    let folders = settings.plan_folders.unwrap();
    assert_eq!(folders, ["docs/rfc", ".kiro/specs"]);
    assert_eq!(
        settings.context_notes,
        ["I write British English.", "The parser is generated."]
    );
}
