//! Steps that change a value or setting that has a similar one nearby.

use super::super::{Dice, Step};
use super::{python, step, swap};

/// The steps, with randomized text.
pub(super) fn steps(dice: &mut Dice, rate: &str) -> Vec<Step> {
    let mut out = Vec::new();
    let tax = dice.one(&["0.19", "0.21", "0.25"]);
    let mut one = step(
        "fix",
        "rates.py",
        format!("Set `TAX` in `rates.py` to `{tax}`"),
        python(&format!("import rates; assert rates.TAX == {tax}")),
        swap(&format!("TAX = {rate}"), &format!("TAX = {tax}")),
        format!(
            "import rates; assert rates.TAX == {tax} and rates.DUTY == {rate} and rates.taxed(100) == 100 * (1 + {tax}) and rates.with_duty(100) == 100 * (1 + {rate})"
        ),
    );
    one.wrong = Some(swap(&format!("DUTY = {rate}"), &format!("DUTY = {tax}")));
    one.hard = Some(swap(
        &format!("DUTY = {rate}"),
        &format!("DUTY = TAX = {tax}"),
    ));
    out.push(one);
    let seconds = dice.one(&["30", "45", "60"]);
    let ini = |section: &str, new: &str| {
        let host = if section == "prod" {
            "shop.example"
        } else {
            "localhost"
        };
        swap(
            &format!("host = {host}\ntimeout = 5"),
            &format!("host = {host}\ntimeout = {new}"),
        )
    };
    let mut one = step(
        "config",
        "app.ini",
        format!("Set `timeout` in the section `[prod]` of `app.ini` to `{seconds}`"),
        python(&format!(
            "import configparser as c; p = c.ConfigParser(); p.read('app.ini'); assert p['prod']['timeout'] == '{seconds}'"
        )),
        ini("prod", seconds),
        String::new(),
    );
    one.wrong = Some(ini("dev", seconds));
    out.push(one);
    let port = dice.one(&["8080", "9000", "3000"]);
    let mut one = step(
        "config",
        "app.json",
        format!("Set the `port` of `web` in `app.json` to `{port}`"),
        python(&format!(
            "import json; assert json.load(open('app.json'))['web']['port'] == {port}"
        )),
        swap("\"port\": 8000", &format!("\"port\": {port}")),
        String::new(),
    );
    one.wrong = Some(swap("\"port\": 25", &format!("\"port\": {port}")));
    out.push(one);
    let limit = dice.one(&["120", "65", "110"]);
    let mut one = step(
        "fix",
        "limits.py",
        format!("Change `MAXIMUM` in `limits.py` from `99` to `{limit}`"),
        format!("grep -qx 'MAXIMUM = {limit}' limits.py"),
        swap("MAXIMUM = 99", &format!("MAXIMUM = {limit}")),
        format!("import limits; assert limits.MAXIMUM == {limit} and limits.MINIMUM == 18"),
    );
    one.wrong = Some(swap("MINIMUM = 18", &format!("MINIMUM = {limit}")));
    out.push(one);
    out
}
