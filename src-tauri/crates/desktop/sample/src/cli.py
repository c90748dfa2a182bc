"""The command line: reads a file, prints the report."""
import argparse
import csv

from src.report import render_rows


def build_parser():
    parser = argparse.ArgumentParser(prog="report")
    parser.add_argument("file", help="a CSV file with sales")
    return parser


def load(path):
    with open(path, newline="") as file:
        return [dict(row, amount=int(row["amount"])) for row in csv.DictReader(file)]


def run(arguments):
    options = build_parser().parse_args(arguments)
    rows = load(options.file)
    return render_rows(rows)


if __name__ == "__main__":
    import sys

    print("\n".join(run(sys.argv[1:])))
