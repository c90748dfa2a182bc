//! Scenarios with the same kind of work in 1, 3, 7 and 14 steps, to compare plan lengths.
//!
//! The project models a small warehouse. Each step reads a module and changes a line in it, adds a
//! file, or finds a value that a later step needs.

use super::Scenario;
use super::build::{scenario, step};

/// For each length, one scenario for development and one held out.
pub(super) fn all() -> Vec<Scenario> {
    vec![
        ladder("L1", 1),
        ladder("L3", 3).held_out(),
        ladder("L7", 7),
        ladder("L7b", 7).held_out(),
        ladder("L14", 14),
        ladder("L14b", 14).held_out(),
    ]
}

const AREAS: [(&str, u32, u32); 7] = [
    ("bays", 12, 18),
    ("shelves", 40, 48),
    ("carts", 6, 9),
    ("gates", 3, 4),
    ("scales", 2, 5),
    ("lifts", 1, 2),
    ("docks", 7, 8),
];

fn ladder(id: &'static str, length: usize) -> Scenario {
    let name = match length {
        1 => "one step of plain work",
        3 => "three steps of plain work",
        7 => "seven steps of plain work",
        _ => "fourteen steps of plain work",
    };
    // The second scenario of each length uses other names, so that it isn't a copy of the first.
    let suffix = if id.ends_with('b') { "_count" } else { "" };
    let mut all = scenario(id, name, "Enlarge the warehouse model").file("store/__init__.py", "");
    for number in 0..length {
        let (area, old, new) = AREAS[number % AREAS.len()];
        let key = format!("{}{suffix}", area.to_uppercase());
        let path = format!("store/{area}.py");
        match number / AREAS.len() {
            0 if number == 2 => {
                // The third step finds a value that the fourth needs.
                let code = format!("LICENCE_{}", old * 731);
                all = all
                    .file(
                        "store/licence.txt",
                        format!("Issued in spring.\nCode: {code}\n"),
                    )
                    .step(
                        step(
                            "Find the licence code in `store/licence.txt`",
                            "The model has to carry it",
                        )
                        .on("store/licence.txt")
                        .read("store/licence.txt", &code)
                        .finds(&code, &format!("The licence code is {code}.")),
                    );
            }
            0 if number == 3 => {
                let code = format!("LICENCE_{}", AREAS[2].1 * 731);
                let content = format!("CODE = '{code}'\n");
                all = all
                    .step(
                        step(
                            "Write the licence code that was found to `store/code.py` as `CODE`",
                            "It is checked at start",
                        )
                        .needs(&code)
                        .read("store/licence.txt", &code)
                        .write("store/code.py", &content)
                        .verify("python3 -B -c \"import store.code\""),
                    )
                    .has("store/code.py", &content);
            }
            0 => {
                let was = format!("{key} = {old}\n");
                let is = format!("{key} = {new}\n");
                all = all
                    .file(&path, format!("\"\"\"All {area} of the house.\"\"\"\n\n{was}\n\ndef free(used):\n    return {key} - used\n"))
                    .step(
                        step(&format!("Raise the number of {area} in `{path}` from {old} to {new}"), "The house was enlarged")
                            .read(&path, "of the house")
                            .edit(&path, &was, &is)
                            .verify(&format!("grep -qx \"{key} = {new}\" {path}")),
                    )
                    .has(&path, &is);
            }
            _ => {
                let path = format!("notes/{area}.md");
                let content = format!("# {area}\n\nPlanned for next year: {}.\n", new + 1);
                all = all
                    .step(
                        step(
                            &format!(
                                "Write down in `{path}` that {} {area} are planned for next year",
                                new + 1
                            ),
                            "The board asked",
                        )
                        .write(&path, &content)
                        .verify(&format!("grep -q \"next year: {}\" {path}", new + 1)),
                    )
                    .has(&path, &format!("next year: {}", new + 1));
            }
        }
    }
    all
}
