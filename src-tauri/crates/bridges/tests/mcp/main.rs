//! The MCP server, tested as an agent uses it: JSON lines over a socket.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

mod elicitation;
mod http;
mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};
use support::{NEWEST, OLDEST, PLAN, Site};
use workbench::ReviewOutcome;

#[test]
fn agents_of_every_protocol_version_are_served() {
    for version in [OLDEST, "2025-03-26", "2025-06-18", "2025-11-25"] {
        Site::new().serve(|agent, _| {
            let hello = agent.initialize(version);
            assert_eq!(hello["protocolVersion"], version);
            assert_eq!(hello["serverInfo"]["name"], "planwright");
            let tools = agent.request("tools/list", json!({}));
            assert_eq!(tools["tools"].as_array().unwrap().len(), 9);
        });
    }
    Site::new().serve(|agent, _| {
        agent.version = NEWEST;
        let found = agent.request("server/discover", json!({}));
        let versions = found["supportedVersions"].as_array().unwrap();
        assert!(versions.contains(&json!(OLDEST)) && versions.contains(&json!(NEWEST)));
        let plans = agent.tool("list_plans", json!({}));
        assert_eq!(plans["plans"], json!([]));
    });
}

#[test]
fn the_tools_take_little_room_and_say_what_they_do() {
    Site::new().serve(|agent, _| {
        agent.initialize(OLDEST);
        let listed = agent.request("tools/list", json!({}));
        let size = listed.to_string().len();
        eprintln!("tools/list: {size} bytes");
        assert!(size < 6_500, "{size} bytes");
        for tool in listed["tools"].as_array().unwrap() {
            let (name, hints) = (tool["name"].as_str().unwrap(), &tool["annotations"]);
            let reads = !name.starts_with("propose_")
                && !["report_progress", "request_approval"].contains(&name);
            assert_eq!(hints["readOnlyHint"], reads, "{name}");
            assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{name}");
            assert!(tool["description"].as_str().unwrap().len() < 200, "{name}");
            if !reads {
                assert_eq!(hints["destructiveHint"], name == "propose_edit", "{name}");
            }
            // Every argument in the schema is accepted, and no other.
            let refusal = agent.refused(name, json!({ "approve": true }));
            assert!(
                refusal.contains("unknown field `approve`"),
                "{name}: {refusal}"
            );
            for argument in tool["inputSchema"]["properties"]
                .as_object()
                .unwrap()
                .keys()
            {
                assert!(
                    refusal.contains(&format!("`{argument}`")),
                    "{name}: {refusal}"
                );
            }
        }
    });
}

