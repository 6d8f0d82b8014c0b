#!/usr/bin/env bash
set -eu
mkdir -p frontend/src && echo 'a = 1' > frontend/src/a.js && echo 'b = 1' > frontend/src/b.js
