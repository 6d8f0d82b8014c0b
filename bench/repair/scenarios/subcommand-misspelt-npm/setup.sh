#!/usr/bin/env bash
set -eu
echo '{"name":"lib","version":"1.0.0","scripts":{"build":"node make.js"}}' > package.json
printf 'const fs = require("fs");\nfs.mkdirSync("lib", { recursive: true });\nfs.writeFileSync("lib/index.js", "ok");\n' > make.js
