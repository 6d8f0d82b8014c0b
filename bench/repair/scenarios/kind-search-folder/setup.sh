#!/usr/bin/env bash
set -eu
mkdir -p src/a && echo '// TODO one' > src/x.js && echo '// TODO two' > src/a/y.js
