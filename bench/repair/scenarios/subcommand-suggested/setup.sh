#!/usr/bin/env bash
set -eu
echo text > week.txt
cat > notes.js <<'JS'
const fs = require('fs');
const [verb, file] = process.argv.slice(2);
if (verb === 'list') console.log(fs.readdirSync('.').join('\n'));
else if (verb === 'publish') { fs.mkdirSync('published', { recursive: true }); fs.copyFileSync(file, `published/${file}`); }
else { console.error(`notes: '${verb}' is not a notes command. See 'notes --help'.\n\nThe most similar command is\n\tpublish`); process.exit(1); }
JS
