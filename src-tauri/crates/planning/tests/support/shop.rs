//! A small Python shop application, with many traps for a careless planner.

pub(crate) const SHOP: &[(&str, &str)] = &[
    ("AGENTS.md", "Run the tests before you push.\n"),
    (
        "README.md",
        "# Shop\n\nThe total of an order is what the customer pays. Use `total(lines)` from\n`shop.order`; the `total` function rounds.\n\n```python\nfrom shop.order import total\n\nprint(total([]))\n```\n\nSee also `subtotal`.\n",
    ),
    ("data/orders.json", "{\"total\": 12}\n"),
    (
        "shop/__init__.py",
        "from .order import total\n\n__all__ = [\"total\"]\n",
    ),
    (
        "shop/order.py",
        "\"\"\"Orders.\"\"\"\n\n\ndef total(lines):\n    \"\"\"The total of all lines, `total([])` is 0.\"\"\"\n    return sum(line.price for line in lines)\n\n\ndef subtotal(lines, group):\n    return total([line for line in lines if line.group == group])\n\n\ndef total_count(lines):\n    totals = [1 for _ in lines]\n    return len(totals)\n",
    ),
    (
        "shop/invoice.py",
        "from shop import order\nfrom shop.order import (\n    subtotal,\n    total,\n)\n\n\ndef invoice(lines, key=total):\n    print(f\"Total: {total(lines)} of {order.total(lines)}\")\n    return {\"total\": total(lines), \"sub\": subtotal(lines, 1)}\n",
    ),
    (
        "shop/stock.py",
        "def count(items):\n    total = 0\n    for item in items:\n        total += item.amount\n    return total\n",
    ),
    (
        "tests/test_order.py",
        "import unittest\nfrom unittest.mock import patch\n\nfrom shop.order import total\n\n\nclass TotalTest(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([]), 0)\n        self.assertEqual(total([]), 0)\n\n    @patch(\"shop.order.total\")\n    def test_patched(self, fake):\n        pass\n",
    ),
];

/// A word counter in Rust with a library and a lock file.
pub(crate) const WORDS: &[(&str, &str)] = &[
    (
        "Cargo.lock",
        "version = 3\n\n[[package]]\nname = \"serde\"\nversion = \"1.0.100\"\n",
    ),
    (
        "Cargo.toml",
        "[package]\nname = \"words\"\nversion = \"0.1.0\"\n\n[dependencies]\nserde = { version = \"1.0.100\", features = [\"derive\"] }\n",
    ),
    (
        "src/lib.rs",
        "//! Counts words; see [`count_words`].\nuse serde::Serialize;\n\n/// How many words `text` has.\npub fn count_words(text: &str) -> usize {\n    text.split_whitespace().count()\n}\n\n#[derive(Serialize)]\npub struct Count {\n    pub count_words: usize,\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn words() {\n        assert_eq!(count_words(\"a b\"), 2);\n        let count_words = count_words(\"a\");\n        assert_eq!(count_words, 1, \"{count_words}\");\n    }\n}\n",
    ),
    (
        "src/main.rs",
        "fn main() {\n    println!(\"{}\", words::count_words(\"a b\"));\n}\n",
    ),
];