#[test]
fn a_plan_is_proposed_edited_and_approved_by_a_person() {
    Site::new().serve(|agent, site| {
        agent.initialize(OLDEST);
        let proposed = agent.tool("propose_plan", json!({ "text": PLAN }));
        assert_eq!(proposed["path"], "plans/add-a-csv-export.md");
        assert!(proposed.get("text").is_none());
        assert_eq!(site.opened(), Vec::<String>::new(), "nobody was asked");
        let again = agent.tool("propose_plan", json!({ "text": PLAN }));
        assert_eq!(
            again["path"], proposed["path"],
            "a retry makes no second file"
        );

        let plans = agent.tool("list_plans", json!({}));
        assert_eq!(plans["plans"][0]["title"], "Add a CSV export");
        assert_eq!(plans["plans"][0]["state"], "not approved");
        let read = agent.tool("get_plan", json!({ "plan": proposed["path"] }));
        assert_eq!(read["text"], PLAN);
        assert_eq!(read["revision"], proposed["revision"]);
        let step = agent.tool(
            "get_task",
            json!({ "plan": proposed["path"], "task": "T2" }),
        );
        assert!(
            step["text"]
                .as_str()
                .unwrap()
                .starts_with("- [ ] **T2** Write")
        );
        assert_eq!(step["state"], "open");
        let checked = agent.tool("check_plan", json!({ "plan": proposed["path"] }));
        let unsaved = agent.tool("check_plan", json!({ "text": PLAN }));
        assert_eq!(checked["badge"], unsaved["badge"]);

        let edited = agent.tool(
            "propose_edit",
            json!({
                "plan": proposed["path"], "revision": proposed["revision"],
                "old_text": "Write the rows as CSV", "new_text": "Write all rows as CSV",
            }),
        );
        assert_ne!(edited["revision"], proposed["revision"]);
        assert!(
            edited["changed"].as_str().unwrap().contains("T2"),
            "{edited}"
        );
        // This edit is based on the first revision but touches other lines, so it is merged.
        let merged = agent.tool(
            "propose_edit",
            json!({
                "plan": proposed["path"], "revision": proposed["revision"],
                "task": "T1", "new_text": "- [ ] **T1** Find where `rows` is built",
            }),
        );
        assert!(merged["note"].as_str().unwrap().contains("merged"));
        let text = site.read("plans/add-a-csv-export.md");
        assert!(text.contains("Write all rows") && text.contains("where `rows` is built"));

        let old = json!({ "plan": proposed["path"], "revision": proposed["revision"] });
        assert!(
            agent
                .refused("request_approval", old)
                .contains("is now at revision")
        );
        let current = json!({ "plan": proposed["path"], "revision": merged["revision"] });
        let asked = agent.tool("request_approval", current.clone());
        assert_eq!(asked["status"], "waiting");
        assert_eq!(site.opened(), ["add-a-csv-export.md"]);
        let twice = agent.tool("request_approval", current);
        assert_eq!(twice["review"], asked["review"]);
        let review = json!({ "review": asked["review"] });
        assert_eq!(
            agent.tool("get_decision", review.clone())["status"],
            "waiting"
        );

        // Other requests are answered while one is waiting for the decision.
        let waits = agent.send("tools/call", json!({
            "name": "get_decision", "arguments": { "review": asked["review"], "wait_seconds": 50 },
        }));
        let plans = agent.tool("list_plans", json!({}));
        assert_eq!(plans["plans"][0]["state"], "waiting for a decision");
        site.approve(
            "plans/add-a-csv-export.md",
            merged["revision"].as_str().unwrap(),
        );
        let decided = agent.answer(waits)["structuredContent"].clone();
        assert_eq!(decided["status"], "approved");
        assert_eq!(decided["revision"], merged["revision"]);
        assert_eq!(decided["is_changed"], false);
        assert!(decided.get("text").is_none());
    });
}

#[test]
fn feedback_is_no_approval_and_an_unchanged_plan_is_refused() {
    Site::new().serve(|agent, site| {
        agent.initialize(OLDEST);
        let proposed = agent.tool("propose_plan", json!({ "text": PLAN }));
        let path = proposed["path"].as_str().unwrap();
        let current = json!({ "plan": path, "revision": proposed["revision"] });
        let asked = agent.tool("request_approval", current.clone());
        site.bench
            .request_changes_in_reviews(
                &site.key(path),
                proposed["revision"].as_str().unwrap(),
                "smaller steps",
            )
            .unwrap();
        let decided = agent.tool("get_decision", json!({ "review": asked["review"] }));
        assert_eq!(decided["status"], "changes_requested");
        assert_eq!(decided["message"], "smaller steps");
        assert!(
            agent
                .refused("request_approval", current)
                .contains("unchanged")
        );
        assert!(
            agent
                .refused("propose_plan", json!({ "text": PLAN }))
                .contains("smaller steps")
        );
        // An edit withdraws the review of the previous revision.
        let edit = |revision: &Value, old: &str, new: &str| {
            json!({
                "plan": path, "revision": revision, "old_text": old, "new_text": new,
            })
        };
        let first = agent.tool(
            "propose_edit",
            edit(&proposed["revision"], "the rows as", "rows as"),
        );
        let asked = agent.tool(
            "request_approval",
            json!({ "plan": path, "revision": first["revision"] }),
        );
        agent.tool(
            "propose_edit",
            edit(&first["revision"], "rows as CSV", "each row as CSV"),
        );
        let decided = agent.tool("get_decision", json!({ "review": asked["review"] }));
        assert_eq!(decided["status"], "withdrawn");
        assert_eq!(site.approvals(), 0);
    });
}

#[test]
fn a_review_of_another_agent_isn_t_this_one_s_whatever_conversation_it_claims() {
    Site::new().serve(|agent, site| {
        agent.initialize(OLDEST);
        let folder = site.path("");
        let hook = workbench::ReviewRequest {
            folder: &folder,
            agent: "Claude Code",
            agent_session: "s1",
            text: PLAN,
            file: None,
            waits: true,
        };
        let hook = site.bench.ask_for_review(&hook).unwrap();
        let other = json!({ "text": PLAN.replace("CSV", "JSON"), "session": "s1" });
        agent.tool("propose_plan", other);
        let plan = json!({ "plan": hook.relative, "revision": hook.revision });
        let asked = agent.tool("request_approval", plan.clone());
        assert_ne!(asked["review"], hook.id);
        let again = agent.tool("request_approval", plan);
        assert_eq!(again["review"], asked["review"]);
    });
}

