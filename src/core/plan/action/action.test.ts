import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { action } from '../../../../test/plan/arbitraries.ts';
import { Action, describeAction } from '../../contract/index.ts';
import { parseAction } from './parse.ts';
import { printAction } from './print.ts';
import { renderActionError } from './render-error.ts';
import { actionUsages, KEYWORDS } from './usage.ts';

const parsed = (line: string) => {
  const result = parseAction(line);
  if (!result.ok) throw new Error(renderActionError(line, result.error));
  return result.action;
};
const refused = (line: string) => {
  const result = parseAction(line);
  if (result.ok) throw new Error(`accepted: ${line}`);
  return result.error;
};

describe('every action of the language is read', () => {
  test.each<[string, Action]>([
    ['RUN_COMMAND npm test', { kind: 'run-command', command: 'npm test' }],
    ['RUN_COMMAND "npm test"', { kind: 'run-command', command: 'npm test' }],
    ['RUN_COMMAND "my tool" --fast', { kind: 'run-command', command: '"my tool" --fast' }],
    ['RUN_COMMAND echo "a"', { kind: 'run-command', command: 'echo "a"' }],
    [
      'RUN_SCRIPT "set -e\\nfor f in *.log; do gzip \\"$f\\"; done"',
      { kind: 'run-script', script: 'set -e\nfor f in *.log; do gzip "$f"; done' },
    ],
    [
      'START site python3 -m http.server 8080',
      { kind: 'start', name: 'site', command: 'python3 -m http.server 8080', keep: false },
    ],
    ['START site KEEP ./serve', { kind: 'start', name: 'site', command: './serve', keep: true }],
    ['STOP site', { kind: 'stop', name: 'site' }],
    [
      'WRITE_FILE src/a.txt "first line\\nsecond line"',
      { kind: 'write-file', path: 'src/a.txt', content: 'first line\nsecond line' },
    ],
    ['WRITE_FILE "my file" ""', { kind: 'write-file', path: 'my file', content: '' }],
    ['APPEND_FILE log.txt "x\\u00e9"', { kind: 'append-file', path: 'log.txt', content: 'xé' }],
    ['EDIT_FILE a.txt "old" "new"', { kind: 'edit-file', path: 'a.txt', old: 'old', new: 'new' }],
    ['CREATE_DIR out/deep', { kind: 'create-dir', path: 'out/deep' }],
    ['COPY_PATH a b', { kind: 'copy-path', from: 'a', to: 'b' }],
    ['MOVE_PATH a "b c"', { kind: 'move-path', from: 'a', to: 'b c' }],
    ['DELETE_PATH out', { kind: 'delete-path', path: 'out' }],
    ['LIST_FILES src/**/*.ts AS sources', { kind: 'list-files', pattern: 'src/**/*.ts', as: 'sources' }],
    ['READ_FILE package.json AS manifest', { kind: 'read-file', path: 'package.json', as: 'manifest' }],
    [
      'FOR_EACH sources DO RUN_COMMAND wc -l {item}',
      { kind: 'for-each', list: 'sources', do: { kind: 'run-command', command: 'wc -l {item}' } },
    ],
    [
      'REPEAT 3 DO WRITE_FILE out/{index:03d}.txt "n"',
      { kind: 'repeat', times: 3, do: { kind: 'write-file', path: 'out/{index:03d}.txt', content: 'n' } },
    ],
    ['CALL_TOOL search {"q": "x"}', { kind: 'call-tool', tool: 'search', args: { q: 'x' } }],
    ['CALL_TOOL ping', { kind: 'call-tool', tool: 'ping', args: {} }],
    ['ASK "Which environment?" AS env', { kind: 'ask', question: 'Which environment?', as: 'env' }],
    ['MANUAL "Tell the on-call channel"', { kind: 'manual', text: 'Tell the on-call channel' }],
    ['MANUAL Tell the on-call channel', { kind: 'manual', text: 'Tell the on-call channel' }],
    ['  \tSTOP\t site  ', { kind: 'stop', name: 'site' }],
  ])('%s', (line, expected) => {
    expect(parsed(line)).toEqual(expected);
  });
});

