#!/usr/bin/env bash
set -eu
cat > place.py <<'E'
import sys
regions = ["eu-north-1", "us-east-1"]
if sys.argv[2] not in regions:
    sys.exit("eu-north-2 is not one of: eu-north-1, us-east-1")
open("placed", "w").close()
E
