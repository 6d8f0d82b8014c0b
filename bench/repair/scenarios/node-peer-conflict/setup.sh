#!/usr/bin/env bash
set -eu
mkdir -p local/core local/theme
echo '{"name":"core","version":"2.0.0"}' > local/core/package.json
echo '{"name":"theme","version":"1.0.0","peerDependencies":{"core":"^1.0.0"}}' > local/theme/package.json
echo '{"name":"app","version":"1.0.0","dependencies":{"core":"file:local/core","theme":"file:local/theme"}}' > package.json
