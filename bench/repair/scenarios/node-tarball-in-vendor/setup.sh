#!/usr/bin/env bash
set -eu
mkdir -p vendor package
echo '{"name":"barline","version":"1.0.0","main":"index.js"}' > package/package.json
echo 'module.exports = (n) => "#".repeat(n);' > package/index.js
tar -czf vendor/barline-1.0.0.tgz package && rm -r package
echo '{"name":"chart","version":"1.0.0","private":true}' > package.json
echo 'console.log(require("barline")(3));' > chart.js
