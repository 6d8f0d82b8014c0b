#!/usr/bin/env bash
set -eu
mkdir lib_src
echo 'require("fs").writeFileSync("started", "")' > lib_src/tool.js
echo '{"name":"t","version":"1.0.0","scripts":{"build":"mkdir out && cp lib_src/tool.js out/tool.js"}}' > package.json
