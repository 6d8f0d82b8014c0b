import { expect, test } from 'vitest';
import { expectLinear } from '../../../../test/support/growth.ts';
import { howMany } from '../../../../test/support/scale.ts';
import { Action } from '../../contract/index.ts';
import { parseAction } from './parse.ts';
import { printAction } from './print.ts';
import { renderActionError } from './render-error.ts';
import { KEYWORDS } from './usage.ts';

/** A small seeded generator: the same lines in every run. */
function randomSource(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PIECES = [
  ...KEYWORDS,
  ...[
    'DO',
    'AS',
    'KEEP',
    ' ',
    ' ',
    ' ',
    '\t',
    '"',
    '"',
    '\\',
    '\\n',
    '\\u00e9',
    '\\u12',
    '\\x',
    '{',
    '}',
    '{"a":',
    '[',
    ']',
    ':',
    ',',
    '1',
  ],
  ...[
    '3',
    '10001',
    '-1',
    '99999999999999999999',
    'a',
    'key',
    'a-b',
    '{item}',
    '{index:03d}',
    'src/**/*.ts',
    '..',
    '/',
    '#',
    "'",
    '$(x)',
    '`',
  ],
  ...[
    '\n',
    '\r',
    '\0',
    '\u001b[2J',
    'é',
    '😀',
    '\ud800',
    '\u2028',
    '\ufeff',
    'toString',
    '__proto__',
    'constructor',
    'null',
    'true',
    '"k"',
  ],
];

function randomLine(next: (below: number) => number): string {
  const parts: string[] = [];
  if (next(4) > 0) parts.push(KEYWORDS[next(KEYWORDS.length)]!, ' ');
  const count = next(12);
  for (let index = 0; index < count; index++) {
    parts.push(next(10) === 0 ? String.fromCharCode(next(0x10000)) : PIECES[next(PIECES.length)]!);
    if (next(3) === 0) parts.push(' ');
  }
  return parts.join('');
}

const LINES = howMany(50_000, 10_000);

test(`${LINES} random lines never throw, never hang, and every error has a position`, () => {
  const next = randomSource(20_240_607);
  let accepted = 0;
  for (let round = 0; round < LINES; round++) {
    const line = randomLine(next);
    const result = parseAction(line);
    if (result.ok) {
      accepted++;
      const back = parseAction(printAction(result.action));
      if (!back.ok || JSON.stringify(back.action) !== JSON.stringify(result.action))
        throw new Error(`no round trip: ${JSON.stringify(line)}`);
      if (accepted % 20 === 0) expect(Action.safeParse(result.action).success, line).toBe(true);
    } else {
      const { position, message, mend } = result.error;
      const fine =
        Number.isInteger(position) &&
        position >= 0 &&
        position <= line.length &&
        message !== '' &&
        mend !== '';
      if (!fine) throw new Error(`a bad error for ${JSON.stringify(line)}: ${JSON.stringify(result.error)}`);
      if (round % 20 === 0) expect(renderActionError(line, result.error).split('\n')).toHaveLength(3);
    }
  }
  expect(accepted).toBeGreaterThan(LINES / 10);
});

test.each([
  ['RUN_COMMAND ', 'x', ''],
  ['WRITE_FILE a "', 'x', '"'],
  ['WRITE_FILE a "', '\\n', '"'],
  ['', 'x', ''],
  ['WRITE_FILE a "', 'x', ''],
  ['CALL_TOOL x {"a":"', 'x', '"}'],
  ['CREATE_DIR ', ' ', ''],
  ['CALL_TOOL x ', '[', ''],
])('a very long line is read in time that grows with its length: %s%j%s', async (start, unit, end) => {
  await expectLinear(2_000_000 / unit.length, (count) => parseAction(start + unit.repeat(count) + end));
});
