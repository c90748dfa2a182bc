//! The project of all jobs, and the twenty steps from which a job's steps are chosen. Each step is
//! a single action, with random wording, names and values.
//!
//! No two steps conflict: whichever steps are chosen, and in whatever order, every step's check
//! still passes after all the others are done.

mod code;
mod documents;
mod functions;
mod values;

use std::collections::BTreeMap;

use super::{Dice, Edit, Step};

const PRICING: &str = "\"\"\"Prices of the shop.\"\"\"\n\n\ndef net_total(price, discount):\n    total = price + discount\n    return total\n\n\ndef gross_total(price, tax):\n    total = price + tax\n    return total\n";
const LIMITS: &str = "\"\"\"Who may buy.\"\"\"\n\nMINIMUM = 18\nMAXIMUM = 99\n\n\ndef is_adult(age):\n    return age > MINIMUM\n\n\ndef is_known(age):\n    return age > 0\n";
const COUNTERS: &str = "\"\"\"Counts things.\"\"\"\n\n\ndef tally(items):\n    cnt = {}\n    for item in items:\n        cnt[item] = cnt.get(item, 0) + 1\n    return cnt\n\n\ndef account(total):\n    return {\"account\": total}\n";
const MODELS: &str = "\"\"\"What is sold.\"\"\"\n\n\nclass Thing:\n    def __init__(self, name):\n        self.name = name\n\n\nclass Things(list):\n    pass\n\n\ndef make(name):\n    return Thing(name)\n";
const GREET: &str = "\"\"\"Greets people.\"\"\"\n\n\ndef greet(name):\n    return \"Hello, \" + name\n\n\ndef part(name):\n    return \"Bye, \" + name\n";
const TEST: &str = "import unittest\n\nimport pricing\n\n\nclass PricingTest(unittest.TestCase):\n    def test_gross(self):\n        self.assertEqual(pricing.gross_total(100, 19), 119)\n        self.assertEqual(pricing.gross_total(0, 5), 5)\n";
const INI: &str = "[dev]\nhost = localhost\ntimeout = 5\nretries = 1\n\n[prod]\nhost = shop.example\ntimeout = 5\nretries = 1\n";
const README: &str = "# Shop\n\nA beta release of the shop.\n\n## Install\n\nThe beta installer needs Python 3.8.\n\n## Run\n\nStart it with `python3 -m shop`.\n";
const CHANGELOG: &str = "# Changelog\n\n- 1.0: first version\n- 1.1: faster start\n";
const GUIDE: &str = "# Guide\n\n## Orders\n\n- Choose an article.\n- Pay for it.\n\n## Returns\n\n- Send it back.\n";

/// The files and all steps, with randomized text.
pub(crate) fn project(dice: &mut Dice) -> (BTreeMap<String, String>, Vec<Step>) {
    let rate = dice.one(&["0.16", "0.07", "0.2"]);
    let rates = format!(
        "TAX = {rate}\nDUTY = {rate}\n\n\ndef taxed(net):\n    return net * (1 + TAX)\n\n\ndef with_duty(net):\n    return net * (1 + DUTY)\n"
    );
    let json = "{\n  \"name\": \"shop\",\n  \"mail\": {\n    \"port\": 25\n  },\n  \"web\": {\n    \"port\": 8000\n  },\n  \"debug\": true\n}\n";
    let files = [
        ("pricing.py", PRICING),
        ("limits.py", LIMITS),
        ("counters.py", COUNTERS),
        ("models.py", MODELS),
        ("greet.py", GREET),
        ("test_pricing.py", TEST),
        ("app.ini", INI),
        ("README.md", README),
        ("CHANGELOG.md", CHANGELOG),
        ("guide.md", GUIDE),
        ("rates.py", &rates),
        ("app.json", json),
        ("requirements.txt", "flask==3.0.0\nclick==8.1.7\n"),
        ("LICENSE", "Free for all.\n"),
        ("ideas.md", "# Ideas\n\n- sell books\n"),
        ("tools.py", "def noop():\n    return None\n"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let mut steps = functions::steps(dice);
    steps.extend(values::steps(dice, rate));
    steps.extend(code::steps(dice));
    steps.extend(documents::steps(dice));
    (BTreeMap::from(files), steps)
}

/// A step for which no mistakes are defined yet.
fn step(
    kind: &'static str,
    file: &str,
    title: String,
    verify: String,
    good: Edit,
    outside: String,
) -> Step {
    Step {
        kind,
        title,
        file: file.to_owned(),
        verify: Some(verify),
        good,
        outside,
        stub: None,
        wrong: None,
        hard: None,
        weak: None,
        before: None,
        after: String::new(),
    }
}

/// An edit that replaces the first text with the second.
fn swap(old: &str, new: &str) -> Edit {
    Edit::Replace(old.to_owned(), new.to_owned())
}

/// The command line of a check that runs Python code.
fn python(code: &str) -> String {
    format!("python3 -c \"{code}\"")
}
