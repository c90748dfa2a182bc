//! Individual scenarios of seven and fourteen steps.

use serde_json::json;

use super::build::{scenario, step};
use super::{Scenario, Trouble};

/// All scenarios in this file.
pub(super) fn all() -> Vec<Scenario> {
    vec![late_green(), wrong_lead(), crash(), service(), migration()]
}

fn late_green() -> Scenario {
    let test = "from bank.account import Account\n\na = Account()\na.put(5)\na.take(2)\nassert a.balance == 3, a.balance\nassert a.history == [5, -2], a.history\nprint('all is well')\n";
    let module = "class Account:\n    def __init__(self):\n        self.balance = 0\n\n    def put(self, amount):\n        self.balance = amount\n\n    def take(self, amount):\n        self.balance += amount\n";
    scenario("S8", "a test that fails until the last of several repairs", "Make the test of the bank account pass")
        .file("bank/__init__.py", "")
        .file("bank/account.py", module)
        .file("check_bank.py", test)
        .file("bank/limits.py", "DAILY = 100\n")
        .step(
            step("Find what `check_bank.py` expects of an account", "The test says what is right")
                .on("check_bank.py")
                .read("check_bank.py", "a.history == [5, -2]")
                .finds("[5, -2]", "The test expects the history [5, -2]."),
        )
        .step(
            step("Have `put` in `bank/account.py` add to the balance", "It overwrites it")
                .read("bank/account.py", "def put")
                .edit("bank/account.py", "        self.balance = amount\n", "        self.balance = self.balance + amount\n")
                .verify("grep -q \"self.balance + amount\" bank/account.py"),
        )
        .step(
            step("Have `take` in `bank/account.py` take off the balance", "It adds to it")
                .read("bank/account.py", "def take")
                .edit("bank/account.py", "        self.balance += amount\n", "        self.balance -= amount\n")
                .verify("grep -q \"self.balance -= amount\" bank/account.py"),
        )
        .step(
            step("Begin an empty history in `bank/account.py`", "The test asks for a history")
                .read("bank/account.py", "self.balance = 0")
                .edit("bank/account.py", "        self.balance = 0\n", "        self.balance = 0\n        self.history = []\n")
                .verify("grep -q \"self.history = \" bank/account.py"),
        )
        .step(
            step("Record what is put in under `put` in `bank/account.py`", "It belongs to the history")
                .read("bank/account.py", "def put")
                .edit(
                    "bank/account.py",
                    "        self.balance = self.balance + amount\n",
                    "        self.balance = self.balance + amount\n        self.history.append(amount)\n",
                )
                .verify("grep -q \"append(amount)\" bank/account.py"),
        )
        .step(
            step("Record what is taken out under `take` in `bank/account.py`", "It belongs to the history as well")
                .read("bank/account.py", "def take")
                .edit(
                    "bank/account.py",
                    "        self.balance -= amount\n",
                    "        self.balance -= amount\n        self.history.append(-amount)\n",
                )
                .verify("grep -q \"append(-amount)\" bank/account.py"),
        )
        .step(
            step("Run `python3 -B check_bank.py` and see it pass", "It is what was asked for")
                .run("python3 -B check_bank.py", "all is well")
                .verify("python3 -B check_bank.py"),
        )
        .python("from bank.account import Account\na = Account()\na.put(1)\na.put(1)\na.take(2)\nassert a.balance == 0 and a.history == [1, 1, -2]")
}

