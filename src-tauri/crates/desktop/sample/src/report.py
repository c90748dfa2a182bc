"""Rows as lines of text."""


def render_rows(rows):
    lines = [f"{row['date']}  {row['region']:<8}{row['amount']:>6}" for row in rows]
    return lines + [f"Total {sum(row['amount'] for row in rows):>18}"]