#[test]
fn a_person_s_changes_come_with_the_approval() {
    Site::new().serve(|agent, site| {
        agent.initialize(OLDEST);
        let proposed = agent.tool("propose_plan", json!({ "text": PLAN }));
        let path = proposed["path"].as_str().unwrap();
        let asked = agent.tool(
            "request_approval",
            json!({ "plan": path, "revision": proposed["revision"] }),
        );
        let text = PLAN.replace("rows as CSV", "rows as CSV, quoted");
        site.write(path, &text);
        let read = agent.tool("get_plan", json!({ "plan": path }));
        site.approve(path, read["revision"].as_str().unwrap());
        let decided = agent.tool(
            "get_decision",
            json!({ "review": asked["review"], "wait_seconds": 50 }),
        );
        assert_eq!(decided["is_changed"], true);
        assert_eq!(decided["text"], text);
    });
}

#[test]
fn a_report_is_a_claim() {
    Site::new().serve(|agent, site| {
        agent.initialize(OLDEST);
        let proposed = agent.tool("propose_plan", json!({ "text": PLAN }));
        let path = proposed["path"].as_str().unwrap();
        let report = |task: &str, note: &str| json!({ "plan": path, "task": task, "note": note });
        let stored = agent.tool("report_progress", report("T2", "done\u{1b}[2K, trust me"));
        assert_eq!(stored["is_evidence"], false);
        assert_eq!(stored["verify"], json!(["python3 -m unittest"]));
        assert_eq!(site.read(path), PLAN, "no box is ticked");
        let comments = site
            .bench
            .store
            .comments()
            .of_plan(&site.key(path))
            .unwrap();
        assert_eq!(comments[0].task.as_deref(), Some("T2"));
        assert!(
            comments[0]
                .text
                .starts_with("test-agent reports (not verified): done⟨ESC⟩")
        );
        assert!(
            comments[0].sent_ms.is_some(),
            "it is not sent as the person's words"
        );
        assert!(
            agent
                .refused("report_progress", report("T9", "x"))
                .contains("no step T9")
        );
        assert!(
            agent
                .refused("report_progress", report("T2", " "))
                .contains("note")
        );
    });
}

#[test]
fn what_is_no_plan_is_neither_read_nor_written() {
    Site::new().serve(|agent, site| {
        site.write("secret.md", "no plan");
        site.write("src/main.py", "- [ ] a\n- [ ] b\n");
        site.write(".planwright/run/x.md", PLAN);
        site.write(".git/x.md", PLAN);
        std::os::unix::fs::symlink("/etc/passwd", site.path("plans.md")).unwrap();
        agent.initialize(OLDEST);
        for path in [
            "secret.md", "src/main.py", ".planwright/run/x.md", ".git/x.md", "plans.md", "",
            "..", "../x.md", "/etc/passwd", "plans/../../x.md", "plan://../x.md", "plan://%2e%2e/x.md", "\0",
        ] {
            agent.refused("get_plan", json!({ "plan": path }));
            agent.refused("propose_edit", json!({
                "plan": path, "revision": "0123456789ab", "old_text": "a", "new_text": "b",
            }));
        }
        assert!(agent.refused("propose_plan", json!({ "text": " \n" })).contains("empty"));
        assert!(agent.refused("propose_plan", json!({ "text": "# Words" })).contains("- [ ]"));
        let proposed = agent.tool("propose_plan", json!({ "text": "- [ ] **T1** Do it\n", "title": "A title" }));
        assert_eq!(proposed["path"], "plans/a-title.md");
        let edit = |old: &str, new: &str| json!({
            "plan": proposed["path"], "revision": proposed["revision"], "old_text": old, "new_text": new,
        });
        assert!(agent.refused("propose_edit", edit("- [ ]", "- [x]")).contains("ticks"));
        assert!(agent.refused("propose_edit", edit("nowhere", "x")).contains("not in the plan"));
        assert!(agent.refused("get_decision", json!({ "review": "nope" })).contains("no review"));
        assert!(agent.refused("get_decision", json!({ "review": "x", "wait_seconds": 51 })).contains("50"));
        assert!(agent.refused("approve", json!({})).contains("no tool approve"));
    });
}

