import { describe, expect, test } from 'vitest';
import { shellText } from '../../contract/index.ts';
import { parseRunbook } from './parse.ts';
import { selectByHeading } from './select.ts';

function read(text: string, terminal = false) {
  const result = parseRunbook(text, { file: 'P.md', terminal });
  const problems = result.ok ? result.warnings : result.problems;
  return {
    result,
    runs: result.ok ? result.plan.steps.map((step) => shellText(step.action)) : [],
    left: problems.flatMap(({ code, message }) => (code === 'left-out' ? [message] : [])),
  };
}
const page = (lead: string, block: string, lang = 'sh') =>
  `# P\n\n\`\`\`sh\nls\n\`\`\`\n\n${lead}\n\n\`\`\`${lang}\n${block}\n\`\`\`\n`;

describe('output is left out', () => {
  test.each([
    ['You should see:', 'done'],
    ['If you get an error like this…', 'curl -o- x | bash\n  % Total    % Received'],
    [
      '',
      'Starting up the thing, serving ./ through https\n\nthing settings:\nCORS: disabled\nHit CTRL-C to stop',
    ],
    ['', '✔ Ping\n✖ Verify\n\nnpm ERR! code E403'],
    ['', 'alias    deactivate    install\ncache    exec          ls'],
    ['', 'v10.22.0       v12.18.3      v14.8.0'],
  ])('%j %j', (lead, block) => {
    expect(read(page(lead, block))).toMatchObject({ runs: ['ls'], left: ['Left out: it is output.'] });
  });

  test.each([
    ['', 'node app.js\nListening on port 3000', 'node app.js'],
    ['', 'make\ncat <<E\nName: x\nE\n./run: it', 'make\ncat <<E\nName: x\nE\n./run: it'],
    ['', 'echo "\nName: x"\nls', 'echo "\nName: x"\nls'],
    ['To see the following output, run:', 'build', 'build'],
    ['', 'printf a\nThe end of it\nls', 'printf a\nThe end of it\nls'],
  ])('of %j %j runs %j', (lead, block, expected) => {
    expect(read(page(lead, block)).runs).toEqual(['ls', expected]);
  });
});

describe('the contents of a file are left out', () => {
  test.each([
    ['Put the following at the end of your `$HOME/.bashrc`:', 'f() {\n  ls\n}'],
    ['Edit `~/.bashrc` (or another) and remove the lines below:', 'export A=1'],
    ['Inside `~/.npmrc`:', "prefix='some/path'"],
    ['Now add these lines to your `~/.profile` file. (More than one may be needed.)', 'export A=1'],
    ['', '# $DIR/default-packages\n\nrimraf\nleft-pad@1'],
    ['', '# ~/.config/x.sh\nexport A=1'],
  ])('%j %j', (lead, block) => {
    expect(read(page(lead, block)).left).toEqual(['Left out: it is the contents of a file.']);
  });

  test.each([
    ['To add it to your config file, run:', 'tool config'],
    ['Add your user to the group:', 'adduser me'],
    ['', '# build/all\nmake'],
    ['Then add the commands to `~/.profile`:', "echo 'export A=1' >> ~/.profile\n\necho b >> ~/.profile"],
  ])('%j %j is run', (lead, block) => {
    expect(read(page(lead, block)).left).toEqual([]);
  });
});

test.each([
  ['engage warp nine', 'console', 'it has no prompt, and what is typed cannot be told from what is printed'],
  ["echo it's", 'sh', 'it is not valid shell'],
  ['np <version>', 'sh', 'it is not valid shell'],
  ['autoload -U hook\nhook', 'zsh', 'it is for zsh'],
  ['$PREFIX\n${OTHER}', 'sh', 'it is a list of names'],
  ["--map='*.conf:INI'", 'sh', 'it is options without a command'],
  ['# Show numbers\n--style="numbers"\n\n--map "*.ino:C"', 'sh', 'it is options without a command'],
  ['curl -H "authorization: secret" /users/7', 'sh', '`/users/7` stands for something real'],
  ['git config http.proxy proxy-url', 'sh', '`proxy-url` stands for something real'],
  ['cp /path/to/x .', 'sh', '`/path/to/x` stands for something real'],
  ['D="C:/path/to/x/y"', 'sh', '`C:/path/to/x/y` stands for something real'],
  ['run --in="/path/to/x"', 'sh', '`/path/to/x` stands for something real'],
  ['bats test/<file>.bats', 'sh', '`<file>` stands for something real'],
  ['ssh v0@{my address}', 'sh', '`{my address}` stands for something real'],
  ['set -x NAME value', 'fish', 'it is for fish'],
  ['tool init fish | source', 'fish', 'it is for fish'],
  ['[sudo] make install', 'sh', '`[sudo]` stands for something real'],
  ['git checkout v1.0 # Where 1.0 is yours', 'sh', '`# Where 1.0 is yours` stands for something real'],
  ['nano notes.txt', 'sh', '`nano` opens an editor, and no terminal is there'],
  ['git config --global --edit', 'sh', '`git config --edit` opens an editor, and no terminal is there'],
])('%j in %s is left out: %s', (block, lang, why) => {
  expect(read(page('', block, lang))).toMatchObject({ runs: ['ls'], left: [`Left out: ${why}.`] });
  expect(read(page('<!-- planwright: run interactive=false -->', block, lang)).left).toEqual([]);
});

