import { emitKeypressEvents } from 'node:readline';
import type { Context } from './context.ts';
import type { Choice } from './view/index.ts';

/** Ctrl-C was pressed, or the question was taken back because somebody else answered it. */
export type NoAnswer = 'interrupted' | 'withdrawn';

/**
 * Waits for one key, after the question has been shown. It stays until it is answered, Ctrl-C is pressed, or
 * the signal aborts; the terminal is given back as it was.
 */
export function askKey<D extends string>(
  { stdin, stderr }: Context,
  choices: readonly Choice<D>[],
  signal: AbortSignal,
): Promise<{ decision: D } | NoAnswer> {
  return new Promise((resolve) => {
    stderr.write(`\n ${choices.map(({ key }) => key).join('/')}: `);
    const done = (answer: { decision: D } | NoAnswer, said: string) => {
      stdin.off('keypress', onKey);
      signal.removeEventListener('abort', onAbort);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write(`${said}\n`);
      resolve(answer);
    };
    const onAbort = () => done('withdrawn', '(decided elsewhere)');
    const onKey = (text: string | undefined, key: { name?: string; ctrl?: boolean }) => {
      if (key.ctrl && (key.name === 'c' || key.name === 'd')) return done('interrupted', '^C');
      const isEnter = key.name === 'return' || key.name === 'enter';
      const chosen = choices.find((choice) =>
        isEnter ? choice.default : choice.key === text?.toLowerCase(),
      );
      if (chosen !== undefined) done({ decision: chosen.decision }, chosen.label);
    };
    if (signal.aborted) return onAbort();
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on('keypress', onKey);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
