import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inMemory } from '../../scripts/in-memory.ts';

test('what a command leaves in the temporary folder is gone with it, and it ends as it would without', () => {
  const left = join(tmpdir(), `planwright-left-${process.pid}`);
  const command = ['sh', '-c', 'echo here > "$0" && cat "$0" && exit 3', left];
  const [program = '', ...args] = inMemory(command);
  try {
    const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([3, 'here\n']);
    // Where nobody may mount, the command is what it was.
    expect(existsSync(left)).toBe(program === 'sh');
  } finally {
    rmSync(left, { force: true });
  }
});
