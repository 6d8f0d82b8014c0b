import { emitKeypressEvents } from 'node:readline';
import type { Context } from './context.ts';

export interface Choice<T> {
  /** The key to press, in lower case. */
  key: string;
  /** What pressing it does, with the key marked: `[r]un it`. */
  label: string;
  value: T;
  /** Return takes this one. */
  isDefault?: boolean;
}

/** Ctrl-C was pressed, or the question was taken back because somebody else answered it. */
export type NoAnswer = 'interrupted' | 'withdrawn';

/**
 * Asks for one key. The question stays until it is answered, Ctrl-C is pressed, or the signal aborts; the
 * terminal is given back as it was.
 */
export function askKey<T>(
  { stdin, stderr }: Context,
  question: string,
  choices: readonly Choice<T>[],
  signal: AbortSignal,
): Promise<{ value: T } | NoAnswer> {
  return new Promise((resolve) => {
    stderr.write(`${question} ${choices.map((choice) => choice.label).join('  ')} `);
    const done = (answer: { value: T } | NoAnswer, said: string) => {
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
      const pressed = key.name === 'return' || key.name === 'enter' ? null : text?.toLowerCase();
      const chosen = choices.find((choice) => (pressed === null ? choice.isDefault : choice.key === pressed));
      if (chosen !== undefined) done({ value: chosen.value }, chosen.key);
    };
    if (signal.aborted) return onAbort();
    emitKeypressEvents(stdin);
    stdin.setRawMode(true);
    stdin.resume();
    stdin.on('keypress', onKey);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
