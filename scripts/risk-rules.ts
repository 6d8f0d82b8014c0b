import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogue, provenNames } from '../src/core/risk/testing/catalogue.ts';

/** Writes docs/risk-rules.md from the rules; `--check` only says whether it is up to date. */

const intro = `# What Planwright calls risky

Every command and file action gets a level before it runs:

| level | means |
| --- | --- |
| safe | proven to only read and print; nothing else is ever called safe |
| caution | not proven safe, and no rule finds it dangerous |
| dangerous | waits for the approval of a person |
| blocked | never runs; no flag and no rule of yours lifts it |

A command is parsed with the grammar of the shell, and every program in it is judged, also those behind sudo,
env, xargs, find -exec, ssh, docker exec, bash -c, eval, here-documents, pipes into interpreters and the like.
The level of the whole is that of its worst part. Rules about a path also hold for file actions.
Under what is known of each program there is a net: a destructive command, or code from the network, among the
words, in the variables or on the standard input of a program that is not known to only print, search or keep text
is dangerous, whatever that program is. \`npm run bench -- risk\` runs random wrappings of a deletion in a jail
and counts those that deleted and were judged less than dangerous.

## What undo reaches

A caution runs unasked because undo works. Where it would not, the verdict is dangerous, whatever spells it:

| what is changed | level |
| --- | --- |
| a file of the workspace, ignored files too where the command names them | caution |
| output that its own tool makes again (\`node_modules\`, \`target\`, \`dist\`, \`build\`, \`__pycache__\`, \`.venv\` and the like), package caches | caution |
| what git keeps in its reflog: commits, branches, merges, rebases, \`reset --soft\`; a plain \`git push\` | caution |
| a new file in the temporary folder (\`/tmp\`, \`$TMPDIR\`), or one that this run made there | caution |
| a file in the temporary folder that is older than the run | dangerous |
| anything else outside the workspace: by redirection, \`cp\`, \`tar -C\`, \`cd ..\` first, a link, a pattern, \`~\`; a program that works in such a folder | dangerous |
| what the whole user or machine shares: \`git config --global\`, \`npm i -g\`, \`pip install\` outside an environment of its own, system packages, services | dangerous |
| a file over 100 MB, or in a repository of its own inside the workspace, which no checkpoint holds | dangerous |
| another host, a server, a cluster, a registry: \`ssh\` with anything but reading, \`scp\`, \`kubectl apply\`, \`docker push\`, \`curl -X POST\` except to this machine | dangerous |
| a background process that nothing in the same step waits for or ends | dangerous; START is the way to keep one |

Just before a step runs it is judged again where it is: variables, \`~\`, patterns and links are what they are then. Where
only the text is known, an absolute path, \`..\` and \`~\` count as outside.

What is not promised: a script or a program whose text is not on the command line (\`make\`, \`npm test\`, \`./x.sh\`) is
caution, and what it does by itself outside the workspace, over the network or to ignored files that nobody named is not
seen. The [sandbox](sandbox.md) keeps it from doing so.

## The session, and what earlier steps did

A command is judged in the session as it is, just before it runs and once more at its start. A program counts as the one that
its name says only where the file found for it on PATH, links followed, lies in a folder of the system, belongs to root and can
be written by nobody else; so do the folders around it. What lies in the workspace, in a home, or behind a relative entry of
PATH is never safe, and neither is anything after a step has set a variable that can steer programs (\`LD_PRELOAD\`,
\`GIT_*\`, \`PAGER\`, \`HOME\`…). What was safe then is caution: it runs, after a checkpoint. A program that is not installed
is judged by its name. Trust in a folder does not reach into another repository below it, nor out of it.

What one step writes and a later one runs is judged by what the reader of the plan could see of it:

| written by | then run |
| --- | --- |
| the plan, as text (\`WRITE_FILE\`, \`echo\`, \`printf\`, a here-document, \`sed -i\` with a plain script) | as that text: \`rm -rf\` in it is dangerous, a harmless script is caution |
| a copy of what the project had, or what a compiler made of it | caution, as the project's own |
| a download, a clone, a pull from an address, a pull request, an archive of these, a copy from outside the workspace, what a program printed | dangerous, as \`write-then-run\` |

This holds for scripts, for programs found by name, and for files that tools run by convention (a Makefile, package.json,
conftest.py, build.rs, hooks…) once such a tool is started. Writing one of the latter asks by itself, whatever writes it. The
plan is judged so before it is agreed on, and each step again with what was really begun before it, corrections included. What a
program writes without saying so in its words is not known: running that is caution, and undo takes it back.

This page is made from the rules by \`node scripts/risk-rules.ts\`.
`;

