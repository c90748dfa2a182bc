//! Steps that change documents, lists and a script.

use super::super::{Dice, Edit, Step};
use super::{step, swap};

/// The steps, with randomized text.
pub(super) fn steps(dice: &mut Dice) -> Vec<Step> {
    let mut out = Vec::new();
    let entry = dice.one(&[
        "- 1.2: rounds prices",
        "- 1.2: prints bills",
        "- 1.2: sends mail",
    ]);
    out.push(step(
        "append",
        "CHANGELOG.md",
        format!("Append the line `{entry}` to `CHANGELOG.md`"),
        format!("grep -qxF -- '{entry}' CHANGELOG.md"),
        Edit::Append(format!("{entry}\n")),
        String::new(),
    ));
    let word = dice.one(&["stable", "final", "public"]);
    let mut one = step(
        "text",
        "README.md",
        format!("Change `A beta release` to `A {word} release` in `README.md`"),
        format!("grep -q 'A {word} release of the shop' README.md"),
        swap("A beta release", &format!("A {word} release")),
        String::new(),
    );
    one.wrong = Some(swap("The beta installer", &format!("The {word} installer")));
    out.push(one);
    let version = dice.one(&["3.10", "3.11", "3.12"]);
    out.push(step(
        "text",
        "README.md",
        format!("Replace `Python 3.8` with `Python {version}` in `README.md`"),
        format!("grep -qF 'needs Python {version}.' README.md"),
        swap("Python 3.8", &format!("Python {version}")),
        String::new(),
    ));
    let line = dice.one(&[
        "- Wait for the parcel.",
        "- Check your mail.",
        "- Keep the bill.",
    ]);
    let mut one = step(
        "text",
        "guide.md",
        format!("Insert the line `{line}` under `- Pay for it.` in `guide.md`"),
        match dice.below(2) {
            // As in many plans, the check covers only part of the step.
            0 => format!("grep -qxF -- '{line}' guide.md"),
            _ => format!("grep -A1 -xF -- '- Pay for it.' guide.md | grep -qxF -- '{line}'"),
        },
        swap("- Pay for it.\n", &format!("- Pay for it.\n{line}\n")),
        String::new(),
    );
    one.wrong = Some(swap(
        "- Send it back.\n",
        &format!("- Send it back.\n{line}\n"),
    ));
    out.push(one);
    let package = dice.one(&["requests==2.31.0", "rich==13.7.0", "pyyaml==6.0.1"]);
    out.push(step(
        "append",
        "requirements.txt",
        format!("Add `{package}` at the end of `requirements.txt`"),
        format!("grep -qx {package} requirements.txt && grep -q flask requirements.txt"),
        Edit::Append(format!("{package}\n")),
        String::new(),
    ));
    let said = dice.one(&["ready to sell", "open for orders", "shop is up"]);
    let mut one = step(
        "create",
        "hello.sh",
        format!("Create `hello.sh`, a shell script that prints `{said}`"),
        format!("test \"$(sh hello.sh)\" = '{said}'"),
        Edit::Write(format!("#!/bin/sh\necho \"{said}\"\n")),
        String::new(),
    );
    one.stub = Some(Edit::Write("#!/bin/sh\n# TODO: print it\n".to_owned()));
    out.push(one);
    let owner = dice.one(&["Ada Lovelace", "Grace Hopper", "Alan Turing"]);
    let mut one = step(
        "create",
        "OWNERS",
        format!("Create `OWNERS` with the line `{owner}`"),
        format!("grep -qx '{owner}' OWNERS"),
        Edit::Write(format!("{owner}\n")),
        String::new(),
    );
    one.stub = Some(Edit::Write("TODO\n".to_owned()));
    out.push(one);
    out
}
