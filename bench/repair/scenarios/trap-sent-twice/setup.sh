#!/usr/bin/env bash
set -eu
cat > shop.py <<'X'
import socket, sys
s = socket.socket(); s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(('127.0.0.1', int(sys.argv[1]))); s.listen()
print('up', flush=True)
while True:
    c, _ = s.accept(); c.recv(65536)
    open('orders', 'a').write('one\n'); c.close()
X
python3 shop.py @PORT@ > up.log 2>&1 & echo $! >> "$PIDS"
until grep -q up up.log; do sleep 0.1; done
