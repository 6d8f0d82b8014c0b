#!/usr/bin/env bash
set -eu
cat > render.py <<'E'
import sys
kinds = ["html", "markdown", "text"]
kind = sys.argv[2]
if kind not in kinds:
    sys.exit("cannot render as %s, which is not known here.\nKinds:\n%s" % (kind, "\n".join("  * " + k for k in kinds)))
open("rendered." + kind, "w").close()
E
