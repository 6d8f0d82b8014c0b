#!/usr/bin/env bash
set -euo pipefail
mkdir public && echo new > public/index.html
cat > holder.py <<'PY'
import os, socket, time
holder = socket.socket()
holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
holder.bind(('127.0.0.1', @PORT@))
holder.listen()
open('holding', 'w').close()
while not os.path.exists('.stop'):
    holder.settimeout(0.2)
    try:
        holder.accept()
    except OSError:
        pass
    if time.time() - os.path.getmtime('holding') > 5:
        break
PY
python3 holder.py >/dev/null 2>&1 &
echo $! >> "$PIDS"
for n in $(seq 1 50); do test -f holding && break; sleep 0.1; done
