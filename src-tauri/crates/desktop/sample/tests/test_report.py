import unittest

from src.report import render_rows

ROWS = [{"date": "2026-01-02", "region": "north", "amount": 10}]


class ReportTest(unittest.TestCase):
    def test_the_last_line_is_the_sum(self):
        self.assertTrue(render_rows(ROWS)[-1].endswith("10"))


if __name__ == "__main__":
    unittest.main()
