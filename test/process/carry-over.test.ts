import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Session } from '../../src/core/contract/index.ts';
import { memoryOutput, perform, stepOf, testPerformer } from '../../src/world/actions/testing.ts';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-carry-')));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

/** Performs one command after the other, each where the one before left off; returns what the last one wrote. */
async function inTurn(...commands: string[]): Promise<string> {
  const output = memoryOutput();
  const performer = testPerformer({ output });
  let session: Session = { cwd: workspace, env: {} };
  for (const [at, command] of commands.entries()) {
    const result = await perform({ performer, step: stepOf(command, { id: `s${at}` }), session, workspace });
    expect(result.why).toBeUndefined();
    // As the journal keeps it.
    session = JSON.parse(JSON.stringify(result.session ?? session)) as Session;
  }
  return output.text(`s${commands.length - 1}#0`);
}

describe('as in a person’s shell', () => {
  test('cd, and back', async () => {
    mkdirSync(join(workspace, 'a b'));
    expect(await inTurn("cd 'a b'", 'pwd')).toBe(`${workspace}/a b\n`);
    expect(await inTurn("cd 'a b'", 'cd - >/dev/null', 'pwd')).toBe(`${workspace}\n`);
  });

  test('a directory with a newline and quotes in its name', async () => {
    expect(await inTurn("mkdir $'x\\n\"é\\'' && cd $'x\\n\"é\\''", 'pwd')).toBe(`${workspace}/x\n"é'\n`);
  });

  test('export, change, unset, and set again', async () => {
    expect(await inTurn('export A=1 B=2', 'unset A; export B=3', 'echo "${A-none} $B"')).toBe('none 3\n');
    expect(await inTurn('unset HOME', 'echo ${HOME-none}')).toBe('none\n');
    expect(await inTurn('unset HOME', 'export HOME=/h', 'echo $HOME')).toBe('/h\n');
    expect(await inTurn('A=1', 'echo ${A-none}')).toBe('1\n');
    expect(await inTurn('A=1', 'eval "export B=2 A"=3', 'echo $A $B')).toBe('3 2\n');
  });

  test('source .venv/bin/activate, and deactivate', async () => {
    mkdirSync(join(workspace, '.venv/bin'), { recursive: true });
    writeFileSync(join(workspace, '.venv/bin/tool'), '#!/bin/sh\necho from the environment\n', {
      mode: 0o755,
    });
    writeFileSync(
      join(workspace, '.venv/bin/activate'),
      `_OLD_PATH="$PATH"\nVIRTUAL_ENV=${workspace}/.venv\nexport VIRTUAL_ENV\nPATH="$VIRTUAL_ENV/bin:$PATH"\nexport PATH\nhash -r\n`,
    );
    expect(await inTurn('source .venv/bin/activate', 'cd /', 'tool')).toBe('from the environment\n');
  });

  test('a value that no process can be given does not lock the run out of its shell', async () => {
    expect(await inTurn('export BIG=$(printf %200000s x) A=1', 'echo $A ${BIG-none}')).toBe('1 none\n');
  });

  test('a step that fails to report leaves the session as it was', async () => {
    expect(await inTurn('export A=1; cd /usr', 'export A=2; cd /; exec true', 'echo $A; pwd')).toBe(
      '1\n/usr\n',
    );
  });
});

test('any value comes through, however often', async () => {
  const value = fc.string({
    unit: fc.oneof(
      fc.constantFrom('"', "'", '\\', '$', '`', '\n', '\t', ' ', '!', '\x01', '\x7f', '\x1b', '~', '*'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 30,
  });
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 12 }), async (values) => {
      const clean = values.map((text) => text.replaceAll('\0', '').toWellFormed());
      const exports = clean.map((text, at) => `export V${at}=${quoted(text)}`).join('\n');
      const print = `printf '%s\\0' ${clean.map((_, at) => `"$V${at}"`).join(' ')}`;
      expect(await inTurn(exports, 'true', print)).toBe(clean.map((text) => `${text}\0`).join(''));
    }),
    { numRuns: 40 },
  );
});
