//! Tests of hosts that can show dialogs: a dialog describes the plan, and nothing chosen in it is a
//! decision.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Agent, NEWEST, PLAN, Site};

/// Proposes a plan; returns the arguments for requesting its approval.
fn proposed(agent: &mut Agent) -> Value {
    let proposed = agent.tool("propose_plan", json!({ "text": PLAN }));
    json!({ "plan": proposed["path"], "revision": proposed["revision"] })
}

/// Asserts that a dialog describes the plan.
fn describes_the_plan(dialog: &Value) {
    let message = dialog["message"].as_str().unwrap();
    for part in [
        "test-agent asks you to approve “Add a CSV export” (",
        "; 2 steps)",
        "plans/add-a-csv-export.md",
        "T2 Write the rows as CSV",
        "Decide in Planwright’s window",
    ] {
        assert!(message.contains(part), "{part} isn't in {message}");
    }
    assert_eq!(dialog["requestedSchema"]["properties"], json!({}));
}

/// Results that a host may send for a dialog.
fn chosen() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({ "action": "accept", "content": {} })),
        Just(json!({ "action": "accept", "content": { "approved": true, "decision": "approve" } })),
        Just(json!({ "action": "decline" })),
        Just(json!({ "action": "cancel" })),
        Just(json!({ "status": "approved" })),
    ]
}

#[test]
fn a_dialog_is_shown_once_and_taken_back_after_the_decision() {
    Site::new().serve(|agent, site| {
        agent.capabilities = json!({ "elicitation": {} });
        agent.initialize("2025-06-18");
        let wanted = proposed(agent);
        let id = agent.send(
            "tools/call",
            json!({ "name": "request_approval", "arguments": wanted }),
        );
        // The dialog request and the call's result may arrive in either order.
        let messages = [agent.next(), agent.next()];
        let dialog = messages
            .iter()
            .find(|message| message["method"] == "elicitation/create");
        let dialog = dialog.unwrap_or_else(|| panic!("{messages:?}"));
        let asked = messages
            .iter()
            .find(|message| message["id"] == id && message["result"].is_object());
        assert_eq!(
            asked.unwrap()["result"]["structuredContent"]["status"],
            "waiting"
        );
        describes_the_plan(&dialog["params"]);
        let again = agent.tool("request_approval", wanted.clone());
        assert_eq!(again["status"], "waiting", "there is no second dialog");

        site.approve(
            "plans/add-a-csv-export.md",
            wanted["revision"].as_str().unwrap(),
        );
        let taken_back = agent.next();
        assert_eq!(taken_back["method"], "notifications/cancelled");
        assert_eq!(taken_back["params"]["requestId"], dialog["id"]);
    });
}

#[test]
fn a_host_without_dialogs_gets_none() {
    for capabilities in [json!({}), json!({ "elicitation": { "url": {} } })] {
        for version in ["2025-11-25", NEWEST] {
            Site::new().serve(|agent, _| {
                agent.capabilities = capabilities.clone();
                match version {
                    NEWEST => agent.version = NEWEST,
                    _ => drop(agent.initialize(version)),
                }
                let wanted = proposed(agent);
                let asked = agent.tool("request_approval", wanted);
                assert_eq!(asked["status"], "waiting");
            });
        }
    }
}

#[test]
fn the_state_of_one_review_says_nothing_about_another_plan() {
    Site::new().serve(|agent, site| {
        agent.version = NEWEST;
        agent.capabilities = json!({ "elicitation": { "form": {} } });
        let wanted = proposed(agent);
        let call = json!({ "name": "request_approval", "arguments": wanted });
        let first = agent.request("tools/call", call);
        site.approve(
            "plans/add-a-csv-export.md",
            wanted["revision"].as_str().unwrap(),
        );
        let other = agent.tool(
            "propose_plan",
            json!({ "text": PLAN.replace("CSV", "JSON") }),
        );
        for (plan, revision) in [
            (&other["path"], &other["revision"]),
            (&wanted["plan"], &other["revision"]),
            (&json!("../../nowhere.md"), &wanted["revision"]),
        ] {
            let arguments = json!({ "plan": plan, "revision": revision });
            let result = agent.request(
                "tools/call",
                json!({
                    "name": "request_approval", "arguments": arguments,
                    "requestState": first["requestState"],
                }),
            );
            assert_ne!(
                result["structuredContent"]["status"], "approved",
                "{result}"
            );
        }
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn nothing_chosen_in_a_dialog_decides(chosen in chosen()) {
        Site::new().serve(|agent, site| {
            agent.capabilities = json!({ "elicitation": { "form": {} } });
            agent.initialize("2025-11-25");
            let wanted = proposed(agent);
            agent.send("tools/call", json!({ "name": "request_approval", "arguments": wanted }));
            let messages = [agent.next(), agent.next()];
            let dialog = messages.iter().find(|message| message["method"].is_string()).unwrap();
            let asked = messages.iter().find(|message| message["result"].is_object()).unwrap();
            agent.write(&json!({ "jsonrpc": "2.0", "id": dialog["id"], "result": chosen.clone() }));
            let review = &asked["result"]["structuredContent"]["review"];
            let found = agent.tool("get_decision", json!({ "review": review }));
            assert_eq!(found["status"], "waiting");
            assert_eq!(site.approvals(), 0);
        });
    }

    #[test]
    fn nothing_chosen_in_a_dialog_of_the_newest_version_decides(
        chosen in chosen(),
        state in prop_oneof![Just(None), "[a-z0-9]{0,30}".prop_map(Some)],
        approves in any::<bool>(),
    ) {
        Site::new().serve(|agent, site| {
            agent.version = NEWEST;
            agent.capabilities = json!({ "elicitation": { "form": {}, "url": {} } });
            let wanted = proposed(agent);
            let mut call = json!({ "name": "request_approval", "arguments": wanted });
            let first = agent.request("tools/call", call.clone());
            assert_eq!(first["resultType"], "input_required", "{first}");
            describes_the_plan(&first["inputRequests"]["decide_in_window"]["params"]);
            assert_eq!(site.opened(), ["add-a-csv-export.md"]);
            if approves {
                site.approve("plans/add-a-csv-export.md", wanted["revision"].as_str().unwrap());
            } else {
                site.bench
                    .request_changes_in_reviews(&site.key("plans/add-a-csv-export.md"), wanted["revision"].as_str().unwrap(), "Not so.")
                    .unwrap();
            }
            call["requestState"] = first["requestState"].clone();
            call["inputResponses"] = json!({ "decide_in_window": chosen.clone() });
            let decided = agent.request("tools/call", call.clone())["structuredContent"].clone();
            assert_eq!(decided["status"], if approves { "approved" } else { "changes_requested" });
            assert_eq!(decided["review"], first["requestState"]);
            if let Some(state) = &state {
                call["requestState"] = json!(state);
                let other = agent.request("tools/call", call.clone());
                assert!(other["structuredContent"]["status"] != "approved", "{other}");
            }
            assert_eq!(site.approvals(), 0, "a review's approval is the window's to store");
        });
    }
}