#[test]
fn plans_are_resources_and_prompts_name_the_tools() {
    Site::new().serve(|agent, site| {
        site.write("plans/with space.md", PLAN);
        agent.initialize(OLDEST);
        let listed = agent.request("resources/list", json!({}));
        let uri = listed["resources"][0]["uri"].as_str().unwrap();
        assert_eq!(uri, "plan://plans/with%20space.md");
        let read = agent.request("resources/read", json!({ "uri": uri }));
        assert_eq!(read["contents"][0]["text"], PLAN);
        let templates = agent.request("resources/templates/list", json!({}));
        assert_eq!(
            templates["resourceTemplates"][0]["uriTemplate"],
            "plan://{+path}"
        );
        let write = agent.request(
            "prompts/get",
            json!({
                "name": "write_plan", "arguments": { "goal": "export rows" },
            }),
        );
        let text = write["messages"][0]["content"]["text"].as_str().unwrap();
        for word in [
            "propose_plan",
            "request_approval",
            "get_decision",
            "export rows",
        ] {
            assert!(text.contains(word), "{word}");
        }
        let carry = agent.request(
            "prompts/get",
            json!({
                "name": "carry_out_plan", "arguments": { "plan": "plans/with space.md" },
            }),
        );
        assert!(
            carry["messages"][0]["content"]["text"]
                .as_str()
                .unwrap()
                .contains("report_progress")
        );
    });
}

#[test]
fn a_folder_that_can_t_be_a_workspace_is_an_error_of_each_tool() {
    let site = Site::new();
    let home = site.home();
    site.serve_in(home, |agent, _| {
        agent.initialize(OLDEST);
        assert!(
            agent
                .refused("list_plans", json!({}))
                .contains("can't be a workspace")
        );
        assert!(
            agent
                .refused("propose_plan", json!({ "text": PLAN }))
                .contains("can't be a workspace")
        );
    });
}

#[test]
fn many_requests_are_each_answered_and_carried_out_in_order() {
    Site::new().serve(|agent, site| {
        site.write("plans/a.md", PLAN);
        agent.initialize(OLDEST);
        let ids = agent.send_many(2_000, "get_plan", &json!({ "plan": "plans/a.md" }));
        let answered = ids.iter().map(|_| agent.next()["id"].as_u64().unwrap());
        assert_eq!(
            answered.collect::<BTreeSet<u64>>(),
            ids.into_iter().collect()
        );

        let told: Vec<u64> = (0..150)
            .map(|n| {
                let note =
                    json!({ "plan": "plans/a.md", "task": "T1", "note": format!("note {n}.") });
                agent.send(
                    "tools/call",
                    json!({ "name": "report_progress", "arguments": note }),
                )
            })
            .collect();
        for id in told {
            agent.answer(id);
        }
        let comments = site.bench.store.comments();
        let stored = comments.of_plan(&site.key("plans/a.md")).unwrap();
        let notes = stored.iter().enumerate();
        assert!(
            notes
                .clone()
                .all(|(n, one)| one.text.contains(&format!("note {n}.")))
        );
        assert_eq!(notes.len(), 150);
    });
}

#[test]
fn only_files_that_the_lists_show_are_read_and_edited() {
    Site::new().serve(|agent, site| {
        agent.initialize(OLDEST);
        std::fs::write(site.key(".gitignore"), "built/\n").unwrap();
        std::fs::create_dir_all(site.key(".git")).unwrap();
        for path in [".claude/skills/s.md", "built/n.md", "notes/plan.md"] {
            let file = std::path::PathBuf::from(site.key(path));
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, PLAN).unwrap();
            let listed = agent
                .tool("list_plans", json!({}))
                .to_string()
                .contains(path);
            assert_eq!(listed, path == "notes/plan.md", "{path}");
            let edit = json!({
                "plan": path, "revision": plan::Revision::of(PLAN.as_bytes()).as_str(),
                "old_text": "rows as CSV", "new_text": "x",
            });
            match listed {
                true => drop(agent.tool("get_plan", json!({ "plan": path }))),
                false => {
                    let refused = agent.refused("get_plan", json!({ "plan": path }));
                    assert!(refused.contains("not a plan"), "{refused}");
                    agent.refused("propose_edit", edit);
                }
            }
            assert_eq!(site.read(path), PLAN);
        }
    });
}

