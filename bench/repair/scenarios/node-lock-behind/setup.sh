#!/usr/bin/env bash
set -eu
mkdir -p vendor/plural
echo '{"name":"plural","version":"1.0.0","main":"index.js"}' > vendor/plural/package.json
echo 'module.exports = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;' > vendor/plural/index.js
echo '{"name":"app","version":"1.0.0","dependencies":{"plural":"file:vendor/plural"}}' > package.json
echo '{"name":"app","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{"":{"name":"app","version":"1.0.0"}}}' > package-lock.json
echo 'console.log(require("plural")(3, "cat"));' > app.js
