#!/usr/bin/env bash
set -euo pipefail
mkdir -p src/a && echo '// TODO one' > src/x.js && echo '// TODO two' > src/a/y.js
