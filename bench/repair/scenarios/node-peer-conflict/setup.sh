#!/usr/bin/env bash
set -eu
mkdir -p local/core local/theme
echo '{"name":"core","version":"2.0.0"}' > local/core/package.json
echo '{"name":"theme","version":"1.0.0","peerDependencies":{"core":"^1.0.0"}}' > local/theme/package.json
(cd local/core && npm pack --silent --pack-destination ..) && (cd local/theme && npm pack --silent --pack-destination ..)
echo '{"name":"app","version":"1.0.0","dependencies":{"core":"file:local/core-2.0.0.tgz","theme":"file:local/theme-1.0.0.tgz"}}' > package.json
