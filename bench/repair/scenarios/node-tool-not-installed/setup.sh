#!/usr/bin/env bash
set -eu
mkdir -p tools/stylist
echo '{"name":"stylist","version":"1.0.0","bin":"cli.js"}' > tools/stylist/package.json
printf '#!/usr/bin/env node\nrequire("fs").writeFileSync("style.txt", "clean");\n' > tools/stylist/cli.js && chmod +x tools/stylist/cli.js
echo '{"name":"app","version":"1.0.0","scripts":{"style":"stylist"},"devDependencies":{"stylist":"file:tools/stylist"}}' > package.json
