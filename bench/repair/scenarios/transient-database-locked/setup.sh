#!/usr/bin/env bash
set -eu
python3 -c "import sqlite3; db = sqlite3.connect('shop.db'); db.execute('create table orders (id)'); db.commit()"
printf 'import sqlite3, sys\ndb = sqlite3.connect("shop.db", timeout=0.1)\ndb.execute("insert into orders values (?)", (sys.argv[1],))\ndb.commit()\n' > add.py
printf 'import sqlite3\nprint(sqlite3.connect("shop.db").execute("select count(*) from orders").fetchone()[0])\n' > count.py
cat > holder.py <<'PY'
import os, sqlite3, time
db = sqlite3.connect('shop.db', isolation_level=None)
db.execute('begin exclusive')
open('holding', 'w').close()
while not os.path.exists('begun'):
    time.sleep(0.1)
time.sleep(3)
db.execute('rollback')
PY
python3 holder.py >/dev/null 2>&1 &
echo $! >> "$PIDS"
for n in $(seq 1 50); do test -f holding && break; sleep 0.1; done
