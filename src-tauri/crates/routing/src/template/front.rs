//! shim
use std::collections::BTreeMap;
#[derive(Default)]
pub(super) struct Front {
    pub(super) other: BTreeMap<String, String>,
    pub(super) matches: Vec<String>,
    pub(super) params: Vec<String>,
    pub(super) checks: Vec<String>,
}
pub(super) fn read(text: &str) -> (Front, &str) {
    let mut f = Front::default();
    let Some(rest) = text.strip_prefix("---\n") else {
        return (f, text);
    };
    let Some(end) = rest.find("\n---\n") else {
        return (f, text);
    };
    let mut key = String::new();
    for line in rest[..end].lines() {
        let list = |f: &mut Front, key: &str, v: &str| {
            let v = v.trim().trim_matches('"').to_owned();
            match key {
                "match" => f.matches.push(v),
                "params" => f.params.push(v),
                "checks" => f.checks.push(v),
                _ => {}
            }
        };
        if let Some(item) = line.trim().strip_prefix("- ") {
            list(&mut f, &key, item);
            continue;
        }
        let Some((k, v)) = line.split_once(':') else {
            continue;
        };
        key = k.trim().to_owned();
        let v = v.trim();
        if let Some(l) = v.strip_prefix('[').and_then(|v| v.strip_suffix(']')) {
            for i in l.split(',') {
                list(&mut f, &key, i)
            }
        } else if !v.is_empty() {
            f.other.insert(key.clone(), v.to_owned());
        }
    }
    (f, &rest[end + 5..])
}
