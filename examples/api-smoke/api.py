"""An API that knows one token."""

import http.server
import os
import sys

expected = f"Bearer {os.environ['API_TOKEN']}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        allowed = self.headers.get("Authorization") == expected
        self.send_response(200 if allowed else 401)
        self.end_headers()
        self.wfile.write(b'{"orders": []}\n' if allowed else b"no\n")


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