fn wrong_lead() -> Scenario {
    scenario("S9", "a first lead that is wrong", "Make the export write its file to the folder out")
        .file("export/__init__.py", "")
        .file("export/paths.py", "from export.defaults import FOLDER\n\n\ndef target(name):\n    return f'{FOLDER}/{name}.csv'\n")
        .file("export/defaults.py", "FOLDER = 'tmp'\nKEEP_DAYS = 3\n")
        .file("export/old_paths.py", "FOLDER = 'tmp'  # nothing imports this module\n")
        .file("docs/export.md", "Files are written to `tmp`.\n")
        .file("export/clean.py", "from export.defaults import KEEP_DAYS\n\n\ndef is_old(days):\n    return days > KEEP_DAYS\n")
        .step(
            step("Look into `export/old_paths.py` for the folder of the export", "Its name says paths")
                .on("export/old_paths.py")
                .read("export/old_paths.py", "nothing imports")
                .finds("nothing imports", "old_paths.py is a wrong lead: nothing imports it."),
        )
        .step(
            step("Find the module from which `export/paths.py` takes `FOLDER`", "The first lead was wrong")
                .on("export/paths.py")
                .read("export/paths.py", "from export.defaults import FOLDER")
                .finds("export.defaults", "FOLDER comes from export.defaults."),
        )
        .step(
            step("Set `FOLDER` in `export/defaults.py` to `out`", "The export reads it there")
                .needs("export.defaults")
                .read("export/defaults.py", "KEEP_DAYS = ")
                .edit("export/defaults.py", "FOLDER = 'tmp'", "FOLDER = 'out'")
                .verify("grep -qx \"FOLDER = 'out'\" export/defaults.py"),
        )
        .step(
            step("Correct the folder in `docs/export.md`", "Readers look there")
                .read("docs/export.md", "Files are written")
                .edit("docs/export.md", "to `tmp`", "to `out`")
                .verify("grep -q out docs/export.md"),
        )
        .step(
            step("Keep the files of 7 days by `KEEP_DAYS` in `export/defaults.py`", "Three were too few")
                .read("export/defaults.py", "KEEP_DAYS = ")
                .edit("export/defaults.py", "KEEP_DAYS = 3", "KEEP_DAYS = 7")
                .verify("grep -qx \"KEEP_DAYS = 7\" export/defaults.py"),
        )
        .step(
            step("Write a check of the folder to `check_export.py`", "It must stay so")
                .write("check_export.py", "from export.paths import target\n\nassert target('a') == 'out/a.csv'\nprint('the folder is right')\n")
                .verify("python3 -B check_export.py"),
        )
        .step(
            step("Run `python3 -B check_export.py` and see it pass", "It shows that the export is right")
                .run("python3 -B check_export.py", "the folder is right")
                .verify("python3 -B check_export.py"),
        )
        .python("from export.paths import target\nfrom export.clean import is_old\nassert target('x') == 'out/x.csv' and not is_old(7)")
        .held_out()
}

fn crash() -> Scenario {
    let mut scenario = scenario(
        "S15",
        "the process ends in the middle of a step",
        "Translate the seven labels",
    );
    let labels = [
        ("open", "offen"),
        ("closed", "geschlossen"),
        ("new", "neu"),
        ("paid", "bezahlt"),
        ("sent", "versandt"),
        ("late", "verspätet"),
        ("lost", "verloren"),
    ];
    for (english, german) in labels {
        let path = format!("labels/{english}.txt");
        scenario = scenario
            .file(&path, format!("label of orders\n{english}\n"))
            .step(
                step(
                    &format!("Translate the label of `{path}` into German"),
                    "The shop opens in Austria",
                )
                .read(&path, "label of orders")
                .edit(
                    &path,
                    &format!("label of orders\n{english}\n"),
                    &format!("label of orders\n{german}\n"),
                )
                .verify(&format!("grep -qx \"{german}\" {path}")),
            )
            .has(&path, german);
    }
    scenario.trouble(Trouble::Crash)
}

