#!/usr/bin/env bash
set -eu
mkdir -p packages/shout
echo '{"name":"shout","version":"2.0.0","main":"index.js"}' > packages/shout/package.json
echo 'module.exports = (text) => text.toUpperCase();' > packages/shout/index.js
echo '{"name":"report","version":"1.0.0","dependencies":{"shout":"file:packages/shout"}}' > package.json
echo 'console.log(require("shout")("total"));' > report.js
