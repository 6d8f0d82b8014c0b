import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aWhile } from '../support/processes.ts';

/** A real terminal for a test: one pane of a private tmux server, gone with `close`. */
export interface Pane {
  send(...keys: string[]): void;
  resize(columns: number, rows: number): void;
  /** What is visible, trailing blanks cut; with `colors`, the escape sequences too. */
  visible(options?: { colors?: boolean }): string;
  /** The scrollback and what is visible. */
  everything(): string;
  cursorVisible(): boolean;
  /** Resolves with the screen once it matches; throws with the screen when it does not in time. */
  until(pattern: RegExp): Promise<string>;
  close(): void;
}

const deadlineMs = 120_000;
const unsaidMs = 1000;
let panes = 0;

export function openPane(columns: number, rows: number, env: Record<string, string>, command: string): Pane {
  panes += 1;
  const socket = `planwright-test-${process.pid}-${panes}`;
  const folder = mkdtempSync(join(tmpdir(), 'planwright-tmux-'));
  const own = { encoding: 'utf8', env: { ...process.env, TMUX_TMPDIR: folder } } as const;
  const tmux = (...args: string[]) => execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], own);
  const size = ['-x', String(columns), '-y', String(rows)];
  const variables = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  tmux(
    '-u',
    'new-session',
    '-d',
    ...size,
    ...variables,
    'env -u FORCE_COLOR PS1="$ " bash --noprofile --norc',
  );
  // What is written to the terminal is copied here when the screen has it: to see that there is something new costs nothing.
  const written = join(folder, 'written');
  tmux('pipe-pane', `cat > '${written}'`, ';', 'send-keys', ` ${command}`, 'Enter');
  const amount = () => statSync(written, { throwIfNoEntry: false })?.size ?? 0;
  const capture = (...args: string[]) =>
    tmux('capture-pane', '-p', ...args)
      .replaceAll(/ +$/gm, '')
      .trimEnd();
  const pane: Pane = {
    send: (...keys) => void tmux('send-keys', ...keys),
    resize: (x, y) => void tmux('resize-window', '-x', String(x), '-y', String(y)),
    visible: ({ colors = false } = {}) => capture(...(colors ? ['-e'] : [])),
    everything: () => capture('-S', '-'),
    cursorVisible: () => tmux('display-message', '-p', '#{cursor_flag}').trim() === '1',
    async until(pattern) {
      const begin = Date.now();
      for (;;) {
        const [looked, seen] = [Date.now(), amount()];
        const screen = pane.visible();
        if (pattern.test(screen)) return screen;
        if (looked - begin > deadlineMs) throw new Error(`${pattern} did not appear:\n${pane.everything()}`);
        // Another size changes what is visible without a word.
        do await aWhile(Date.now() - begin);
        while (amount() === seen && Date.now() - looked < unsaidMs);
      }
    },
    close() {
      tmux('kill-server');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return pane;
}
