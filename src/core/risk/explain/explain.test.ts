import fc from 'fast-check';
import { expect, test } from 'vitest';
import { explain, knownCommands } from './index.ts';

const command = (text: string) => explain({ kind: 'run-command', command: text });

test('options are explained one by one, clusters letter by letter', () => {
  const [rm] = command('rm -rf build').commands;
  expect(rm?.does).toContain('Deletes');
  expect(rm?.words).toEqual([
    {
      text: '-rf',
      means: 'folders with all they hold; without asking, and without complaint if absent',
      known: true,
    },
    { text: 'build', means: 'what to delete', known: true },
  ]);
});

test('what stands behind a module or a file that is run is for that one', () => {
  const wordsOf = (text: string) =>
    command(text).commands[0]?.words.map((word) => `${word.text}: ${word.means}`);
  expect(wordsOf('python3 -m http.server 8765 --directory site')).toEqual([
    '-m http.server: this module',
    '8765 --directory site: its arguments',
  ]);
  expect(wordsOf('node app.js -v x')).toEqual(['app.js: the file', '-v x: its arguments']);
  expect(command('id').commands[0]?.known).toBe(true);
});

test('options take their values, and subcommands their own options', () => {
  const [git] = command('git commit -m "a message" --amend').commands;
  expect(git?.does).toBe('Records the marked changes.');
  expect(git?.words.map((word) => word.text)).toEqual(['commit', '-m "a message"', '--amend']);
  expect(git?.words.every((word) => word.known)).toBe(true);
  const [tar] = command('tar -xzf a.tgz -C out').commands;
  expect(tar?.words.map((word) => word.means)).toEqual([
    'unpack; compressed with gzip; the archive',
    'in this folder',
  ]);
});

test('pipelines, conditions and redirections keep their structure', () => {
  const { commands, summary } = command('cat a.log | grep -i error > out.txt 2>&1 && echo ok || exit 1');
  expect(commands.map((found) => [found.name, found.joined])).toEqual([
    ['cat', 'first'],
    ['grep', 'pipe'],
    ['echo', 'and'],
    ['exit', 'or'],
  ]);
  expect(commands[1]?.redirections.map((redirect) => redirect.means)).toEqual([
    'Its output is written to out.txt, in place of what it held.',
    'Its errors go where its output goes.',
  ]);
  expect(summary).toContain('Its output goes to: Prints the lines that match a pattern.');
});

test('what is not known is said to be not known', () => {
  const [made] = command('frobnicate --hard x').commands;
  expect(made).toMatchObject({
    known: false,
    does: 'not known.',
    words: [{ known: false }, { known: false }],
  });
  expect(command('ls --frob').commands[0]?.words[0]).toEqual({
    text: '--frob',
    means: 'not known',
    known: false,
  });
  expect(command('ls "open').summary).toContain('not valid shell');
});

test('file actions and loops are sentences', () => {
  expect(explain({ kind: 'delete-path', path: 'dist' }).summary).toBe('Deletes dist.');
  expect(explain({ kind: 'repeat', times: 3, do: { kind: 'run-command', command: 'ls' } }).summary).toBe(
    '3 times: Lists files.',
  );
  expect(
    explain({ kind: 'for-each', list: 'files', do: { kind: 'copy-path', from: 'a', to: 'b' } }).summary,
  ).toBe('For each of files: Copies a to b.');
});

test('the table is large enough and every entry is a sentence', () => {
  const all = Object.entries(knownCommands);
  expect(all.length).toBeGreaterThanOrEqual(80);
  for (const [name, info] of all) expect(info.does, name).toMatch(/^[A-Z].*\.$/);
});

test('never throws', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => typeof command(text || 'x').summary === 'string'),
    { numRuns: 500, seed: 1 },
  );
});
