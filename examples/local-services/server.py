"""Takes jobs by POST /jobs and lists what is done by GET /done."""

import http.server
import pathlib
import sys

queue = pathlib.Path("queue")
for name in ("todo", "done"):
    (queue / name).mkdir(parents=True, exist_ok=True)


class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, text):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        if self.path == "/health":
            self.answer(200, "ok\n")
        elif self.path == "/done":
            names = sorted(path.name for path in (queue / "done").iterdir())
            self.answer(200, "".join(f"{name}\n" for name in names))
        else:
            self.answer(404, "not here\n")

    def do_POST(self):
        name = self.rfile.read(int(self.headers["Content-Length"])).decode()
        (queue / "todo" / pathlib.Path(name).name).touch()
        self.answer(202, "accepted\n")


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
