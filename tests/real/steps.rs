//! Thirty single-action steps: five for each act.

/// The action of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Act {
    Create,
    Append,
    Replace,
    Rename,
    Function,
    Fix,
}

impl Act {
    pub(crate) const ALL: [Self; 6] = [
        Self::Create,
        Self::Append,
        Self::Replace,
        Self::Rename,
        Self::Function,
        Self::Fix,
    ];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Append => "append",
            Self::Replace => "replace",
            Self::Rename => "rename",
            Self::Function => "function",
            Self::Fix => "fix",
        }
    }
}

/// An outside check of whether the step was really done, apart from its own check.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Outside {
    /// The file has exactly this content, ignoring blank lines at both ends.
    Holds(&'static str),
    /// This Python code succeeds when run in the project folder.
    Python(&'static str),
}

/// One step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) act: Act,
    pub(crate) title: &'static str,
    pub(crate) file: &'static str,
    pub(crate) before: Option<&'static str>,
    /// The step's own check.
    pub(crate) verify: &'static str,
    pub(crate) outside: Outside,
}

const fn step(
    act: Act,
    title: &'static str,
    (file, before): (&'static str, Option<&'static str>),
    verify: &'static str,
    outside: Outside,
) -> Step {
    Step {
        act,
        title,
        file,
        before,
        verify,
        outside,
    }
}

use Act::{Append, Create, Fix, Function, Rename, Replace};
use Outside::{Holds, Python};

