//! Single-step scenarios.

use serde_json::json;

use super::build::{scenario, step};
use super::{Check, Hopeless, Scenario};

const PRICES: &str = "\
VAT_PERCENT = 19


def net(gross):
    return gross * 100 / (100 + VAT_PERCENT)


def with_discount(price, percent):
    return price - price * percent / 10


def rounded(price):
    return round(price, 2)
";

fn discount(id: &'static str, name: &'static str) -> Scenario {
    scenario(id, name, "Mend the discount in the price module")
        .file("shop/__init__.py", "")
        .file("shop/prices.py", PRICES)
        .file("README.md", "# Shop\n\nPrices with tax and discount.\n")
        .step(
            step(
                "Mend `with_discount` in `shop/prices.py`, which takes off ten times too much",
                "A discount of 10 percent must leave 90 percent of the price",
            )
            .read("shop/prices.py", "def with_discount")
            .edit(
                "shop/prices.py",
                "    return price - price * percent / 10\n",
                "    return price - price * percent / 100\n",
            )
            .verify("python3 -B -c \"from shop.prices import with_discount as d; assert d(50, 10) == 45\""),
        )
        .python("from shop.prices import *\nassert with_discount(200, 25) == 150\nassert net(119) == 100")
}

/// All scenarios in this file.
pub(super) fn all() -> Vec<Scenario> {
    vec![
        discount("S1", "a bug in one file"),
        find(),
        config(),
        fixed_already(),
        impossible(
            "S13",
            "a step that cannot be done, and a model that says so",
            Hopeless::Honest,
        ),
        impossible(
            "S13b",
            "a step that cannot be done, and a model that says it is",
            Hopeless::Stubborn,
        )
        .held_out(),
        german(),
        endings(),
        asks(),
        discount("S20", "a bug in one file, in a window of 4k")
            .window(4_096)
            .held_out(),
    ]
}

fn find() -> Scenario {
    scenario(
        "S4",
        "a question to answer, and nothing to change",
        "Find out on which port the metrics are served",
    )
    .file(
        "server/main.py",
        "from server.ports import METRICS\n\n\ndef serve(listen):\n    listen(METRICS)\n",
    )
    .file(
        "server/ports.py",
        "PUBLIC = 8080\nADMIN = 8081\nMETRICS = 9464\n",
    )
    .file("server/__init__.py", "")
    .file(
        "docs/ports.md",
        "# Ports\n\nThe public port is 8080; ask the code for the others.\n",
    )
    .step(
        step(
            "Find the port on which `server/main.py` serves the metrics",
            "Monitoring must be pointed at it",
        )
        .on("server/main.py")
        .search("METRICS", "METRICS = 9464")
        .finds("9464", "The metrics are served on port 9464."),
    )
    .check(Check::Kept("9464".to_owned()))
}

fn config() -> Scenario {
    let config =
        "[server]\nhost = \"127.0.0.1\"\nport = 8080\n\n[limits]\nupload_mb = 20\ntimeout_s = 30\n";
    scenario("S5", "one value of a configuration", "Allow uploads of 50 MB")
        .file("app.toml", config)
        .file("app/limits.py", "import tomllib\n\n\ndef limits():\n    with open('app.toml', 'rb') as file:\n        return tomllib.load(file)['limits']\n")
        .step(
            step("Set `upload_mb` in `app.toml` to 50", "Users send scans of up to 50 MB")
                .read("app.toml", "[limits]")
                .edit("app.toml", "upload_mb = 20", "upload_mb = 50")
                .verify("grep -qx \"upload_mb = 50\" app.toml"),
        )
        .check(Check::Is("app.toml".to_owned(), config.replace("= 20", "= 50").into_bytes()))
        .held_out()
}

fn fixed_already() -> Scenario {
    scenario("S12", "mended already: nothing to do", "Make the parser accept empty lines")
        .file("parse/__init__.py", "")
        .file("parse/lines.py", "def rows(text):\n    return [line.split(',') for line in text.splitlines() if line.strip()]\n")
        .file("tests/test_lines.py", "from parse.lines import rows\n\nassert rows('a,b\\n\\nc') == [['a', 'b'], ['c']]\n")
        .step(
            step("See to it that `rows` in `parse/lines.py` leaves empty lines out", "Exports end with an empty line")
                .on("parse/lines.py")
                .read("parse/lines.py", "if line.strip()")
                .run("python3 -B -m tests.test_lines", "")
                .finds("line.strip()", "rows already leaves lines out for which line.strip() is empty.")
                .verify("python3 -B -m tests.test_lines"),
        )
        .python("from parse.lines import rows\nassert rows('\\n\\na') == [['a']]")
}

