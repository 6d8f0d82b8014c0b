import { createInterface, emitKeypressEvents } from 'node:readline';
import { Writable } from 'node:stream';
import type { Choice } from '../../core/contract/told/index.ts';
import type { Context } from './context.ts';

/** Ctrl-C was pressed, or the question was taken back because somebody else answered it. */
export type NoAnswer = 'interrupted' | 'withdrawn';

/** The prompt that stands at the end of a terminal just now. */
const prompts = new WeakMap<Context['stderr'], string>();

/** Says something in the middle of a question: above its prompt, which is put again. */
export function noteAbove({ stderr }: Context, text: string): void {
  const prompt = prompts.get(stderr);
  stderr.write(prompt === undefined ? `${text}\n` : `\n${text}\n${prompt}`);
}

/**
 * What was typed before a question was shown answers nothing: an `a` that was meant for something else would approve what
 * nobody has seen. Unfinished lines can be read in raw mode only; what the terminal holds has come after one turn of
 * the loop that waits for it, and nobody listens meanwhile.
 */
async function forgetTyped(stdin: Context['stdin']): Promise<void> {
  stdin.setRawMode(true);
  stdin.resume();
  // The turn that is under way may have waited already.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  stdin.setRawMode(false);
  stdin.pause();
}

/**
 * Waits for one key, after the question has been shown. It stays until it is answered, Ctrl-C is pressed, or
 * the signal aborts; the terminal is given back as it was.
 */
export async function askKey<D extends string>(
  { stdin, stderr }: Context,
  choices: readonly Choice<D>[],
  signal: AbortSignal,
): Promise<{ decision: D } | NoAnswer> {
  await forgetTyped(stdin);
  return new Promise((resolve) => {
    const prompt = `\n ${choices.map(({ key }) => key).join('/')}: `;
    stderr.write(prompt);
    prompts.set(stderr, prompt);
    const done = (answer: { decision: D } | NoAnswer, said: string) => {
      stdin.off('keypress', onKey);
      stdin.off('end', onHangUp);
      signal.removeEventListener('abort', onAbort);
      stdin.setRawMode(false);
      stdin.pause();
      prompts.delete(stderr);
      stderr.write(`${said}\n`);
      resolve(answer);
    };
    const onAbort = () => done('withdrawn', '(decided elsewhere)');
    const onHangUp = () => done('interrupted', '');
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
    stdin.once('end', onHangUp);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Asks for one line of text, under the same rules. */
export async function askLine(
  { stdin, stderr }: Context,
  signal: AbortSignal,
  { hidden = false } = {},
): Promise<{ text: string } | NoAnswer> {
  await forgetTyped(stdin);
  return new Promise((resolve) => {
    // What is typed for a secret is read and not shown.
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const output = hidden ? silent : stderr;
    const lines = createInterface({ input: stdin, output, terminal: true });
    let settled = false;
    const done = (answer: { text: string } | NoAnswer) => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', onAbort);
      lines.close();
      if (typeof answer === 'string') stderr.write('\n');
      resolve(answer);
    };
    const onAbort = () => done('withdrawn');
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    lines.on('SIGINT', () => done('interrupted'));
    lines.on('close', () => done('interrupted'));
    if (hidden) stderr.write('\n > ');
    lines.question(hidden ? '' : '\n > ', (text) => {
      if (hidden) stderr.write('\n');
      done({ text });
    });
  });
}

/** A question that is answered with yes or no; whoever says nothing says no. */
export async function askYes(context: Context, question: string): Promise<boolean> {
  context.stderr.write(` ${question}\n`);
  const choices: readonly Choice<'yes' | 'no'>[] = [
    { key: 'y', label: 'yes', decision: 'yes' },
    { key: 'n', label: 'no', decision: 'no', default: true },
  ];
  const answer = await askKey(context, choices, new AbortController().signal);
  return typeof answer === 'object' && answer.decision === 'yes';
}