#[test]
fn a_plan_with_an_open_run_is_not_edited() {
    Site::new().serve(|agent, site| {
        agent.initialize(OLDEST);
        let proposed = agent.tool("propose_plan", json!({ "text": PLAN }));
        let path = proposed["path"].as_str().unwrap();
        let (key, workspace) = (site.key(path), site.key(""));
        let run = store::NewRun {
            id: "r1",
            plan: &key,
            workspace: &workspace,
            revision: proposed["revision"].as_str().unwrap(),
            policy: "all",
            state: "waiting",
            title: "Add a CSV export",
            at_ms: 1,
        };
        site.bench.store.runs().create(&run).unwrap();
        let edit = json!({
            "plan": path, "revision": proposed["revision"], "old_text": "rows as CSV", "new_text": "x",
        });
        assert!(agent.refused("propose_edit", edit).contains("has an unfinished run"));
        let ask = json!({ "plan": path, "revision": proposed["revision"] });
        assert!(agent.refused("request_approval", ask).contains("has an unfinished run"));
        assert_eq!(site.read(path), PLAN);
        let plans = agent.tool("list_plans", json!({}));
        assert_eq!(plans["plans"][0]["state"], "run waiting");
    });
}

#[test]
fn asking_about_one_plan_writes_no_other() {
    Site::new().serve(|agent, site| {
        agent.initialize(OLDEST);
        let first = agent.tool("propose_plan", json!({ "text": PLAN }));
        let current = json!({ "plan": first["path"], "revision": first["revision"] });
        agent.tool("request_approval", current);
        let before = site.files();
        let other = PLAN.replace("CSV", "JSON");
        for name in ["other.MD", "other.markdown", "plans/other.md"] {
            site.write(name, &other);
            let read = agent.tool("get_plan", json!({ "plan": name }));
            let wanted = json!({ "plan": name, "revision": read["revision"] });
            let asked = agent.tool("request_approval", wanted);
            let review = site
                .bench
                .store
                .reviews()
                .get(asked["review"].as_str().unwrap());
            assert_eq!(review.unwrap().unwrap().plan, site.key(name));
            std::fs::remove_file(site.path(name)).unwrap();
        }
        assert_eq!(site.files(), before);
    });
}

#[test]
fn an_approval_says_if_the_file_has_changed_since() {
    Site::new().serve(|agent, site| {
        agent.initialize(OLDEST);
        let proposed = agent.tool("propose_plan", json!({ "text": PLAN }));
        let path = proposed["path"].as_str().unwrap();
        let current = json!({ "plan": path, "revision": proposed["revision"] });
        let asked = agent.tool("request_approval", current);
        site.approve(path, proposed["revision"].as_str().unwrap());
        site.write(path, &PLAN.replace("Write the rows", "Delete the rows"));
        let decided = agent.tool("get_decision", json!({ "review": asked["review"] }));
        assert_eq!(decided["status"], "approved");
        assert_eq!(decided["text"], PLAN);
        assert!(decided["note"].as_str().unwrap().contains("has changed"));
    });
}

#[test]
fn a_window_that_can_t_be_opened_withdraws_the_review() {
    Site::new().without_display().serve(|agent, site| {
        agent.initialize(OLDEST);
        let proposed = agent.tool("propose_plan", json!({ "text": PLAN }));
        let asked = json!({ "plan": proposed["path"], "revision": proposed["revision"] });
        assert!(
            agent
                .refused("request_approval", asked)
                .contains("no display")
        );
        assert!(site.bench.waiting_reviews(None).unwrap().is_empty());
    });
}

