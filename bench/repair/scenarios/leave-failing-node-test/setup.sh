#!/usr/bin/env bash
set -eu
echo '{"name":"half","version":"1.0.0","scripts":{"test":"node --test"}}' > package.json
echo 'exports.half = (n) => n / 3;' > half.js
printf 'const test = require("node:test");\nconst assert = require("node:assert");\ntest("half", () => assert.equal(require("./half.js").half(4), 2));\n' > half.test.js
sha256sum half.js half.test.js package.json > ../sums
