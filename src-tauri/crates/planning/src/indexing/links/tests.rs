//! Imports in each language resolve to the intended files and no others.

use super::*;

fn resolved<'p>(path: &str, text: &str, paths: &[&'p str]) -> Vec<&'p str> {
    let targets = links(path, text);
    let mut found = Vec::new();
    for target in &targets {
        let key = target_key(target);
        for path in paths {
            let is_near = keys(path).contains(&key);
            assert!(
                is_near || !resolves(target, path),
                "{target} means {path}, whose keys are {:?}",
                keys(path)
            );
            if is_near && resolves(target, path) && !found.contains(path) {
                found.push(*path);
            }
        }
    }
    found
}

#[test]
fn imports_lead_to_files() {
    let paths = [
        "src/shop/rows.py",
        "src/shop/__init__.py",
        "src/shop/model.py",
        "other/rows.py",
    ];
    assert_eq!(
        resolved(
            "src/shop/report.py",
            "import os\nfrom .rows import Row\nfrom shop import model\n",
            &paths
        ),
        [
            "src/shop/rows.py",
            "src/shop/__init__.py",
            "src/shop/model.py"
        ]
    );
    let paths = [
        "web/lib/cart.ts",
        "web/lib/index.ts",
        "web/app.tsx",
        "lib/cart.ts",
    ];
    assert_eq!(
        resolved(
            "web/app.tsx",
            "import { add } from './lib/cart';\nimport React from \"react\";\nconst all = require('./lib');\n",
            &paths
        ),
        ["web/lib/cart.ts", "web/lib/index.ts"]
    );
    let paths = [
        "a/src/lib.rs",
        "a/src/table.rs",
        "a/src/table/row.rs",
        "b/src/table.rs",
    ];
    assert_eq!(
        resolved(
            "a/src/print.rs",
            "use crate::table::row::Row;\nuse std::fmt;\n",
            &paths
        ),
        ["a/src/table.rs", "a/src/table/row.rs"]
    );
    assert_eq!(
        resolved("a/src/table.rs", "mod row;\n", &paths),
        ["a/src/table/row.rs"]
    );
    assert_eq!(
        resolved(
            "main.go",
            "import (\n\t\"fmt\"\n\t\"example.com/shop/internal/rows\"\n)\n",
            &[
                "internal/rows/read.go",
                "example.com/shop/internal/rows/read.go",
                "other/read.go"
            ]
        ),
        [
            "internal/rows/read.go",
            "example.com/shop/internal/rows/read.go"
        ]
    );
    assert_eq!(
        resolved(
            "src/a.c",
            "#include <stdio.h>\n#include \"../include/row.h\"\n",
            &["include/row.h", "src/row.c"]
        ),
        ["include/row.h"]
    );
    assert_eq!(
        resolved(
            "src/A.java",
            "import com.shop.sales.Report;\n",
            &["src/com/shop/sales/Report.java", "src/Report.java"]
        ),
        ["src/com/shop/sales/Report.java"]
    );
    assert_eq!(
        resolved(
            "docs/guide.md",
            "See [rows](../src/rows.py#top), [web](https://x.org/rows.py) and [here](#rows).",
            &["src/rows.py", "docs/guide.md"]
        ),
        ["src/rows.py"]
    );
}

#[test]
fn a_test_has_the_key_of_its_source() {
    for path in [
        "tests/test_rows.py",
        "rows_test.go",
        "web/rows.spec.ts",
        "rows.py",
    ] {
        assert_eq!(keys(path)[0], "rows", "{path}");
    }
    assert_eq!(keys("shop/__init__.py"), ["__init__", "shop"]);
}

#[test]
fn a_link_out_of_the_workspace_leads_nowhere() {
    assert_eq!(links("a.md", "[x](../../b.md)"), [""; 0]);
}
