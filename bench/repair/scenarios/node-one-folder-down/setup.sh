#!/usr/bin/env bash
set -eu
mkdir client && echo '{"name":"client","version":"1.0.0","scripts":{"test":"node test.js"}}' > client/package.json
echo 'require("fs").writeFileSync("passed.txt", "yes")' > client/test.js
