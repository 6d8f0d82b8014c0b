import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bundled } from '../../support/program.ts';
import { openPane } from '../../view/tmux.ts';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-terminal-')));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const start = (command: string) => {
  const driver = `${process.execPath} ${bundled(import.meta.dirname, 'driver.ts')}`;
  const pane = openPane(160, 24, { COMMAND: command }, `${driver} "$COMMAND" ${workspace}`);
  const result = async () => {
    const screen = await pane.until(/^RESULT \{.*\}$/m);
    return JSON.parse(/^RESULT (.*)$/m.exec(screen)![1]!) as Record<string, unknown>;
  };
  return { pane, result };
};

test('an interactive step has the terminal: it asks, and hears what is typed', async () => {
  const { pane, result } = start(
    'test -t 0 && test -t 1 && read -rp "Which one? " x && echo "it is $x"; cd /usr',
  );
  try {
    await pane.until(/Which one\?/);
    pane.send('blue', 'Enter');
    const shown = ['taken', 'given'];
    expect(await result()).toEqual({ exitCode: 0, signal: null, stdoutTail: '', cwd: '/usr', shown });
    expect(pane.everything()).toContain('it is blue');
  } finally {
    pane.close();
  }
});

test('the key that interrupts reaches the step, not the run', async () => {
  const { pane, result } = start('echo waiting; sleep 60');
  try {
    await pane.until(/^waiting$/m);
    pane.send('C-c');
    expect(await result()).toMatchObject({ exitCode: null, signal: 'SIGINT', why: 'signal' });
    expect(pane.everything()).not.toContain('INTERRUPTED');
  } finally {
    pane.close();
  }
});

test('a program that handles the key by itself goes on', async () => {
  const { pane, result } = start(
    'trap "echo caught" INT; echo waiting; until read -t 0.1 x; do :; done; echo "$x"',
  );
  try {
    await pane.until(/^waiting$/m);
    pane.send('C-c');
    await pane.until(/caught/);
    pane.send('on', 'Enter');
    expect(await result()).toMatchObject({ exitCode: 0 });
    expect(pane.everything()).not.toContain('INTERRUPTED');
  } finally {
    pane.close();
  }
});
