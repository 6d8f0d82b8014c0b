#!/usr/bin/env bash
set -euo pipefail
mkdir public && echo '<h1>hello</h1>' > public/index.html