test('what stands for something real in a remark is for readers', () => {
  const text = 'gem env home\n# => ~/versions/<version>/lib ...';
  expect(read(page('', text)).runs).toEqual(['ls', text]);
});

test.each([
  'curl -o /tmp/x https://a.example/y',
  'curl localhost/users',
  'wget -O /tmp/x a.example/y',
  'curl 127.0.0.1:80/',
])('%s names its server', (block) => {
  expect(read(page('', block)).runs).toEqual(['ls', block]);
});

test('a block of fish that bash reads alike is run', () => {
  expect(read(page('', '$ mkdir a && cd a\n$ pwd', 'fish')).runs).toEqual(['ls', 'mkdir a && cd a', 'pwd']);
});

test('of a session only the command is left out', () => {
  const { runs, left } = read(page('', '$ mkdir a\n$ cd <folder>\n$ pwd'));
  expect(runs).toEqual(['ls', 'mkdir a', 'pwd']);
  expect(left).toHaveLength(1);
});

test.each([
  ['❯ fd | tree\n.\n├── a', ['fd | tree']],
  ['➜ make\n➜ ls', ['make', 'ls']],
  ["echo '#' | \\\n> clang -E - | \\\n> grep x", ["echo '#' | \\\nclang -E - | \\\ngrep x"]],
  ['make \\\n> out', ['make \\\n> out']],
])('copied from a terminal: %j', (block, expected) => {
  expect(read(page('', block)).runs).toEqual(['ls', ...expected]);
});

test('prompts further in are printed', () => {
  expect(read(page('', '$ np --help\n\n  Usage\n    $ np major\n$ pwd')).runs).toEqual([
    'ls',
    'np --help',
    'pwd',
  ]);
});

test('a console block whose lines all look typed is commands', () => {
  const block = 'git submodule update --init   # if from git\n./configure --with-x\nmake -j8';
  expect(read(page('', block, 'console')).runs).toEqual(['ls', block]);
});

test('each says how to have it run all the same', () => {
  const mends = (block: string) => {
    const { result } = read(page('', block));
    return result.ok ? result.warnings.map(({ mend }) => mend) : [];
  };
  expect(mends('nano x')).toEqual(['Run the page at a terminal.']);
  expect(mends('$PREFIX')).toEqual([expect.stringContaining('<!-- planwright: run -->')]);
});

test('at a terminal an editor gets it', () => {
  const { result, left } = read(page('', '$ nano notes.txt\n$ ls -l'), true);
  expect(left).toEqual([]);
  expect(result.ok && result.plan.steps.map(({ interactive }) => interactive)).toEqual([
    undefined,
    true,
    undefined,
  ]);
});

test('what is left out keeps nobody from another heading, and is told under its own', () => {
  const { result } = read(
    '# P\n## A\n```sh\nls\n```\n## B\n```console\nengage warp nine\n```\n```sh\npwd\n```\n## C\n```sh\nnano x\n```',
  );
  if (!result.ok) throw new Error('refused');
  const picked = (heading: string) => selectByHeading(result.runbook, heading);
  expect(picked('A')).toMatchObject({ ok: true, warnings: [] });
  expect(picked('B')).toMatchObject({ ok: true, warnings: [{ code: 'left-out' }] });
  expect(picked('C')).toMatchObject({
    ok: false,
    problem: { code: 'no-steps', message: expect.stringContaining('`nano` opens an editor') },
  });
});

describe('blocks without a language', () => {
  test('are commands by their look, where the page has no others', () => {
    const { runs } = read(
      '# P\n\n```\nmkdir build\ncd build\ncmake ..\n```\n\n    % make\n    ok\n\n```\nName: x\n```\n\n```\nint x;\n```',
    );
    expect(runs).toEqual(['mkdir build\ncd build\ncmake ..', 'make']);
  });

  test('are for readers where it has, unless they show a prompt', () => {
    expect(read('# P\n\n```\nmake\n```\n\n```sh\nls\n```').runs).toEqual(['ls']);
    expect(read('# P\n\n```\n$ make\nok\n```\n\n```sh\nls\n```').runs).toEqual(['make', 'ls']);
  });
});

test('a page with nothing to run says what was left out', () => {
  expect(read('# P\n```sh\nnano x\n```')).toMatchObject({
    result: { ok: false, problems: [{ code: 'no-steps' }, { code: 'left-out' }] },
  });
});
