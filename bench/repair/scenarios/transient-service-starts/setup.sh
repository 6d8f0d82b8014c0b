#!/usr/bin/env bash
set -eu
echo '{"state":"ready"}' > state.json.src && mkdir www && mv state.json.src www/state.json
cat > slow.py <<'PY'
import functools, http.server, sys, time
time.sleep(2)
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory='www')
http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), handler).serve_forever()
PY
