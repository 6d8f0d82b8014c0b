#!/usr/bin/env bash
set -eu
mkdir -p texts node_modules/shrinkwords node_modules/.bin
printf 'one   two    three\n' > texts/a.txt
echo end > texts/end.txt
echo '{"name":"site","private":true}' > package.json
echo '{"name":"shrinkwords","version":"1.0.0","bin":"cli.js"}' > node_modules/shrinkwords/package.json
printf '#!/usr/bin/env node\nconst t = require("fs").readFileSync(process.argv[2], "utf8");\nprocess.stdout.write(t.replace(/ +/g, " "));\n' > node_modules/shrinkwords/cli.js
chmod +x node_modules/shrinkwords/cli.js
ln -s ../shrinkwords/cli.js node_modules/.bin/shrinkwords
