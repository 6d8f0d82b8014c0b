import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectLinear } from '../../../../test/support/growth.ts';
import type { Expectation } from '../../contract/index.ts';
import { EXPECTS_FORMS, nearMissOfExpects, parseExpects } from './parse.ts';

test.each<[string, Expectation]>([
  ['exit 0', { kind: 'exit', code: 0 }],
  ['exits with code 2', { kind: 'exit', code: 2 }],
  ['file exists out/a.txt', { kind: 'file-exists', path: 'out/a.txt', exists: true }],
  ['file exists "my file"', { kind: 'file-exists', path: 'my file', exists: true }],
  ['file out/a.txt exists', { kind: 'file-exists', path: 'out/a.txt', exists: true }],
  ['file missing a', { kind: 'file-exists', path: 'a', exists: false }],
  ['file a does not exist', { kind: 'file-exists', path: 'a', exists: false }],
  ['no file a', { kind: 'file-exists', path: 'a', exists: false }],
  ['dir exists out', { kind: 'dir-exists', path: 'out', exists: true }],
  ['folder out exists', { kind: 'dir-exists', path: 'out', exists: true }],
  ['directory missing out', { kind: 'dir-exists', path: 'out', exists: false }],
  ['file a.txt contains hello there', { kind: 'file-contains', path: 'a.txt', text: 'hello there' }],
  ['stdout contains v24', { kind: 'output-contains', stream: 'stdout', text: 'v24', contains: true }],
  ['Output contains "v 24"', { kind: 'output-contains', stream: 'output', text: 'v 24', contains: true }],
  [
    'stderr does not contain error',
    { kind: 'output-contains', stream: 'stderr', text: 'error', contains: false },
  ],
  ['stdout lacks error', { kind: 'output-contains', stream: 'stdout', text: 'error', contains: false }],
  ['stdout matches /^v\\d+/', { kind: 'output-matches', stream: 'stdout', pattern: '^v\\d+' }],
  ['port 8080 open', { kind: 'port', port: 8080, open: true }],
  ['port 8080 is closed', { kind: 'port', port: 8080, open: false }],
  ['url http://localhost:8080/ answers 200', { kind: 'url', url: 'http://localhost:8080/', status: 200 }],
  [
    'url http://localhost:8080/ answers 200 containing hello',
    { kind: 'url', url: 'http://localhost:8080/', status: 200, contains: 'hello' },
  ],
  ['command exists git', { kind: 'command-exists', command: 'git' }],
  ['command git exists', { kind: 'command-exists', command: 'git' }],
])('%s is checkable', (text, expected) => {
  expect(parseExpects(text)).toEqual(expected);
  expect(nearMissOfExpects(text)).toBeNull();
});

describe('what is nearly a form is told so', () => {
  test.each([
    ['port abc open', 'port 8080 open'],
    ['port 99999 open', 'port 8080 open'],
    ['port 8080 listening', 'port 8080 open'],
    ['exit code abc', 'exit 0'],
    ['exit 999', 'exit 0'],
    ['stdout contain x', 'stdout contains TEXT'],
    ['stdout matches /(/', 'stdout matches /PATTERN/'],
    ['url localhost answers 200', 'url http://localhost:8080/ answers 200'],
    ['http://localhost/ answers 200', 'url http://localhost:8080/ answers 200'],
    ['file exist a.txt', 'file exists PATH'],
    ['stdout contains ""', 'stdout contains TEXT'],
  ])('%s', (text, usage) => {
    expect(parseExpects(text)).toBeNull();
    expect(nearMissOfExpects(text)).toBe(usage);
  });
});

test.each(['all tests pass', 'The files are listed', 'output is sorted', 'a line\nand another', ''])(
  'free text stays free text: %j',
  (text) => {
    expect(parseExpects(text)).toBeNull();
    expect(nearMissOfExpects(text)).toBeNull();
  },
);

test('no text makes it throw or wait', async () => {
  fc.assert(
    fc.property(fc.constantFrom(...EXPECTS_FORMS.map((form) => form.usage)), fc.string(), (usage, text) => {
      parseExpects(usage + text);
      nearMissOfExpects(text + usage);
    }),
    { numRuns: 1_000, seed: 5 },
  );
  for (const [start, unit, end] of [
    ['', 'file ', ''],
    ['', 'exit ', ''],
    ['file "', '\\', ' x'],
    ['file "', 'a', ''],
  ] as const)
    await expectLinear(4_000, (count) => parseExpects(start + unit.repeat(count) + end));
});
