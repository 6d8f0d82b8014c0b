#!/usr/bin/env bash
set -eu
cat > busy.py <<'PY'
import http.server, sys
class Shop(http.server.BaseHTTPRequestHandler):
    asked = 0
    def do_GET(self):
        Shop.asked += 1
        busy = Shop.asked < 2
        self.send_response(503 if busy else 200)
        self.end_headers()
        self.wfile.write(b'busy' if busy else b'books')
http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Shop).serve_forever()
PY
