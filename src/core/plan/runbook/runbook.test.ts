import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Plan } from '../../contract/index.ts';
import { renderProblem } from '../problem.ts';
import { validatePlan } from '../validate/validate.ts';
import { plainText } from './markdown.ts';
import { parseRunbook } from './parse.ts';
import { selectByHeading } from './select.ts';

const file = 'README.md';
function accepted(text: string) {
  const result = parseRunbook(text, { file });
  if (!result.ok) throw new Error(result.problems.map(renderProblem).join('\n'));
  return result;
}
function refused(text: string | Uint8Array) {
  const result = parseRunbook(text, { file });
  if (result.ok) throw new Error('accepted');
  return result.problems;
}
const actions = (text: string) => accepted(text).plan.steps.map((step) => step.action);

const page = `---
title: Deploy the site
mode: agentic
inputs:
  - env
  - name: token
    secret: true
layout: docs
---
# The site

Some words that belong to no block.

## Install

You need **Node** and \`npm\`, see [the guide](https://example.org).

\`\`\`sh {"name":"install","interactive":"false"}
npm ci
npm run build
\`\`\`

Then look at it:

<!-- planwright: expects="port 8080 open" timeout=30s -->
\`\`\`bash { name=serve background=true }
npx serve -l 8080
\`\`\`

## Check

1. First ask it:

   <!-- planwright: after=install,serve expects="stdout contains ok" undo="DELETE_PATH out" -->
   \`\`\`console
   $ mkdir -p out
   $ curl -s localhost:8080 \\
       > out/page
   <html>
   $ cat <<EOF > out/note
   > several lines
   > EOF
   user@host:~/site$ echo ok
   ok
   \`\`\`

2. A thing for people

   \`\`\`js
   not(a, step)
   \`\`\`

### Danger

\`\`\`sh {"excludeFromRunAll":"true","name":"wipe"}
rm -rf out
\`\`\`

~~~zsh
echo last
~~~
`;

test('what a page leaves to its reader in braces is asked for, and never run as it stands', () => {
  const { plan } = accepted("```sh\ncd {APP} && make\necho ${HOME} {a,b} {1..3}\nawk '{print}' f\n```\n");
  expect(plan.inputs?.map(({ name }) => name)).toEqual(['APP']);
  expect(plan.inputs?.[0]?.description).toContain('{APP}');
  // Of what is declared it is a slip.
  const declared = '---\ninputs: [token]\n---\n```sh\necho {tokne} {token}\n```\n';
  expect(accepted(declared).plan.inputs).toEqual([{ name: 'token' }]);
  const both = '## One\n\n```sh\ncd {APP}\n```\n\n## Two\n\n```sh\ncd {SITE}\n```\n';
  const read = accepted(both);
  expect(read.plan.inputs).toHaveLength(2);
  const selected = selectByHeading(read.runbook, 'Two');
  expect(selected.ok && selected.plan.inputs?.map(({ name }) => name)).toEqual(['SITE']);
  const left = accepted('```sh\nls\n```\n\n```sh\nkubectl delete pod {pod-name}\n```\n');
  expect(left.plan.steps).toHaveLength(1);
  expect(left.warnings.map(({ message }) => message)).toEqual([
    'Left out: `{pod-name}` stands for something real.',
  ]);
});

test('a page becomes a plan', () => {
  const { plan, warnings } = accepted(page);
  expect(warnings).toEqual([]);
  expect(Plan.safeParse(plan).success).toBe(true);
  expect(plan).toEqual({
    goal: 'Deploy the site',
    mode: 'agentic',
    shell: 'bash',
    inputs: [{ name: 'env' }, { name: 'token', secret: true }],
    revision: 0,
    steps: [
      {
        id: 'install',
        title: 'Install: npm ci',
        action: { kind: 'run-script', script: 'npm ci\nnpm run build' },
        why: 'You need Node and npm, see the guide.',
        source: { file, line: 18, endLine: 21 },
      },
      {
        id: 'serve',
        title: 'Install: Start serve',
        action: { kind: 'start', name: 'serve', command: 'npx serve -l 8080', keep: false },
        expects: 'port 8080 open',
        why: 'Then look at it:',
        source: { file, line: 26, endLine: 28 },
        timeoutMs: 30_000,
      },
      {
        id: 's3',
        title: 'Check: mkdir -p out',
        action: { kind: 'run-command', command: 'mkdir -p out' },
        after: ['install', 'serve'],
        why: 'First ask it:',
        source: { file, line: 36, endLine: 36 },
      },
      {
        id: 's4',
        title: 'Check: curl -s localhost:8080 \\',
        action: { kind: 'run-script', script: 'curl -s localhost:8080 \\\n    > out/page' },
        source: { file, line: 37, endLine: 38 },
      },
      {
        id: 's5',
        title: 'Check: cat <<EOF > out/note',
        action: { kind: 'run-script', script: 'cat <<EOF > out/note\nseveral lines\nEOF' },
        source: { file, line: 40, endLine: 42 },
      },
      {
        id: 's6',
        title: 'Check: echo ok',
        action: { kind: 'run-command', command: 'echo ok' },
        expects: 'stdout contains ok',
        undo: { kind: 'delete-path', path: 'out' },
        source: { file, line: 43, endLine: 43 },
      },
      {
        id: 's8',
        title: 'Danger: echo last',
        action: { kind: 'run-script', script: 'echo last' },
        source: { file, line: 59, endLine: 61 },
      },
    ],
  });
});