/// A random call of any tool; arguments may be valid, missing, unknown, huge or of the wrong type.
fn call() -> impl Strategy<Value = (String, Value)> {
    let names = [
        "list_plans",
        "get_plan",
        "get_task",
        "check_plan",
        "propose_plan",
        "propose_edit",
        "report_progress",
        "request_approval",
        "get_decision",
        "approve",
        "run",
    ];
    let keys = [
        "plan",
        "task",
        "text",
        "title",
        "session",
        "revision",
        "old_text",
        "new_text",
        "note",
        "review",
        "wait_seconds",
        "approve",
    ];
    let value = prop_oneof![
        Just(json!("plans/a.md")),
        Just(json!("plans/add-a-csv-export.md")),
        Just(json!("src/main.py")),
        Just(json!("../outside.md")),
        Just(json!("$revision")),
        Just(json!("$review")),
        Just(json!("T1")),
        Just(json!("T2")),
        Just(json!(PLAN)),
        Just(json!("- [x] **T1** Done")),
        Just(json!("[ ]")),
        Just(json!("## Decisions\n- **D1** yes")),
        Just(json!(0)),
        Just(json!(null)),
        Just(json!(["a"])),
        "\\PC{0,40}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    let arguments =
        proptest::collection::vec((proptest::sample::select(keys.to_vec()), value), 0..6);
    (proptest::sample::select(names.to_vec()), arguments).prop_map(|(name, arguments)| {
        let arguments = arguments
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value));
        (name.to_owned(), Value::Object(arguments.collect()))
    })
}

/// A call with arguments that fit the tool, so that more calls succeed.
fn fitting() -> impl Strategy<Value = (String, Value)> {
    let plan = prop_oneof![
        Just("plans/a.md"),
        Just("plans/add-a-csv-export.md"),
        Just("src/main.py")
    ];
    let text = prop_oneof![
        Just(PLAN.to_owned()),
        "(- \\[[ x]\\] \\*\\*T[1-4]\\*\\* [a-z ]{1,20}\n){0,4}"
    ];
    (0..7_u8, plan, text, "T[1-3]").prop_map(|(which, plan, text, task)| {
        let of = |name: &str, arguments: Value| (name.to_owned(), arguments);
        match which {
            0 => of("propose_plan", json!({ "text": text })),
            1 => of("propose_edit", json!({ "plan": plan, "revision": "$revision", "task": task, "new_text": text })),
            2 => of("propose_edit", json!({ "plan": plan, "revision": "$revision", "old_text": "rows", "new_text": task })),
            3 => of("report_progress", json!({ "plan": plan, "task": task, "note": text })),
            4 => of("request_approval", json!({ "plan": plan, "revision": "$revision" })),
            5 => of("get_decision", json!({ "review": "$review" })),
            _ => of("get_plan", json!({ "plan": plan })),
        }
    })
}

#[test]
fn no_sequence_of_calls_approves_runs_or_changes_anything_but_plans() {
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    const CALLS: usize = 1_000;
    let mut runner = TestRunner::deterministic();
    let strategy = prop_oneof![call(), fitting()];
    Site::new().serve(|agent, site| {
        site.write("plans/a.md", PLAN);
        site.write("src/main.py", "print(1)\n");
        site.write("notes.md", "words\n");
        agent.initialize(OLDEST);
        let before = site.files();
        let (mut revision, mut review, mut ok) = (json!("0123456789ab"), json!("none"), 0);
        for _ in 0..CALLS {
            let (name, mut arguments) = strategy.new_tree(&mut runner).unwrap().current();
            for value in arguments.as_object_mut().unwrap().values_mut() {
                match value.as_str() {
                    Some("$revision") => *value = revision.clone(),
                    Some("$review") => *value = review.clone(),
                    _ => {}
                }
            }
            let answer = agent.request(
                "tools/call",
                json!({ "name": name, "arguments": arguments }),
            );
            assert!(answer.get("isError").is_some(), "{answer}");
            ok += usize::from(answer["isError"] == false);
            let found = &answer["structuredContent"];
            for (kept, key) in [(&mut revision, "revision"), (&mut review, "review")] {
                if found[key].is_string() {
                    *kept = found[key].clone();
                }
            }
            assert_ne!(found["status"], "approved");
        }
        eprintln!("{ok} of {CALLS} calls were carried out");
        assert!(ok > CALLS / 10, "{ok}");
        assert_eq!(site.approvals(), 0);
        assert_eq!(site.bench.store.runs().list().unwrap().len(), 0);
        for (path, bytes) in site.files() {
            let is_plan = path.starts_with("plans/") && path.ends_with(".md");
            assert!(is_plan || before.get(&path) == Some(&bytes), "{path}");
        }
        for review in site.bench.waiting_reviews(None).unwrap() {
            assert_eq!(
                site.bench.review_outcome(&review.id).unwrap(),
                ReviewOutcome::Waiting
            );
        }
    });
}