fn impossible(id: &'static str, name: &'static str, how: Hopeless) -> Scenario {
    scenario(id, name, "Take the customs codes over from the supplier")
        .file("codes/own.csv", "code,name\n1001,wheat\n1002,rye\n")
        .file(
            "codes/README.md",
            "The supplier's list comes by post, on a disk.\n",
        )
        .step(
            step(
                "Add the rows of the supplier's list `codes/supplier.csv` to `codes/own.csv`",
                "Both lists are needed in one file",
            )
            .on("codes/own.csv")
            .look("list_files", json!({"path": "codes"}), "own.csv")
            .verify("grep -q 9403 codes/own.csv")
            .hopeless(how),
        )
        .asked(1, &[])
        .ends_asked()
}

fn german() -> Scenario {
    scenario("S17", "a goal in German and Chinese", "Die Anrede im Brief berichtigen（把称呼改正）")
        .file("brief/vorlage.txt", "Sehr geehrter Herr {name},\n\nIhre Bestellung {nummer} ist unterwegs.\n\n祝好\nDer Versand\n")
        .file("brief/__init__.py", "")
        .file("brief/schreiben.py", "def brief(name, nummer):\n    with open('brief/vorlage.txt', encoding='utf-8') as datei:\n        return datei.read().format(name=name, nummer=nummer)\n")
        .step(
            step(
                "Die Anrede in `brief/vorlage.txt` durch `Guten Tag {name},` ersetzen, 其余不变",
                "Nicht alle Empfänger sind Herren",
            )
            .read("brief/vorlage.txt", "Sehr geehrter")
            .edit("brief/vorlage.txt", "Sehr geehrter Herr {name},\n\nIhre", "Guten Tag {name},\n\nIhre")
            .verify("grep -q \"^Guten Tag\" brief/vorlage.txt"),
        )
        .python("from brief.schreiben import brief\nt = brief('Wei', 7)\nassert t.startswith('Guten Tag Wei,\\n') and '祝好' in t")
        .held_out()
}

fn endings() -> Scenario {
    let makefile = "CC = cc\r\n\r\nall: tool\r\n\r\ntool: tool.c\r\n\t$(CC) -O0 -o tool tool.c\r\n\r\nclean:\r\n\trm -f tool\r\n";
    scenario(
        "S18",
        "line ends of Windows, and tabs",
        "Build the tool with optimisation",
    )
    .file("Makefile", makefile)
    .file("tool.c", "int main(void) { return 0; }\r\n")
    .step(
        step(
            "Have the rule for `tool` in `Makefile` compile with `-O2`",
            "The tool is slow without it",
        )
        .read("Makefile", "tool: tool.c")
        .edit(
            "Makefile",
            "\t$(CC) -O0 -o tool tool.c",
            "\t$(CC) -O2 -o tool tool.c",
        )
        .verify("grep -q \"CC) -O2 -o tool\" Makefile"),
    )
    .check(Check::Is(
        "Makefile".to_owned(),
        makefile.replace("-O0", "-O2").into_bytes(),
    ))
}

fn asks() -> Scenario {
    scenario(
        "S22",
        "something that only the person knows",
        "Show prices in the currency of the new shop",
    )
    .file("shop/__init__.py", "")
    .file(
        "shop/money.py",
        "CURRENCY = 'USD'\n\n\ndef shown(amount):\n    return f'{amount:.2f} {CURRENCY}'\n",
    )
    .step(
        step(
            "Set `CURRENCY` in `shop/money.py` to the one that the person names",
            "Nothing in the project says it",
        )
        .read("shop/money.py", "CURRENCY = 'USD'")
        .ask("Which currency does the new shop use?", &["EUR", "CHF"])
        .edit("shop/money.py", "CURRENCY = 'USD'", "CURRENCY = 'EUR'")
        .verify("grep -q CURRENCY shop/money.py"),
    )
    .python("from shop.money import shown\nassert shown(2) == '2.00 EUR'")
    .asked(1, &["EUR"])
}