describe('picking by heading', () => {
  const { runbook } = accepted(page);
  const picked = (text: string) => {
    const result = selectByHeading(runbook, text);
    return result.ok ? result.plan.steps.map((step) => step.id) : result.problem.mend;
  };
  test.each([
    ['Install', ['install', 'serve']],
    ['install', ['install', 'serve']],
    ['Check', ['s3', 's4', 's5', 's6', 's8']],
    ['Danger', ['wipe', 's8']],
    ['wipe', ['wipe']],
    ['serve', ['serve']],
    ['Dang', ['wipe', 's8']],
    ['The site', ['install', 'serve', 's3', 's4', 's5', 's6', 's8']],
    ['Instal1', 'Did you mean "Install"?'],
    ['Nothing like it', 'There are: "The site", "Install", "Check", "Danger", "install", "serve", "wipe".'],
  ])('%s', (text, expected) => {
    expect(picked(text)).toEqual(expected);
  });

  test('what is not picked is taken as done', () => {
    const result = selectByHeading(runbook, 'Check');
    expect(result.ok && result.plan.steps[0]!.after).toBeUndefined();
    expect(result.ok && result.plan.goal).toBe('Deploy the site');
  });
});

describe('sessions', () => {
  test.each([
    ['$ ls\na  b\n$ pwd\n/w', ['ls', 'pwd']],
    ['# a comment\n$ ls', ['ls']],
    ['$ for i in 1 2; do\n>   echo $i\n> done\n1\n2\n$ ls', ['for i in 1 2; do\n  echo $i\ndone', 'ls']],
    ["$ echo 'a\nb'\na\nb", ["echo 'a\nb'"]],
    ["$ echo it's broken\nout\n$ ls", ['ls']],
    ['$ ls |\n> wc\n 3', ['ls |\nwc']],
    ['$\n$ ls', ['ls']],
    ['me@host:~/x$ ls', ['ls']],
    ['# cat notes\ntouch PWNED\n# ls', ['cat notes', 'ls']],
    ['root@host:~# id\nuid=0', ['id']],
    ['% ls\nout', ['ls']],
  ])('%j', (text, expected) => {
    const made = actions(`\`\`\`console\n${text}\n\`\`\``).map((action) =>
      'command' in action ? action.command : 'script' in action ? action.script : '',
    );
    expect(made).toEqual(expected);
  });

  test.each([
    ['> npm run examples\nstarted', ['npm run examples']],
    ['# in one window\n> make\n> make test', ['make', 'make test']],
    ['> out.log\necho a >> out.log', ['> out.log\necho a >> out.log']],
    ['> empty\nls', ['> empty\nls']],
    ['> "$LOG" < in', ['> "$LOG" < in']],
    ['cat a\n> b', ['cat a\n> b']],
  ])('an arrow before what is typed: %j', (text, expected) => {
    const made = actions(`\`\`\`bash\n${text}\n\`\`\``).map((action) =>
      'command' in action ? action.command : 'script' in action ? action.script : '',
    );
    expect(made).toEqual(expected);
  });

  test('a script without prompts stays whole, also where it has dollars', () => {
    expect(actions('```sh\necho $ x\n$CMD y\n```')).toEqual([
      { kind: 'run-script', script: 'echo $ x\n$CMD y' },
    ]);
  });

  test('a session in the background is one service of what was typed', () => {
    expect(actions('# My Site!\n```sh {"background":true}\n$ cd site\nout\n$ serve\n```')).toEqual([
      { kind: 'start', name: 'my-site', command: 'cd site\nserve', keep: false },
    ]);
  });
});

