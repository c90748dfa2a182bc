//! Two windows on one workspace; a plan that is written, deleted or moved by other programs;
//! folders that cannot be written; a database that cannot be opened; a huge plan. The screen
//! explains each of these situations, and no typed text is lost.

use std::fmt::Write;
use std::os::unix::fs::PermissionsExt;
use std::time::Instant;

use planwright_tests::window::Window;
use planwright_tests::{Home, Project, wait_until};

const PLAN: &str = "\
---
planwright: 1
id: small-plan-4k2d
goal: Write the small thing
---
# Write the small thing

Some words.

## Tasks
- [ ] **T1** Write the first small thing
  - files: `one.txt`
  - verify: `true`
- [ ] **T2** Write the second small thing
  - files: `two.txt`
  - verify: `true`
";

fn project() -> Project {
    Project::new().file("plans/p.md", PLAN)
}

#[track_caller]
fn open(home: &Home, project: &Project) -> Window {
    let path = project.at("plans/p.md").to_string_lossy().into_owned();
    let window = Window::open(home, [path]);
    window.find("row", "Write the first small thing");
    window
}

#[test]
fn a_change_from_outside_appears_at_once_and_never_over_what_is_being_typed() {
    let (home, project) = (Home::new(), project());
    let window = open(&home, &project);
    project.edit("plans/p.md", "the second small", "the very second small");
    window.find("row", "the very second small");
    window.click("row", "Write the first small thing");
    window.press("e");
    window.find("textbox", "Title");
    window.press("End");
    window.type_text(" and quokka");
    // Another program changes the introduction while the title is being edited.
    project.edit("plans/p.md", "Some words.", "Some other words.");
    window.wait_for_text("Some other words.");
    let title = "return [...document.querySelectorAll('input')].find(e => e.labels?.[0]?.textContent === 'Title').value;";
    assert_eq!(
        window.script(title, Vec::new()),
        "Write the first small thing and quokka"
    );
    window.press("Enter");
    wait_until("both changes to be in the file", || {
        let text = project.read("plans/p.md");
        text.contains("first small thing and quokka")
            && text.contains("Some other words.")
            && text.contains("the very second")
    });
}

#[test]
fn the_same_field_changed_outside_while_typed_in_shows_both_texts() {
    let (home, project) = (Home::new(), project());
    let window = open(&home, &project);
    window.click("row", "Write the first small thing");
    window.press("e");
    window.find("textbox", "Title");
    window.press("End");
    window.type_text(" mine");
    project.edit(
        "plans/p.md",
        "the first small thing",
        "the first thing, theirs",
    );
    window.wait_for_text("changed on disk while you were editing");
    let title = "return [...document.querySelectorAll('input')].find(e => e.labels?.[0]?.textContent === 'Title').value;";
    assert_eq!(
        window.script(title, Vec::new()),
        "Write the first small thing mine"
    );
    window.click("button", "Keep mine");
    wait_until("the chosen text to be written", || {
        project
            .read("plans/p.md")
            .contains("**T1** Write the first small thing mine")
    });
}

#[test]
fn two_windows_on_one_workspace_stay_in_step() {
    let (home, project) = (Home::new(), project());
    let window = open(&home, &project);
    let first = window.windows();
    window.press("Control+Shift+N");
    let mut second = None;
    wait_until("a second window", || {
        second = window
            .windows()
            .into_iter()
            .find(|handle| !first.contains(handle));
        second.is_some()
    });
    window.switch_to(second.expect("a second window"));
    window.wait_for(
        "the second window's page",
        "document.querySelector('main') !== null",
    );
    // The second window shows either the first screen, which lists the folder, or the same place as
    // the first window.
    if !window.has("row", "Write the first small thing") {
        window.click(
            "button",
            &project
                .path()
                .file_name()
                .expect("a name")
                .to_string_lossy(),
        );
        window.click("button", "Write the small thing");
    }
    window.click("row", "Write the second small thing");
    window.press("e");
    window.find("textbox", "Title");
    window.press("End");
    window.type_text(", from the second window");
    window.press("Enter");
    wait_until("the edit to be written", || {
        project
            .read("plans/p.md")
            .contains("from the second window")
    });
    window.switch_to(first[0].clone());
    window.find("row", "from the second window");
    project.edit("plans/p.md", "Some words.", "Words from outside.");
    window.wait_for_text("Words from outside.");
    window.switch_to(
        window
            .windows()
            .into_iter()
            .find(|handle| !first.contains(handle))
            .expect("the second window"),
    );
    window.wait_for_text("Words from outside.");
}

#[test]
fn a_plan_deleted_while_open_says_so_and_can_be_brought_back() {
    let (home, project) = (Home::new(), project());
    let window = open(&home, &project);
    std::fs::remove_file(project.at("plans/p.md")).expect("the plan is deleted");
    window.wait_for_text("Plan file deleted");
    window.shot("deleted");
    project.write("plans/p.md", PLAN);
    window.find("row", "Write the first small thing");
}

#[test]
fn a_folder_moved_away_says_so_and_is_there_again_when_it_comes_back() {
    let (home, project) = (Home::new(), project());
    let window = open(&home, &project);
    let away = project.path().with_extension("away");
    std::fs::rename(project.path(), &away).expect("the folder is moved");
    window.wait_for_text("Folder not found");
    window.shot("moved");
    std::fs::rename(&away, project.path()).expect("the folder is moved back");
    if window
        .wait_up_to(
            std::time::Duration::from_secs(10),
            "document.querySelector('[role=row]') !== null",
        )
        .is_err()
    {
        window.click("button", "Retry");
    }
    window.find("row", "Write the first small thing");
}