describe('an error says where, why and what to do', () => {
  test.each([
    ['', 0, 'empty'],
    ['   ', 0, 'empty'],
    ['RUN_COMAND npm test', 0, 'RUN_COMMAND'],
    ['run_command npm test', 0, 'RUN_COMMAND'],
    ['npm test', 0, 'RUN_COMMAND npm test'],
    ['toString x', 0, 'not an action'],
    ['RUN_COMMAND', 11, 'command is missing'],
    ['RUN_COMMAND ""', 12, 'command is missing'],
    ['WRITE_FILE a.txt', 16, 'content must be in double quotes'],
    ['WRITE_FILE a.txt hello', 17, 'content must be in double quotes'],
    ['WRITE_FILE a.txt "hello', 17, 'no closing quote'],
    ['WRITE_FILE a.txt "a\\$b"', 19, 'not an escape'],
    ['WRITE_FILE a.txt "a\\u12"', 19, 'four hexadecimal'],
    ['WRITE_FILE a.txt "a\\', 19, 'backslash'],
    ['WRITE_FILE a.txt "a" b', 21, 'more text'],
    ['WRITE_FILE "" "a"', 11, 'empty'],
    ['WRITE_FILE "a"b "a"', 14, 'space is missing'],
    ['WRITE_FILE a"b "a"', 12, 'quote inside'],
    ['EDIT_FILE a "" "b"', 12, 'empty'],
    ['CREATE_DIR my dir', 14, 'double quotes'],
    ['LIST_FILES src/* sources', 17, '`AS` is missing'],
    ['LIST_FILES src/* AS', 19, 'key is missing'],
    ['LIST_FILES src/* AS 9x', 20, 'not a key'],
    ['START -x run', 6, 'not a service name'],
    ['CALL_TOOL x {"a": }', 18, 'JSON'],
    ['CALL_TOOL x [1]', 12, 'JSON object'],
    ['FOR_EACH', 8, 'key of a list'],
    ['FOR_EACH DO STOP x', 9, 'key of a list'],
    ['FOR_EACH a-b DO STOP x', 9, 'not the key'],
    ['FOR_EACH x STOP y', 11, '`DO` is missing'],
    ['FOR_EACH x DO', 13, 'after `DO`'],
    ['FOR_EACH x DO REPEAT 2 DO STOP y', 14, 'loop inside a loop'],
    ['FOR_EACH x DO RUN_COMAND y', 14, 'RUN_COMMAND'],
    ['REPEAT 0 DO STOP x', 7, '1 to 10000'],
    ['REPEAT 10001 DO STOP x', 7, '1 to 10000'],
    ['REPEAT many DO STOP x', 7, '1 to 10000'],
    ['RUN_COMMAND a\nb', 13, 'line break'],
  ])('%j', (line, position, words) => {
    const error = refused(line);
    expect(error.position).toBe(position);
    expect(`${error.message} ${error.mend}`).toContain(words);
  });

  test('with a caret under the place, also in a long line with control characters', () => {
    const line = 'RUN_COMAND npm test';
    expect(renderActionError(line, refused(line))).toBe(
      'RUN_COMAND npm test\n^\n`RUN_COMAND` is not an action. Did you mean `RUN_COMMAND`?',
    );
    const long = `WRITE_FILE \u001b[2J${'x'.repeat(200)} y`;
    const [shown, caret] = renderActionError(long, refused(long)).split('\n');
    expect(shown).not.toContain('\u001b');
    expect(shown!.length).toBeLessThan(110);
    expect(shown![caret!.length - 1]).toBe('y');
  });
});

describe('round trip', () => {
  test('what is printed is read back as the same action', () => {
    fc.assert(
      fc.property(action, (given) => {
        const line = printAction(given);
        expect(line).not.toMatch(/[\n\r]/);
        expect(parsed(line)).toEqual(given);
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });

  test('what is read prints to a line that is read the same, and printing again changes nothing', () => {
    const word = fc.oneof(
      fc.constantFrom(...KEYWORDS, 'DO', 'AS', 'KEEP', '3', 'key', '"s"'),
      fc.string({ maxLength: 6 }),
    );
    const line = fc
      .tuple(fc.constantFrom(...actionUsages.map(({ usage }) => usage)), fc.array(word))
      .map(([usage, words]) => [usage, ...words].join(' '));
    let accepted = 0;
    fc.assert(
      fc.property(line, (given) => {
        const result = parseAction(given);
        if (!result.ok) return;
        accepted++;
        expect(Action.safeParse(result.action).success).toBe(true);
        const printed = printAction(result.action);
        expect(parsed(printed)).toEqual(result.action);
        expect(printAction(parsed(printed))).toBe(printed);
      }),
      { numRuns: 2_000, seed: 2 },
    );
    expect(accepted).toBeGreaterThan(200);
  });
});

test('a description is one short line', () => {
  fc.assert(
    fc.property(action, (given) => {
      const title = describeAction(given);
      expect(title).not.toMatch(/[\n\r]/);
      expect(title.length).toBeLessThan(220);
    }),
    { numRuns: 300, seed: 3 },
  );
  expect(describeAction({ kind: 'run-script', script: 'set -e\n# c\nmake' })).toBe('Run make');
});
