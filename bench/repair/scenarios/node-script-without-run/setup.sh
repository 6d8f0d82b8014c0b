#!/usr/bin/env bash
set -eu
echo '{"name":"lib","version":"1.0.0","scripts":{"docgen":"node docgen.js"}}' > package.json
echo 'require("fs").writeFileSync("docs.md", "docs")' > docgen.js