/// Makes a plan and its folder unwritable until dropped, even for root.
struct Locked<'a>(&'a Project);

impl<'a> Locked<'a> {
    fn new(project: &'a Project) -> Self {
        let locked = Self(project);
        locked.set("+i", 0o555);
        locked
    }

    fn set(&self, attribute: &str, mode: u32) {
        for path in ["plans/p.md", "plans"] {
            let path = self.0.at(path);
            let mode = if path.is_file() { mode & 0o666 } else { mode };
            let _ = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode));
            // Permission modes don't restrict root, but this attribute does, if the file system
            // supports it.
            let _ = std::process::Command::new("chattr")
                .arg(attribute)
                .arg(&path)
                .status();
        }
    }

    fn holds(&self) -> bool {
        std::fs::write(self.0.at("plans/new.md"), "").is_err()
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.set("-i", 0o755);
        self.set("-i", 0o755);
    }
}

#[test]
fn a_plan_that_cannot_be_written_can_be_read_and_says_so() {
    let (home, project) = (Home::new(), project());
    let locked = Locked::new(&project);
    if !locked.holds() {
        println!("not looked at: nothing binds root on this file system");
        return;
    }
    let window = open(&home, &project);
    window.wait_for_text("This plan is read-only");
    assert!(!window.has("button", "Add step"));
    window.press("j");
    window.press("e");
    window.find("textbox", "Title");
    window.type_text("x");
    window.press("Escape");
    assert_eq!(project.read("plans/p.md"), PLAN);
    window.shot("read-only");
}

#[test]
fn a_database_of_a_newer_version_says_what_to_do_and_touches_nothing() {
    let (home, project) = (Home::new(), project());
    let window = open(&home, &project);
    drop(window);
    let database = home.path().join("data/planwright.db");
    let set = std::process::Command::new("python3")
        .args(["-c", "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('pragma user_version=9999'); c.commit()"])
        .arg(&database)
        .status();
    assert!(
        set.is_ok_and(|status| status.success()),
        "the schema version can be set"
    );
    let window = Window::open(&home, [""; 0]);
    window.wait_for_text("Planwright can’t open its data");
    window.wait_for_text("nothing was changed. Update Planwright");
    window.shot("newer");
}

#[test]
fn a_database_that_is_no_database_is_set_aside_and_told() {
    let home = Home::new();
    std::fs::create_dir_all(home.path().join("data")).expect("a folder");
    std::fs::write(
        home.path().join("data/planwright.db"),
        "this is no database",
    )
    .expect("a file");
    let window = Window::open(&home, [""; 0]);
    window.wait_for(
        "a screen that says it",
        "/damaged|set aside|cannot open|not a database/i.test(document.body.innerText)",
    );
    window.shot("damaged");
}

#[test]
fn a_plan_of_fifty_megabytes_opens_or_says_why_not_and_the_window_stays_usable() {
    let mut plan = String::from("# A huge plan\n\n## Tasks\n");
    let line = "words and more words ".repeat(240);
    let mut number = 0;
    while plan.len() < 50 << 20 {
        number += 1;
        let _ = writeln!(
            plan,
            "- [ ] **T{number}** Write file number {number}\n  {line}\n  - files: `f{number}`"
        );
    }
    let (home, project) = (
        Home::new(),
        Project::new()
            .file("plans/huge.md", plan)
            .file("plans/p.md", PLAN),
    );
    let path = project.at("plans/huge.md").to_string_lossy().into_owned();
    let begun = Instant::now();
    let window = Window::open(&home, [path]);
    window.wait_for(
        "rows, or the reason why there are none",
        "document.querySelector('[data-task=T1]') !== null || /too (large|big)|larger than|more than/i.test(document.querySelector('main').innerText)",
    );
    println!(
        "50 MB: {:?}; {}",
        begun.elapsed(),
        window
            .text()
            .chars()
            .take(300)
            .collect::<String>()
            .replace('\n', " ")
    );
    window.shot("fifty-megabytes");
    window.click("button", "Write the small thing");
    window.find("row", "Write the first small thing");
}

#[test]
fn at_four_hundred_pixels_everything_can_be_reached() {
    let (home, project) = (Home::new(), project());
    let window = open(&home, &project);
    window.resize(400, 800);
    window.wait_for(
        "the narrow layout",
        "innerWidth <= 402 && document.querySelector('#list') === null",
    );
    assert_eq!(
        window.script(
            "return document.scrollingElement.scrollWidth - innerWidth;",
            Vec::new()
        ),
        0
    );
    window.click("button", "Show plans");
    window.find("dialog", "Plans");
    window.press("Escape");
    window.wait_until_gone("dialog", "Plans");
    window.click("button", "Show panel");
    window.find("tab", "Findings");
    window.press("Escape");
    window.wait_until_gone("dialog", "Panel");
    window.click("button", "Approve and run…");
    window.find("dialog", "Approve and run");
    let inside = "const b = document.querySelector('[role=dialog]').getBoundingClientRect(); return b.left >= 0 && b.right <= innerWidth;";
    assert_eq!(window.script(inside, Vec::new()), true);
    window.shot("narrow-approve");
}

#[test]
fn a_page_that_is_loaded_anew_shows_what_was_typed() {
    let (home, project) = (Home::new(), project());
    let window = open(&home, &project);
    window.chord("g v");
    window.type_into("Comment on the plan", "keep the quokka");
    planwright_tests::stage::wait_until_kept(&home, "keep the quokka");
    window.script("location.reload();", Vec::new());
    window.wait_for(
        "the comment",
        "[...document.querySelectorAll('textarea')].some(e => e.value === 'keep the quokka')",
    );
}
