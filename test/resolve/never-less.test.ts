import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { atLeast, judgeAction } from '../../src/core/risk/index.ts';
import { howMany } from '../support/scale.ts';
import { makeWorld } from './place.ts';

const tokens = [
  ...[
    'rm',
    'rm -rf',
    'ls',
    'cd',
    'echo',
    'cat',
    'mv',
    'cp -r',
    'find',
    '-delete',
    'chmod -R 755',
    'sudo',
    'env',
  ],
  ...[
    'eval',
    'bash -c',
    'export',
    'read',
    'set -e',
    'exit',
    'true',
    'for i in',
    'do',
    'done',
    'if',
    'then',
    'fi',
  ],
  ...[
    '{',
    '}',
    '(',
    ')',
    '$(',
    '`',
    '"',
    "'",
    '\\',
    ';',
    '&&',
    '||',
    '|',
    '&',
    '\n',
    '>',
    '<',
    '<<E\n',
    'E\n',
    '#',
  ],
  ...[
    '$A',
    '${B}',
    '"$C"',
    '${D:-x}',
    '$((1+1))',
    '*',
    '?',
    '[a-z]',
    '~',
    '~/',
    '/',
    '..',
    '.',
    'src',
    'link',
    'A=',
  ],
  ...['\u0000', 'é', '[[', ']]', 'case', 'esac', 'f()', '<(', '${', '=', '/dev/stdout', '!', 'link/..', '-P'],
];

it('never throws, and is never less worried than about the text alone', async () => {
  const world = makeWorld({ A: 'src', B: '/', C: '* x', D: '' });
  world.files('src/a', 'b c');
  symlinkSync('src', join(world.workspace, 'link'));
  symlinkSync('knot', join(world.workspace, 'knot'));
  const { workspace, home, storeDir } = world.place;
  const context = { cwd: workspace, workspace, home, storeDir, shell: 'bash' } as const;
  const text = fc
    .array(fc.tuple(fc.constantFrom(...tokens), fc.constantFrom('', ' ', ' ')), {
      minLength: 1,
      maxLength: 14,
    })
    .map((parts) => parts.map((part) => part.join('')).join(''));
  await fc.assert(
    fc.asyncProperty(text, async (command) => {
      const written = judgeAction({ kind: 'run-command', command }, context);
      const verdict = await world.judge(command, { limits: { entries: 200, listed: 50 } });
      expect(verdict.reasons.map(({ rule }) => rule)).not.toContain('not-resolved');
      expect(atLeast(verdict.level, written.level)).toBe(true);
      expect(verdict.paths).toEqual([...verdict.paths].sort());
      for (const { span } of verdict.reasons)
        if (span) expect(0 <= span[0] && span[0] <= span[1] && span[1] <= command.length).toBe(true);
    }),
    { numRuns: howMany(3000, 800) },
  );
});