fn service() -> Scenario {
    let mut all = scenario(
        "S10",
        "a dozen and two steps with facts for later ones",
        "Give each service its own log file",
    )
    .file("services/__init__.py", "")
    .file("services/ledger.txt", "owner of all logs: team-kestrel\n");
    all = all.step(
        step(
            "Find in `services/ledger.txt` which team owns the logs",
            "Its name goes into each file",
        )
        .on("services/ledger.txt")
        .read("services/ledger.txt", "team-kestrel")
        .finds("team-kestrel", "The logs belong to team-kestrel."),
    );
    let names = [
        "mail", "queue", "search", "login", "image", "price", "stock", "order", "ship", "bill",
        "audit", "import",
    ];
    for (at, name) in names.into_iter().enumerate() {
        let path = format!("services/{name}.py");
        let is_owned = at % 4 == 0;
        let put = if is_owned {
            format!("LOG = '{name}.log'  # team-kestrel\n")
        } else {
            format!("LOG = '{name}.log'\n")
        };
        let what = if is_owned {
            format!("Give `{path}` a log file of its own, with the owner of the logs as a remark")
        } else {
            format!("Give `{path}` a log file of its own")
        };
        let mut one = step(&what, "All write to one file today");
        if is_owned {
            one = one.needs("team-kestrel").look(
                "read_file",
                json!({"path": "services/ledger.txt"}),
                "team-kestrel",
            );
        }
        all = all
            .file(
                &path,
                format!("\"\"\"Service {name}.\"\"\"\n\nLOG = 'all.log'\n"),
            )
            .step(
                one.read(&path, &format!("Service {name}"))
                    .edit(&path, "LOG = 'all.log'\n", &put)
                    .verify(&format!("grep -q {name}.log {path}")),
            )
            .has(&path, &put);
    }
    all.step(
        step(
            "Write the list of all log files to `services/logs.md`",
            "The team wants one list",
        )
        .write(
            "services/logs.md",
            "# Log files\n\nOne for each service, under its own name.\n",
        )
        .verify("grep -q \"Log files\" services/logs.md"),
    )
    .has("services/logs.md", "under its own name")
}

fn migration() -> Scenario {
    let mut all = scenario(
        "S21",
        "fourteen steps that build on one another",
        "Count the stock in pieces instead of boxes",
    )
    .file("stock/__init__.py", "")
    .file("stock/box.txt", "pieces in one box: 24\n")
    .step(
        step(
            "Find in `stock/box.txt` how many pieces are in a box",
            "Every number is multiplied by it",
        )
        .on("stock/box.txt")
        .read("stock/box.txt", "one box: 24")
        .finds("24", "One box holds 24 pieces."),
    );
    let goods = [
        ("nails", 4),
        ("screws", 9),
        ("hooks", 3),
        ("hinges", 7),
        ("locks", 5),
        ("bolts", 8),
    ];
    for (name, boxes) in goods {
        let path = format!("stock/{name}.py");
        let pieces = boxes * 24;
        all = all
            .file(
                &path,
                format!("UNIT_{name} = 'box'\nAMOUNT_{name} = {boxes}\n"),
            )
            .step(
                step(
                    &format!("Turn the amount in `{path}` from boxes into pieces"),
                    "The stock is to be counted in pieces",
                )
                .read(&path, &format!("UNIT_{name}"))
                .edit(
                    &path,
                    &format!("AMOUNT_{name} = {boxes}\n"),
                    &format!("AMOUNT_{name} = {pieces}\n"),
                )
                .verify(&format!("grep -qx \"AMOUNT_{name} = {pieces}\" {path}")),
            )
            .step(
                step(
                    &format!("Name the new unit in `{path}`"),
                    "The amount is in pieces now",
                )
                .read(&path, &format!("UNIT_{name}"))
                .edit(
                    &path,
                    &format!("UNIT_{name} = 'box'\n"),
                    &format!("UNIT_{name} = 'piece'\n"),
                )
                .verify(&format!("grep -q piece {path}")),
            )
            .has(&path, &format!("AMOUNT_{name} = {pieces}\n"))
            .has(&path, &format!("UNIT_{name} = 'piece'\n"));
    }
    all.step(
        step("Write a check of all amounts to `check_stock.py`", "Nobody wants to count again")
            .write("check_stock.py", "from stock.nails import AMOUNT_nails\n\nassert AMOUNT_nails == 96\nprint('counted in pieces')\n")
            .verify("python3 -B check_stock.py"),
    )
    .has("check_stock.py", "counted in pieces")
    .held_out()
}