const proof = `## How safe is proven

Nothing is safe because no rule spoke against it. For every program that can be safe a table says which options it may
be given (\`src/core/risk/safe/tables\`), which of them take a value and of what kind, and what its operands may be; for
tools of many verbs, for each verb. Whatever is not in the table ends the proof, and the command is caution at least:

- an option that is unknown, abbreviated (\`--outp=x\`), joined or clustered with one that is (\`-uo x\`), or stands where
  another program would read it otherwise; none that names a program, a file to write, a configuration or another
  server is in a table, unless what it may name is (\`-o /dev/null\`);
- a word that is only known when it runs, and a pattern that could become an option (\`sort *\`), except for programs
  that no argument at all makes do harm, such as \`ls\` and \`echo\`;
- text of programs with a language of their own (awk, sed, jq, SQL), unless all of it is known to read;
- a program by a path that is not the system's, or under the name of a function; with variables set for it;
- what shows secrets: the environment, keys of clouds, secrets of clusters, /proc of processes, variables named so,
  and whole trees outside the workspace searched for text;
- zsh, fish and every other shell than bash, sh and dash: their text is not what is read here.

Programs that run code of the folder they are in, or follow its settings (git with its pagers and monitors, package
managers that ask the registry it names, tools that load its plugins), are safe only where a person trusts the folder,
and no more once a \`cd\` has or may have left it. \`--help\` and \`--version\` alone are safe of programs that print them
before they load anything; \`git log --help\`, which opens a viewer of the repository's choice, and \`pytest --help\`,
which runs conftest.py, are not.

A program that starts another (\`env\`, \`nice\`, \`timeout\`, \`xargs\`, \`bash -c\`) is as safe as what it starts, where its own
options are in a table too and both readers agree on where that command begins.

What is not promised: that a program of the system does what its manual says, that your own configuration of it (in your
home, not in the folder) is harmless, that reading over a network leaves no trace there, or that what is read is none of
the reader's business where neither its name nor its place says so.

Programs with a table: ${provenNames.map((name) => `\`${name}\``).join(' ')}
`;

type Rule = (typeof catalogue)[number]['rules'][number];

/** docs/risk-rules.md, from the rules themselves. */
export function riskRulesPage(): string {
  const blocked = catalogue.flatMap(({ rules }) => rules).filter((rule) => rule.level === 'blocked');
  const families = catalogue.map(({ family, rules }) => `## ${family}\n\n${table(rules)}`);
  return [intro, proof, `## What is blocked\n\n${list(blocked)}`, ...families].join('\n') + '\n';
}

const list = (rules: readonly Rule[]): string =>
  `${rules.map((rule) => `- \`${rule.id}\`: ${rule.sentence}`).join('\n')}\n`;

function table(rules: readonly Rule[]): string {
  const rows = rules.map(
    (rule) =>
      `| \`${rule.id}\` | ${rule.level} | ${rule.sentence} | ${examples(rule.hits)} | ${examples(rule.misses)} |`,
  );
  return [
    '| rule | level | why | for example | but not |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** Examples that fit a table; what is long or cannot be seen is shown escaped and cut. */
function examples(texts: readonly string[]): string {
  return texts
    .slice(0, 3)
    .map((text) => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\'))
    .map((text) =>
      [...text]
        .map((char) =>
          /[\x20-\x7e]/.test(char) ? char : `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
        )
        .join(''),
    )
    .map((text) => (text.length > 60 ? `${text.slice(0, 57)}...` : text))
    .map((text) =>
      text.includes('`') ? `\`\` ${text.replaceAll('|', '\\|')} \`\`` : `\`${text.replaceAll('|', '\\|')}\``,
    )
    .join(', ');
}

if (import.meta.main) {
  const file = fileURLToPath(new URL('../docs/risk-rules.md', import.meta.url));
  const page = riskRulesPage();
  if (!process.argv.includes('--check')) writeFileSync(file, page);
  else if (readFileSync(file, 'utf8') !== page) {
    console.error('docs/risk-rules.md is out of date: run node scripts/risk-rules.ts');
    process.exitCode = 1;
  }
}
