"""A little of the sqlite3 program: db.py FILE [SQL | .dump], or SQL on stdin."""

import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
text = sys.argv[2] if len(sys.argv) > 2 else sys.stdin.read()
if text == ".dump":
    print("\n".join(database.iterdump()))
elif text.lstrip().upper().startswith("SELECT"):
    for row in database.execute(text):
        print("|".join(map(str, row)))
else:
    database.executescript(text)
database.close()
