//! Plans that are renamed, moved, deleted, replaced and swapped while open in the window.

use std::collections::BTreeMap;

use desktop::wire::{CommentPlace, DesktopEvent, EditOutcome, Place};
use planwright_tests::Project;

use crate::documents::{Bench, PLAN};
use crate::history::{PATH, edit, history, project, title, written};

const NEW: &str = "plans/done/report.md";

fn rename(project: &Project, from: &str, to: &str) {
    std::fs::create_dir_all(project.at(to).parent().unwrap()).unwrap();
    std::fs::rename(project.at(from), project.at(to)).unwrap();
}

/// A plan with a history, a draft, a comment and something to undo.
fn with_all_that_belongs_to_it(bench: &Bench, project: &Project) -> String {
    let outline = bench.open(project, PATH);
    let plan = outline.plan;
    edit(bench, &plan, title("T2", "Something else"));
    bench
        .desktop
        .save_draft(&plan, "goal", "Half a sent", None)
        .unwrap();
    let place = CommentPlace {
        task: Some("T2".to_owned()),
        quote: None,
        before: None,
    };
    bench
        .desktop
        .add_comment(&plan, &outline.revision, &place, "comment", "Why?")
        .unwrap();
    plan
}

#[track_caller]
fn has_all_that_belongs_to_it(bench: &Bench, project: &Project, plan: &str) {
    let entries = history(bench, plan);
    let from: Vec<_> = entries
        .iter()
        .map(|entry| entry.moved_from.as_deref())
        .collect();
    assert_eq!(from, [Some(PATH), Some(PATH)]);
    assert_eq!(bench.desktop.drafts(plan).unwrap()[0].text, "Half a sent");
    assert_eq!(bench.desktop.comments(plan).unwrap()[0].text, "Why?");
    let outline = bench.desktop.outline(plan, None).unwrap();
    assert_eq!(outline.undo.as_deref(), Some("Change the title of T2"));
    bench
        .desktop
        .compare(plan, &entries[1].revision, &entries[0].revision)
        .unwrap();
    written(bench.desktop.undo_edit(plan).unwrap());
    assert_eq!(project.read(NEW), PLAN);
}

#[test]
fn a_renamed_plan_keeps_what_belongs_to_it_and_the_window_goes_along() {
    let (bench, project) = (Bench::new(), project());
    let plan = with_all_that_belongs_to_it(&bench, &project);
    let new = project.at(NEW).display().to_string();
    rename(&project, PATH, NEW);
    let event = bench.wait_for("the move", |event| {
        matches!(event, DesktopEvent::Moved { .. })
    });
    let expected = DesktopEvent::Moved {
        plan: plan.clone(),
        to: new.clone(),
    };
    assert_eq!(event, expected);
    // Requests for the old path are redirected to the new one.
    assert_eq!(bench.desktop.outline(&plan, None).unwrap().plan, new);
    has_all_that_belongs_to_it(&bench, &project, &new);
    // A new file at the old path is a separate plan.
    project.write(PATH, "# Another\n\n- [ ] **T1** Write it\n");
    let other = bench.desktop.outline(&plan, None).unwrap();
    assert_eq!((other.plan, &*other.title), (plan.clone(), "Another"));
    assert_eq!(history(&bench, &plan).len(), 1);
    assert_eq!(history(&bench, &new).len(), 3);
}

#[test]
fn a_plan_that_was_renamed_while_the_program_was_closed_is_found_again() {
    let (bench, project) = (Bench::new(), project());
    let plan = with_all_that_belongs_to_it(&bench, &project);
    // The plan is moved to a folder that this program doesn't watch.
    let bench = bench.restarted();
    rename(&project, PATH, NEW);
    bench
        .desktop
        .open_workspace(project.path().to_str().unwrap())
        .unwrap();
    let outline = bench.desktop.outline(&plan, None).unwrap();
    assert_eq!(outline.plan, project.at(NEW).display().to_string());
    // A window that showed the old path now opens the new one.
    let place = Place {
        plan: Some(plan),
        screen: Some("plan".to_owned()),
        ..Place::default()
    };
    bench.desktop.save_place("main", place).unwrap();
    let place = bench.desktop.start("main").unwrap().place;
    assert_eq!(place.plan.as_ref(), Some(&outline.plan));
    has_all_that_belongs_to_it(&bench, &project, &outline.plan);
}

#[test]
fn a_plan_with_an_id_is_known_by_it_although_it_was_edited_on_the_way() {
    let bench = Bench::new();
    let text = PLAN.replace("planwright: 1\n", "planwright: 1\nid: flag-7f3k\n");
    let project = Project::new().file(PATH, &text);
    let plan = bench.open(&project, PATH).plan;
    let first = edit(&bench, &plan, title("T2", "Something else"));
    let edited = project.read(PATH).replace("orjson", "msgspec");
    std::fs::remove_file(project.at(PATH)).unwrap();
    project.write("plans/new.md", edited);
    let new = project.at("plans/new.md").display().to_string();
    bench.desktop.outline(&new, None).unwrap();
    let entries = history(&bench, &new);
    assert_eq!(entries.len(), 3);
    assert_eq!(entries[0].parent.as_ref(), Some(&first));
    assert_eq!(
        (&*entries[0].summary, &entries[0].moved_from),
        ("T4 reworded", &None)
    );
}