describe('details', () => {
  test('the goal is the front matter, the first heading, or the file', () => {
    expect(accepted('---\ngoal: G\n---\n# H\n```sh\nls\n```').plan.goal).toBe('G');
    expect(accepted('# **H**\n```sh\nls\n```').plan.goal).toBe('H');
    expect(accepted('```sh\nls\n```').plan.goal).toBe('Run README.md');
  });

  test.each([
    ['# [![htop logo](http://x/y.png)](https://htop.dev)', 'htop'],
    ['# Node Version Manager [![Tests][3]][1] [![nvm version][4]][2]', 'Node Version Manager'],
    ['# [Koa][site] for you', 'Koa for you'],
    ['<h1 align="center">\n  <img alt="Bun" src="x"> <br>\n  The runner\n</h1>', 'The runner'],
    ['<h1><img src="x" alt="Thing logo"/></h1>', 'Thing'],
    ['# The <id> of a <b>run</b>', 'The <id> of a run'],
    ['## Table of Contents\n\n- a\n\n## A tool', 'A tool'],
  ])('the goal of a page that begins with %j', (text, goal) => {
    expect(accepted(`${text}\n\n\`\`\`sh\nls\n\`\`\``).plan.goal).toBe(goal);
  });

  test('why is one line, however the prose was wrapped', () => {
    const { plan } = accepted('It is in the\nregistry.\n\nSo take\tit:\n\n```sh\nls\n```');
    expect(plan.steps[0]!.why).toBe('It is in the registry. So take it:');
  });

  test('a heading with one block is its title', () => {
    expect(
      accepted('# A\n## B\n```sh\nls\n```\n## C\n```sh\npwd\n```').plan.steps.map((step) => step.title),
    ).toEqual(['B', 'C']);
  });

  test('names that are taken get a number, services too', () => {
    const text =
      '```sh {name=x background=true}\na\n```\n```sh {name=x background=true}\nb\n```\n```sh {name="not an id"}\nc\n```';
    const { plan } = accepted(text);
    expect(plan.steps.map((step) => step.id)).toEqual(['x', 'x-2', 's3']);
    expect(plan.steps.map((step) => 'name' in step.action && step.action.name)).toEqual(['x', 'x-2', false]);
  });

  test('a heading can be named in after, and means all its steps', () => {
    const { plan } = accepted(
      '# A\n```sh\na\n```\n```sh\nb\n```\n# B\n<!-- planwright: after="A" -->\n```sh\nc\n```',
    );
    expect(plan.steps[2]!.after).toEqual(['s1', 's2']);
  });

  test('interactive, from either place', () => {
    const { plan } = accepted(
      '```sh {"interactive":"true"}\na\n```\n<!-- planwright: interactive -->\n```sh\nb\n```\n```sh\nc\n```',
    );
    expect(plan.steps.map((step) => step.interactive)).toEqual([true, true, undefined]);
  });

  test('words of other tools in a fence say nothing', () => {
    expect(accepted('```sh title="x" {1,3}\nls\n```').plan.steps).toHaveLength(1);
    expect(accepted('```sh{ name=x }\nls\n```').plan.steps[0]!.id).toBe('x');
  });

  test('a PowerShell page has PowerShell blocks', async () => {
    const { plan } = accepted('---\nshell: pwsh\n---\n```sh\nls -la\n```\n```powershell\nGet-ChildItem\n```');
    expect(plan).toMatchObject({ shell: 'pwsh', steps: [{ action: { script: 'Get-ChildItem' } }] });
    expect(await validatePlan(plan)).toEqual([]);
  });

  test('Windows line ends', () => {
    expect(actions('# A\r\n\r\n```sh\r\n$ ls\r\n$ pwd\r\n```\r\n')).toEqual([
      { kind: 'run-command', command: 'ls' },
      { kind: 'run-command', command: 'pwd' },
    ]);
    expect(actions('# A\r\n\r\n```sh\r\nmkdir foo\r\ncd foo\r\n```\r\n')).toEqual([
      { kind: 'run-script', script: 'mkdir foo\ncd foo' },
    ]);
  });

  test('a comment gives each step of its block a folder, variables, a time and further attempts', () => {
    const said = `cwd=sub env="CI=1 NAME='two words'" timeout=5 retry="times=2 delay=10s"`;
    const { plan } = accepted(`# A\n<!-- planwright: ${said} -->\n\`\`\`sh\n$ ls\n$ pwd\n\`\`\``);
    const keys = { cwd: 'sub', env: { CI: '1', NAME: 'two words' }, timeoutMs: 5_000 };
    expect(plan.steps).toMatchObject([0, 1].map(() => ({ ...keys, retry: { times: 2, delayMs: 10_000 } })));
  });

  test('a comment that belongs to nothing is a warning', () => {
    const { warnings } = accepted('<!-- planwright: timeout=3s -->\n\n# A\n```sh\nls\n```');
    expect(warnings).toMatchObject([{ code: 'comment-unused', severity: 'warning', source: { line: 1 } }]);
  });

  test.each([
    ['a [b](c "d") `e` **f** *g* __h__', 'a b e f g h'],
    ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
  ])('plain text of %s', (text, expected) => {
    expect(plainText(text)).toBe(expected);
  });
});

