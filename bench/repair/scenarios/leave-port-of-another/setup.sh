#!/usr/bin/env bash
set -eu
mkdir public theirs && echo own > public/own.txt && echo theirs > theirs/index.html
python3 -m http.server @PORT@ --bind 127.0.0.1 --directory theirs >/dev/null 2>&1 &
echo $! >> "$PIDS"
for n in $(seq 1 50); do curl -s "http://127.0.0.1:@PORT@/" >/dev/null && break; sleep 0.1; done