pub(crate) const STEPS: [Step; 30] = [
    step(
        Create,
        "Create `notes.txt` with the line `remember the milk`",
        ("notes.txt", None),
        "grep -q 'remember the milk' notes.txt",
        Holds("remember the milk"),
    ),
    step(
        Create,
        "Create VERSION that holds 1.4.0",
        ("VERSION", None),
        "grep -qx 1.4.0 VERSION",
        Holds("1.4.0"),
    ),
    step(
        Create,
        "Create `src/hello.py` that prints `hello world`",
        ("src/hello.py", None),
        "test \"$(python3 src/hello.py)\" = 'hello world'",
        Python(
            "import subprocess, sys; assert subprocess.run([sys.executable, 'src/hello.py'], capture_output=True, text=True).stdout.strip() == 'hello world'",
        ),
    ),
    step(
        Create,
        "Create `.gitignore` with the line `build/`",
        (".gitignore", None),
        "grep -qx 'build/' .gitignore",
        Holds("build/"),
    ),
    step(
        Create,
        "Create `config.json` with the key `port` set to `8080`",
        ("config.json", None),
        "python3 -c \"import json; assert str(json.load(open('config.json'))['port']) == '8080'\"",
        Python("import json; assert str(json.load(open('config.json'))['port']) == '8080'"),
    ),
    step(
        Append,
        "Add the line `- eggs` at the end of `shopping.md`",
        ("shopping.md", Some("# Shopping\n\n- milk\n- bread\n")),
        "test \"$(tail -n 1 shopping.md)\" = '- eggs'",
        Holds("# Shopping\n\n- milk\n- bread\n- eggs"),
    ),
    step(
        Append,
        "Append `dist/` to `.gitignore`",
        (".gitignore", Some("target/\n*.log\n")),
        "grep -qx 'dist/' .gitignore && grep -qx 'target/' .gitignore",
        Python(
            "lines = open('.gitignore').read().split(); assert sorted(lines) == ['*.log', 'dist/', 'target/']",
        ),
    ),
    step(
        Append,
        "Add requests==2.31.0 as the last line of requirements.txt",
        ("requirements.txt", Some("flask==3.0.0\nclick==8.1.7\n")),
        "test \"$(tail -n 1 requirements.txt)\" = 'requests==2.31.0' && grep -q click==8.1.7 requirements.txt",
        Holds("flask==3.0.0\nclick==8.1.7\nrequests==2.31.0"),
    ),
    step(
        Append,
        "Add the line `DEBUG=false` to the end of `app.env`",
        ("app.env", Some("HOST=localhost\nPORT=8000\n")),
        "grep -qx DEBUG=false app.env && grep -qx PORT=8000 app.env",
        Python(
            "lines = open('app.env').read().split(); assert sorted(lines) == ['DEBUG=false', 'HOST=localhost', 'PORT=8000']",
        ),
    ),
    step(
        Append,
        "Append the entry “Ada Lovelace” to AUTHORS",
        ("AUTHORS", Some("Grace Hopper\nAlan Turing\n")),
        "grep -qx 'Ada Lovelace' AUTHORS && grep -qx 'Alan Turing' AUTHORS",
        Python(
            "lines = open('AUTHORS').read().strip().split('\\n'); assert sorted(lines) == ['Ada Lovelace', 'Alan Turing', 'Grace Hopper']",
        ),
    ),
    step(
        Replace,
        "Replace the word `colour` with `color` in `style.txt`",
        (
            "style.txt",
            Some("The main colour is blue.\nThe border is thin.\n"),
        ),
        "grep -q 'main color is' style.txt && grep -q 'border is thin' style.txt",
        Holds("The main color is blue.\nThe border is thin."),
    ),
    step(
        Replace,
        "Change beta to stable in README.md",
        (
            "README.md",
            Some("# Tool\n\nThis is a beta release.\nUse it with care.\n"),
        ),
        "grep -q 'a stable release' README.md && grep -q 'with care' README.md",
        Holds("# Tool\n\nThis is a stable release.\nUse it with care."),
    ),
    step(
        Replace,
        "Replace `http://` with `https://` in `links.md`",
        ("links.md", Some("See http://example.com for more.\n")),
        "grep -q 'See https://example.com for more' links.md",
        Holds("See https://example.com for more."),
    ),
    step(
        Replace,
        "Change the title `Old Report` to `New Report` in `report.md`",
        ("report.md", Some("# Old Report\n\nSales went up.\n")),
        "grep -qx '# New Report' report.md && grep -q 'Sales went up' report.md",
        Holds("# New Report\n\nSales went up."),
    ),
    step(
        Replace,
        "In `greet.py` replace `Hello` by `Welcome`",
        (
            "greet.py",
            Some("name = \"Ada\"\nprint(\"Hello, \" + name)\n"),
        ),
        "test \"$(python3 greet.py)\" = 'Welcome, Ada'",
        Holds("name = \"Ada\"\nprint(\"Welcome, \" + name)"),
    ),
    step(
        Rename,
        "Rename the function `calc` to `compute` in `mathx.py`",
        (
            "mathx.py",
            Some("def calc(a, b):\n    return a + b\n\n\nprint(calc(2, 3))\n"),
        ),
        "! grep -q calc mathx.py && test \"$(python3 mathx.py)\" = 5",
        Holds("def compute(a, b):\n    return a + b\n\n\nprint(compute(2, 3))"),
    ),
    step(
        Rename,
        "Rename `usr` to `user` in `login.py`",
        (
            "login.py",
            Some("usr = \"bob\"\n\n\ndef show():\n    return usr\n\n\nprint(show())\n"),
        ),
        "! grep -qw usr login.py && test \"$(python3 login.py)\" = bob",
        Holds("user = \"bob\"\n\n\ndef show():\n    return user\n\n\nprint(show())"),
    ),
    step(
        Rename,
        "In shop.py, rename the variable cnt to count",
        (
            "shop.py",
            Some("cnt = 0\nfor item in [\"a\", \"b\"]:\n    cnt += 1\nprint(cnt)\n"),
        ),
        "! grep -qw cnt shop.py && test \"$(python3 shop.py)\" = 2",
        Holds("count = 0\nfor item in [\"a\", \"b\"]:\n    count += 1\nprint(count)"),
    ),
    step(
        Rename,
        "Rename the class `Foo` to `Parser` in `parser.py`",
        (
            "parser.py",
            Some("class Foo:\n    name = \"p\"\n\n\nprint(Foo().name)\n"),
        ),
        "! grep -q Foo parser.py && test \"$(python3 parser.py)\" = p",
        Holds("class Parser:\n    name = \"p\"\n\n\nprint(Parser().name)"),
    ),
    step(
        Rename,
        "Rename the constant `MAX` to `LIMIT` in `limits.py`",
        (
            "limits.py",
            Some("MAX = 10\n\n\ndef ok(n):\n    return n < MAX\n\n\nprint(ok(3))\n"),
        ),
        "! grep -qw MAX limits.py && test \"$(python3 limits.py)\" = True",
        Holds("LIMIT = 10\n\n\ndef ok(n):\n    return n < LIMIT\n\n\nprint(ok(3))"),
    ),
    step(
        Function,
        "Add a function `add(a, b)` that returns the sum to `calc.py`",
        ("calc.py", Some("def sub(a, b):\n    return a - b\n")),
        "python3 -c \"import calc; assert calc.add(2, 3) == 5 and calc.sub(3, 1) == 2\"",
        Python("import calc; assert calc.add(-7, 40) == 33 and calc.sub(-7, 40) == -47"),
    ),
    step(
        Function,
        "Add a function `is_even(n)` to `nums.py`",
        ("nums.py", Some("def is_odd(n):\n    return n % 2 == 1\n")),
        "python3 -c \"import nums; assert nums.is_even(4) and not nums.is_even(3) and nums.is_odd(3)\"",
        Python(
            "import nums; assert [bool(nums.is_even(n)) for n in range(6)] == [True, False] * 3 and nums.is_odd(7)",
        ),
    ),
    step(
        Function,
        "Add a function `shout(text)` that returns the text in upper case to `words.py`",
        (
            "words.py",
            Some("def whisper(text):\n    return text.lower()\n"),
        ),
        "python3 -c \"import words; assert words.shout('ab') == 'AB' and words.whisper('A') == 'a'\"",
        Python(
            "import words; assert words.shout('hi there') == 'HI THERE' and words.whisper('HI') == 'hi'",
        ),
    ),
    step(
        Function,
        "Add a function `area(w, h)` that returns width times height to `shapes.py`",
        (
            "shapes.py",
            Some("def perimeter(w, h):\n    return 2 * (w + h)\n"),
        ),
        "python3 -c \"import shapes; assert shapes.area(3, 4) == 12 and shapes.perimeter(1, 2) == 6\"",
        Python("import shapes; assert shapes.area(7, 9) == 63 and shapes.perimeter(7, 9) == 32"),
    ),
    step(
        Function,
        "Add a function `last(items)` that returns the last item to `lists.py`",
        ("lists.py", Some("def first(items):\n    return items[0]\n")),
        "python3 -c \"import lists; assert lists.last([1, 2, 9]) == 9 and lists.first([1]) == 1\"",
        Python("import lists; assert lists.last('xyz') == 'z' and lists.first('xyz') == 'x'"),
    ),
    step(
        Fix,
        "Fix `TAX` in `tax.py` so that it is `0.19`",
        (
            "tax.py",
            Some("TAX = 0.16\n\n\ndef total(net):\n    return net * (1 + TAX)\n"),
        ),
        "python3 -c \"import tax; assert tax.TAX == 0.19 and round(tax.total(100)) == 119\"",
        Holds("TAX = 0.19\n\n\ndef total(net):\n    return net * (1 + TAX)"),
    ),
    step(
        Fix,
        "Set `timeout` to `30` in `settings.ini`",
        (
            "settings.ini",
            Some("[net]\nhost = localhost\ntimeout = 5\n"),
        ),
        "grep -qx 'timeout = 30' settings.ini && grep -q localhost settings.ini",
        Holds("[net]\nhost = localhost\ntimeout = 30"),
    ),
    step(
        Fix,
        "The default port in server.py has to be 9000",
        ("server.py", Some("HOST = \"localhost\"\nPORT = 8000\n")),
        "python3 -c \"import server; assert server.PORT == 9000 and server.HOST == 'localhost'\"",
        Holds("HOST = \"localhost\"\nPORT = 9000"),
    ),
    step(
        Fix,
        "`days_in_week` in `cal.py` returns 6; make it return 7",
        ("cal.py", Some("def days_in_week():\n    return 6\n")),
        "python3 -c \"import cal; assert cal.days_in_week() == 7\"",
        Python("import cal; assert cal.days_in_week() == 7"),
    ),
    step(
        Fix,
        "Set \"debug\" to false in app.json",
        (
            "app.json",
            Some("{\n  \"name\": \"demo\",\n  \"debug\": true\n}\n"),
        ),
        "python3 -c \"import json; d = json.load(open('app.json')); assert d['debug'] is False and d['name'] == 'demo'\"",
        Python(
            "import json; assert json.load(open('app.json')) == {'name': 'demo', 'debug': False}",
        ),
    ),
];
