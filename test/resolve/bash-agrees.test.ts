import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'unbash';
import { expect, it } from 'vitest';
import { expandWord } from '../../src/world/actions/resolve/expand-word.ts';
import { createGlobber } from '../../src/world/actions/resolve/glob.ts';
import { createRealPaths } from '../../src/world/actions/resolve/real-paths.ts';
import { startState } from '../../src/world/actions/resolve/shell-state.ts';
import { makeWorld } from './place.ts';

/** Pieces that words are made of; all that bash is given is printed, and nothing in them runs anything. */
const pieces = [
  ...['a', 'b', '.', '/', '*', '?', '[ab]', '[!a]', '[a-c]', 'sub/', 'link/', '../', '~', '~/', 'é', '-'],
  ...['$A', '${A}', '"$A"', '$B', '"$B"', '$EMPTY', '"$EMPTY"', '$NONE', '$GLOB', '"$GLOB"', '$HOME', '$PWD'],
  ...[
    "'*'",
    '"?"',
    '\\*',
    '\\ ',
    "'a b'",
    '{a,b}',
    '{1..3}',
    '{x',
    '}',
    ',',
    "$'\\t'",
    '${A:-z}',
    '${NONE:-y}',
  ],
  ...['${A:+p}', '[[:alpha:]]', '=', ':', '!', '^'],
];

it('words are what bash makes of them, wherever we say that we know', () => {
  const world = makeWorld();
  world.files('a', 'b', 'ab', 'a b', 'é', '.dot', 'sub/a', 'sub/.dot', 'sub/c d', '-x', '*', 'x{a');
  mkdirSync(join(world.workspace, 'sub/deep'));
  symlinkSync('sub', join(world.workspace, 'link'));
  symlinkSync('gone', join(world.workspace, 'dangling'));
  const env = { A: 'a', B: ' a  b ', EMPTY: '', GLOB: '*/a [ab]', HOME: world.home };
  const words = fc.sample(
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
    { numRuns: 3000, seed: 20_261_115 },
  );
  const known = words.flatMap((text) => {
    const script = parse(`x ${text}`);
    const command = script.commands[0]?.command;
    const word = command?.type === 'Command' && command.args.length === 1 ? command.args[0] : undefined;
    if (script.errors?.length || script.commands.length !== 1 || word?.type !== 'Word') return [];
    if (word.text !== text) return [];
    const real = createRealPaths();
    const fields = expandWord(word, {
      state: startState(world.workspace),
      environment: new Map(Object.entries(env)),
      home: world.home,
      globber: createGlobber(real),
    });
    return fields ? [{ text, fields: fields.map(({ value }) => value) }] : [];
  });
  expect(known.length).toBeGreaterThan(1500);
  const script = known.map(({ text }) => `printf '%s\\0' ${text} ''; printf '\\1'`).join('\n');
  const run = spawnSync('bash', ['--norc', '--noprofile'], {
    input: script,
    cwd: world.workspace,
    env: { ...env, PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', PWD: world.workspace },
    encoding: 'utf8',
  });
  const answers = run.stdout.split('\x01');
  for (const [index, { text, fields }] of known.entries()) {
    const made = (answers[index] ?? '').split('\0').slice(0, -2);
    expect({ text, fields: [...fields].sort() }).toEqual({ text, fields: made.sort() });
  }
});
