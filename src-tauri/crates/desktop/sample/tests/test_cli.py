import unittest

from src.cli import build_parser


class CliTest(unittest.TestCase):
    def test_a_file_is_read_from_the_command_line(self):
        self.assertEqual(build_parser().parse_args(["sales.csv"]).file, "sales.csv")


if __name__ == "__main__":
    unittest.main()
