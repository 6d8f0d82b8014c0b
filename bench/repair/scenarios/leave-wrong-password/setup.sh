#!/usr/bin/env bash
set -eu
cat > private.py <<'PY'
import http.server, sys
class Private(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(401)
        self.end_headers()
http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Private).serve_forever()
PY
