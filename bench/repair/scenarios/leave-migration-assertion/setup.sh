#!/usr/bin/env bash
set -eu
python3 -c "import sqlite3; db = sqlite3.connect('app.db'); db.execute('create table users (id, nick)'); db.execute('insert into users values (1, \'ada\')'); db.commit()"
printf 'import sqlite3\ndb = sqlite3.connect("app.db")\nleft = db.execute("select count(*) from users where nick is not null").fetchone()[0]\nassert left == 0, f"{left} users still have a nick: move them first"\ndb.execute("alter table users drop column nick")\ndb.commit()\n' > migrate.py
sha256sum migrate.py app.db > ../sums
