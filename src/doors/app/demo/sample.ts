/** What things are called in the sample. The brain knows none of these words: a test makes up others. */
export interface DemoNames {
  notes: string;
  site: string;
  drafts: string;
  /** A script that nobody has made executable. */
  renderer: string;
  /** A package that is listed, lies in `vendor/`, and is not installed. */
  library: string;
  /** A program's name with a slip in it. */
  misspelt: string;
  /** Taken by somebody else. */
  port: number;
  titles: readonly [string, string, string];
}

export const usualNames: DemoNames = {
  notes: 'notes',
  site: 'site',
  drafts: 'drafts',
  renderer: 'render',
  library: 'linkify',
  misspelt: 'grpe',
  port: 8417,
  titles: ['Welcome', 'A week in the hills', 'What comes next'],
};

/** The runbook. Five of its steps cannot work as they stand, and one is dangerous. */
export const runbook = (names: DemoNames): string => `---
title: Publish the field notes
mode: agentic
---

# Publish the field notes

## Gather the notes

\`\`\`sh
cat ${names.notes}/*.md > ${names.site}/all.md
\`\`\`

## Make a page of each

\`\`\`sh
./tools/${names.renderer}.sh ${names.notes} ${names.site}
\`\`\`

## Count the headings

<!-- planwright: expects="file ${names.site}/count.txt contains 3" -->
\`\`\`sh
cat ${names.site}/*.html | ${names.misspelt} -c '<h1>' > ${names.site}/count.txt
\`\`\`

## Make the index

<!-- planwright: expects="file exists ${names.site}/index.html" -->
\`\`\`sh
node tools/index.js ${names.site}
\`\`\`

## Serve the site

It writes down its address when it is up.

<!-- planwright: expects="file exists ${names.site}/address.txt" timeout=20s -->
\`\`\`sh {"name":"serve","background":"true"}
node tools/serve.js ${names.site} ${names.port}
\`\`\`

## Fetch the front page

<!-- planwright: expects="file ${names.site}/fetched.txt contains ${names.titles[1]}" -->
\`\`\`sh
node tools/fetch.js ${names.site}
\`\`\`

## Delete the drafts

They are published now. Deleting is dangerous, so a person is asked.

\`\`\`sh
rm -r ${names.drafts}
\`\`\`

## Put aside what was not deleted

\`\`\`sh
if [ -d ${names.drafts} ]; then mv ${names.drafts} ${names.drafts}.old; fi
\`\`\`
`;

/** The files of the workspace, by path. None is executable, and that is one of the failures. */
export function sampleFiles(names: DemoNames): Record<string, string> {
  const { notes, drafts, renderer, library, titles } = names;
  const note = (title: string, at: number): string => `# ${title}\n\nPage ${at + 1} of the notes.\n`;
  return {
    'RUNBOOK.md': runbook(names),
    ...Object.fromEntries(titles.map((title, at) => [`${notes}/${at + 1}.md`, note(title, at)])),
    [`${drafts}/idea.md`]: 'An idea that became a note.\n',
    [`tools/${renderer}.sh`]: renderScript,
    'tools/index.js': indexScript(library),
    'tools/serve.js': serveScript,
    'tools/fetch.js': fetchScript,
    'package.json': manifest({
      name: 'field-notes',
      private: true,
      dependencies: { [library]: `file:vendor/${library}` },
    }),
    [`vendor/${library}/package.json`]: manifest({ name: library, version: '1.0.0', main: 'index.js' }),
    [`vendor/${library}/index.js`]:
      "module.exports = (file, title) => '<li><a href=\"' + file + '\">' + title + '</a></li>';\n",
    // Nothing is fetched: the package lies here.
    '.npmrc': 'offline=true\naudit=false\nfund=false\nupdate-notifier=false\n',
  };
}

const manifest = (data: object): string => `${JSON.stringify(data, null, 2)}\n`;

const renderScript = `#!/bin/sh
set -e
for note in "$1"/*.md; do
  page="$2/$(basename "$note" .md).html"
  sed -e 's|^# \\(.*\\)|<h1>\\1</h1>|' -e '/^[^<]/s|.*|<p>&</p>|' "$note" > "$page"
  echo "$note -> $page"
done
`;

const indexScript = (library: string): string => `const fs = require('node:fs');
const link = require('${library}');
const [folder] = process.argv.slice(2);
const pages = fs.readdirSync(folder).filter((file) => /^\\d+\\.html$/.test(file));
const titleOf = (file) => /<h1>(.*)<\\/h1>/.exec(fs.readFileSync(folder + '/' + file, 'utf8'))[1];
fs.writeFileSync(folder + '/index.html', '<ul>' + pages.map((file) => link(file, titleOf(file))).join('') + '</ul>\\n');
console.log(pages.length + ' pages');
`;

const serveScript = `const fs = require('node:fs');
const http = require('node:http');
const [folder, port] = process.argv.slice(2);
const server = http.createServer((request, response) => {
  const name = request.url === '/' ? 'index.html' : request.url.slice(1).replace(/[^\\w.-]/g, '');
  fs.readFile(folder + '/' + name, (error, text) => {
    response.writeHead(error ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(error ? 'no such page' : text);
  });
});
server.listen(Number(port), '127.0.0.1', () => {
  fs.writeFileSync(folder + '/address.txt', 'http://127.0.0.1:' + server.address().port + '/');
});
`;

const fetchScript = `const fs = require('node:fs');
const [folder] = process.argv.slice(2);
fetch(fs.readFileSync(folder + '/address.txt', 'utf8')).then(async (answer) => {
  if (answer.status !== 200) throw new Error('answered ' + answer.status);
  fs.writeFileSync(folder + '/fetched.txt', await answer.text());
});
`;
