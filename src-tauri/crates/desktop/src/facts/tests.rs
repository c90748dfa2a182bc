//! Tests that a run's own changes don't count as changes by others.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use adequacy::WorkspaceFacts;
use store::{Acquired, Holder};

use crate::testing::Fixture;
use crate::wire::ApproveRequest;

/// The files considered changed by others since the plan was first seen.
fn changed(fixture: &Fixture) -> BTreeMap<String, String> {
    let (plan, _) = plan::parse(&fixture.text());
    let workbench = fixture.desktop.shared.workbench();
    let workspace = workbench.open_workspace(&fixture.root).unwrap();
    let around = Arc::new(WorkspaceFacts::default());
    let facts = workbench.facts_of_plan(&workspace, &around, &fixture.plan(), &plan);
    facts.changed.clone()
}

const PLAN: &str = "# Report\n\n## Tasks\n- [ ] **T1** Add a line\n  - files: `report.py`\n";

#[test]
fn a_file_does_not_count_as_changed_by_others_while_a_run_is_at_work() {
    let fixture = Fixture::with_plan(PLAN);
    let report = fixture.root.join("report.py");
    std::fs::write(&report, "pass\n").unwrap();
    assert!(changed(&fixture).is_empty(), "first seen");
    let holder = Holder::current("r1").unwrap();
    let lease = {
        let workbench = fixture.desktop.shared.workbench();
        let leases = workbench.store.leases();
        let acquired = leases.acquire(&fixture.plan(), &holder, Holder::is_alive);
        let Ok(Acquired::Lease(lease)) = acquired else {
            panic!("{acquired:?}");
        };
        lease
    };
    std::fs::write(&report, "pass\n# by the run\n").unwrap();
    assert!(changed(&fixture).is_empty());
    let released = {
        let workbench = fixture.desktop.shared.workbench();
        workbench.store.leases().release(&lease)
    };
    assert!(released.unwrap());
    // Without a record that a run made this change, it is considered somebody else's.
    assert!(changed(&fixture).contains_key("report.py"));
}

#[test]
fn an_undone_change_of_a_run_does_not_count_as_changed_by_others() {
    let call = r#"{"path": "report.py", "old_text": "pass", "new_text": "return 1"}"#;
    let plan = format!(
        "{PLAN}  - call: `edit_file {call}`\n- [ ] **T2** Read the report\n  - files: `report.py`\n  - by: person\n"
    );
    let fixture = Fixture::with_plan(&plan);
    let report = fixture.root.join("report.py");
    std::fs::write(&report, "pass\n").unwrap();
    assert!(changed(&fixture).is_empty(), "first seen");
    let approved = fixture.desktop.approve(ApproveRequest {
        plan: fixture.plan(),
        revision: fixture.revision(),
        run: true,
        upto: Some("T1".to_owned()),
        policy: Some("all".to_owned()),
        parallel: None,
        reason: Some("a test".to_owned()),
        notes: None,
        branch: None,
        effort: None,
        shown_ms: None,
    });
    let run = approved.unwrap().run.unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    while !matches!(
        &*fixture.desktop.run(&run).unwrap().state,
        "done" | "unverified"
    ) {
        let view = fixture.desktop.run(&run).unwrap();
        assert!(Instant::now() < until, "{view:#?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(std::fs::read_to_string(&report).unwrap(), "return 1\n");
    assert!(changed(&fixture).is_empty(), "left by the run");
    let undone = fixture.desktop.undo_changes(&run, None, None).unwrap();
    assert_eq!(undone.restored, ["report.py"]);
    assert!(changed(&fixture).is_empty(), "undone");
    std::fs::write(&report, "by hand\n").unwrap();
    assert!(changed(&fixture).contains_key("report.py"));
}
