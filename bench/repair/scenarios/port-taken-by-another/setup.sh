#!/usr/bin/env bash
set -eu
mkdir public && echo '<p>mine</p>' > public/index.html
mkdir theirs && echo '<p>theirs</p>' > theirs/index.html
cat > serve.py <<'PY'
import argparse, functools, http.server
parser = argparse.ArgumentParser()
parser.add_argument('--port', type=int)
parser.add_argument('--announce')
given = parser.parse_args()
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory='public')
http.server.HTTPServer.allow_reuse_address = False
server = http.server.HTTPServer(('127.0.0.1', given.port), handler)
open(given.announce, 'w').write(f'http://127.0.0.1:{given.port}/index.html')
server.serve_forever()
PY
python3 -m http.server @PORT@ --bind 127.0.0.1 --directory theirs >/dev/null 2>&1 &
echo $! >> "$PIDS"
for n in $(seq 1 50); do curl -s "http://127.0.0.1:@PORT@/" >/dev/null && break; sleep 0.1; done