describe('each wrong thing is a problem with a line', () => {
  test.each([
    ['', 'empty-file', 1],
    ['# Only words\n', 'no-steps', 1],
    ['```js\nx\n```', 'no-steps', 1],
    ['```sh\n\n```', 'no-steps', 1],
    ['```sh {"excludeFromRunAll":true}\nls\n```', 'no-steps', 1],
    ['---\nmode: wild\n---\n```sh\nls\n```', 'wrong-type', 2],
    ['---\ngoal: [a]\n---\n```sh\nls\n```', 'wrong-type', 2],
    ['---\nshell: fish\n---\n```sh\nls\n```', 'wrong-type', 2],
    ['---\ninputs: 3\n---\n```sh\nls\n```', 'wrong-type', 2],
    ['---\ninputs: [a, a]\n---\n```sh\nls\n```', 'duplicate-input', 2],
    ['---\na: [\n---\n```sh\nls\n```', 'invalid-yaml', 2],
    ['x\n\n```sh {"name":\nls\n```', 'wrong-attributes', 3],
    ['```sh { name=x name=y }\nls\n```', 'wrong-attributes', 1],
    ['```sh { na"me }\nls\n```', 'wrong-attributes', 1],
    ['<!-- planwright: exepcts=x -->\n```sh\nls\n```', 'unknown-key', 1],
    ['<!-- planwright: expects="x -->\n```sh\nls\n```', 'wrong-comment', 1],
    ['<!-- planwright expects=x -->\n```sh\nls\n```', 'wrong-comment', 1],
    ['<!-- planwright: undo=DELETE -->\n```sh\nls\n```', 'wrong-comment', 2],
    ['<!-- planwright: timeout=soon -->\n```sh\nls\n```', 'wrong-comment', 2],
    ['<!-- planwright: env= -->\n```sh\nls\n```', 'wrong-comment', 1],
    ['<!-- planwright: env="a b=" -->\n```sh\nls\n```', 'wrong-comment', 2],
    ['<!-- planwright: retry=0 -->\n```sh\nls\n```', 'wrong-comment', 2],
    ['<!-- planwright: retry="times=2 every=3s" -->\n```sh\nls\n```', 'wrong-comment', 2],
    ['<!-- planwright: after=nobody -->\n```sh\nls\n```', 'unknown-step', 2],
    [`${'> '.repeat(60)}x`, 'too-complex', 1],
    ['x'.repeat(600_000), 'file-too-large', 1],
  ])('%j', (text, code, line) => {
    const problems = refused(text);
    const found = problems.find((problem) => problem.code === code);
    expect(found, JSON.stringify(problems)).toMatchObject({ severity: 'error', source: { file, line } });
    expect(found!.mend).not.toBe('');
  });

  test('a binary file', () => {
    expect(refused(new Uint8Array([1, 0, 255]))[0]).toMatchObject({ code: 'not-text' });
  });
});

test('no page makes it throw', () => {
  const piece = fc.constantFrom(
    ...[
      '# a\n',
      '\n',
      '```sh\n',
      '```\n',
      '```sh {',
      '}',
      '"name":"x"',
      'name=x',
      '<!-- planwright: ',
      'after=1 ',
      'expects="',
      '"',
      '-->\n',
    ],
    ...[
      '$ ls\n',
      '> x\n',
      '---\n',
      'goal: x\n',
      '- ',
      '1. ',
      '   ',
      'ls\n',
      '\t',
      '\\',
      '<',
      '[',
      '](',
      '*',
      '~~~\n',
      '\r\n',
      "'",
      'EOF\n',
      '<<EOF\n',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const result = parseRunbook(pieces.join(''), { file });
      if (result.ok) expect(Plan.safeParse(result.plan).success, JSON.stringify(pieces)).toBe(true);
      else for (const problem of result.problems) expect(problem.source?.line).toBeGreaterThan(0);
    }),
    { numRuns: 1_000, seed: 13 },
  );
});