#[test]
fn a_copy_and_a_new_plan_are_plans_of_their_own() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    edit(&bench, &plan, title("T2", "Something else"));
    std::fs::copy(project.at(PATH), project.at("plans/copy.md")).unwrap();
    let copy = project.at("plans/copy.md").display().to_string();
    assert_eq!(bench.desktop.outline(&copy, None).unwrap().plan, copy);
    assert_eq!(history(&bench, &copy).len(), 1);
    assert_eq!(history(&bench, &plan).len(), 2);
    // The file system may give a new file the inode number of a deleted one.
    std::fs::remove_file(project.at(PATH)).unwrap();
    project.write("plans/third.md", "# Third\n\n- [ ] **T1** Write it\n");
    let third = project.at("plans/third.md").display().to_string();
    bench.desktop.outline(&third, None).unwrap();
    assert_eq!(history(&bench, &third).len(), 1);
    assert_eq!(history(&bench, &plan).len(), 2, "it can still be restored");
}

#[test]
fn a_deleted_plan_is_told_once_and_a_new_file_in_its_place_goes_on_with_it() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    std::fs::remove_file(project.at(PATH)).unwrap();
    bench.wait_for(
        "that it is gone",
        |event| matches!(event, DesktopEvent::Plan { revision: None, plan: of, .. } if *of == plan),
    );
    project.write(PATH, PLAN.replace("orjson", "msgspec"));
    bench.wait_for("that it is there", |event| {
        matches!(event, DesktopEvent::Plan { revision: Some(_), plan: of, .. } if *of == plan)
    });
    assert_eq!(history(&bench, &plan).len(), 2);
    assert_eq!(bench.told_of(&plan), []);
}

#[test]
fn ten_plans_that_a_checkout_swaps_are_each_told_once() {
    let mut project = Project::new();
    for at in 0..10 {
        project = project.file(
            &format!("plans/p{at}.md"),
            PLAN.replace("Add a flag", &format!("Plan {at}")),
        );
    }
    let project = project.git();
    project.run_git(&["switch", "--quiet", "--create", "other"]);
    for at in 0..10 {
        project.edit(&format!("plans/p{at}.md"), "Use orjson", "Use msgspec");
    }
    project.commit("Other");
    project.run_git(&["switch", "--quiet", "main"]);
    let bench = Bench::new();
    let mut plans = Vec::new();
    for at in 0..10 {
        let plan = bench.open(&project, &format!("plans/p{at}.md")).plan;
        edit(&bench, &plan, title("T2", "Mine for T2"));
        plans.push(plan);
    }
    project.commit("Mine");
    // Once the event for this new file arrives, all events for earlier changes have arrived.
    project.write("plans/last.md", "# Last\n");
    let last = project.at("plans/last.md").display().to_string();
    bench.wait_for(
        "the last of the edits",
        |event| matches!(event, DesktopEvent::Plan { plan, .. } if *plan == last),
    );
    project.run_git(&["switch", "--quiet", "other"]);
    let told = std::cell::RefCell::new(BTreeMap::<String, Vec<Option<String>>>::new());
    bench.wait_for("all ten", |event| {
        if let DesktopEvent::Plan {
            plan,
            revision,
            author,
        } = event
        {
            assert_eq!(author, "outside");
            told.borrow_mut()
                .entry(plan.clone())
                .or_default()
                .push(revision.clone());
        }
        told.borrow().len() == 10
    });
    project.write("plans/last.md", "# The end\n");
    bench.wait_for("the end", |event| match event {
        DesktopEvent::Plan { plan, revision, .. } if *plan != last => {
            told.borrow_mut()
                .entry(plan.clone())
                .or_default()
                .push(revision.clone());
            false
        }
        event => matches!(event, DesktopEvent::Plan { .. }),
    });
    for (plan, revisions) in told.into_inner() {
        assert_eq!(revisions.len(), 1, "{plan}");
        let now = bench.desktop.outline(&plan, None).unwrap().revision;
        assert_eq!(revisions[0].as_ref(), Some(&now));
    }
    assert_eq!(
        project.run_git(&["status", "--porcelain", "--untracked-files=no"]),
        ""
    );
}

#[test]
fn files_written_into_folders_that_are_made_at_the_same_moment_are_all_seen() {
    let (bench, project) = (Bench::new(), project());
    bench.open(&project, PATH);
    let mut waited: std::collections::BTreeSet<String> = std::collections::BTreeSet::new();
    for at in 0..60 {
        let path = format!("plans/a{at}/b{at}/p.md");
        waited.insert(project.at(&path).display().to_string());
        project.write(&path, format!("# Plan {at}\n"));
    }
    let waited = std::cell::RefCell::new(waited);
    bench.wait_for("all sixty", |event| {
        if let DesktopEvent::Plan { plan, .. } = event {
            waited.borrow_mut().remove(plan);
        }
        waited.borrow().is_empty()
    });
}

#[test]
fn a_move_is_no_reason_to_write_over_what_lies_there() {
    let (bench, project) = (Bench::new(), project());
    let plan = bench.open(&project, PATH).plan;
    let other = Project::read(&project, PATH).replace("Add a flag", "Another");
    project.write("plans/other.md", &other);
    let other_key = project.at("plans/other.md").display().to_string();
    bench.desktop.outline(&other_key, None).unwrap();
    let seen = edit(&bench, &plan, title("T2", "Something else"));
    // One plan replaces another: the target has new content, and the source is gone.
    rename(&project, PATH, "plans/other.md");
    bench.desktop.outline(&other_key, None).unwrap();
    assert_eq!(history(&bench, &other_key).len(), 2);
    assert_eq!(history(&bench, &plan).len(), 2);
    let back = bench.desktop.restore(&plan, &seen, &seen).unwrap();
    assert!(matches!(back, EditOutcome::Written { .. }), "{back:?}");
    assert!(project.at(PATH).exists());
}
