import { dirname } from 'node:path/posix';
import type { Correction } from '../../../core/contract/index.ts';
import { parseAction } from '../../../core/plan/index.ts';
import { judgeCommand } from '../../../core/risk/index.ts';
import { commandOf, type Failure } from '../brain.ts';
import { shellWord } from '../command/edit.ts';
import { weakens } from '../rules/purpose.ts';
import { isVariable, signatureOf } from './signature.ts';

/** A correction with the words of its failure taken out, so that it fits the next failure of the same signature. */
export interface Generalised {
  readonly key: string;
  readonly correction: Pick<Correction, 'action' | 'reasoning' | 'newSteps' | 'modifiedCommand'>;
}

/**
 * Null where there is nothing to remember: skips and aborts are decisions about one run, a retry mends nothing, and
 * what names a word of this very occasion (a path, a number, a hash) that the signature does not name would be wrong
 * on the next.
 */
export function generalise(failure: Failure, correction: Correction): Generalised | null {
  if (correction.action === 'skip' || correction.action === 'abort' || correction.action === 'retry')
    return null;
  const signature = signatureOf(failure);
  if (signature === null) return null;
  const take = (text: string): string => abstractWords(text, signature.words);
  const { newSteps, modifiedCommand, action, reasoning } = correction;
  const general = {
    action,
    reasoning: take(reasoning),
    ...(newSteps === undefined
      ? {}
      : {
          newSteps: newSteps.map((step) => ({ ...step, step: take(step.step), action: take(step.action) })),
        }),
    ...(modifiedCommand === undefined ? {} : { modifiedCommand: take(modifiedCommand) }),
  };
  const text = [general.modifiedCommand ?? '', ...(general.newSteps ?? []).map((step) => step.action)].join(
    '\n',
  );
  const left = text.replace(placeholder, ' ').replaceAll('{{', '{');
  if (/\b[0-9a-f]{7,40}\b|\bkill \d+/i.test(left)) return null;
  const words = left.split(/[\s;|&<>()'"=]+/).filter((word) => isVariable(word) && !/^\d{1,3}$/.test(word));
  if (words.some((word) => !signature.key.includes(word))) return null;
  return { key: signature.key, correction: general };
}

/** `{2}`: the second word of the failure; `{2/}`: the folder that it is in. */
const placeholder = /\{(\d+)(\/?)\}/g;

/** The remembered fix in the words of this failure; null where it does not fit, is blocked, or weakens the step. */
export function applyRemembered(
  general: Generalised,
  failure: Failure,
  confidence: number,
): Correction | null {
  const signature = signatureOf(failure);
  if (signature === null || signature.key !== general.key) return null;
  const put = (text: string): string | null => putWords(text, signature.words);
  const { action, reasoning, newSteps, modifiedCommand } = general.correction;
  const steps = newSteps?.map((step) => ({ ...step, step: put(step.step), action: put(step.action) }));
  const modified = modifiedCommand === undefined ? undefined : put(modifiedCommand);
  if (modified === null || steps?.some((step) => step.step === null || step.action === null) === true)
    return null;
  const correction: Correction = {
    action,
    reasoning: `This mended the same failure before. ${put(reasoning) ?? ''}`.trim(),
    confidence,
    source: { brain: 'remembered', name: general.key.split('\n')[0]!.slice(0, 80) },
    ...(steps === undefined ? {} : { newSteps: steps as NonNullable<Correction['newSteps']> }),
    ...(modified === undefined ? {} : { modifiedCommand: modified }),
  };
  return isSound(correction, failure) ? correction : null;
}

function isSound(correction: Correction, failure: Failure): boolean {
  const before = commandOf(failure.step.action) ?? '';
  const said = `${failure.result.stderrTail}\n${failure.result.stdoutTail}`;
  const { modifiedCommand } = correction;
  if (
    modifiedCommand !== undefined &&
    (modifiedCommand === before || weakens(before, modifiedCommand, said) !== null)
  )
    return false;
  const commands = [
    modifiedCommand,
    ...(correction.newSteps ?? []).map(({ action }) => {
      const parsed = parseAction(action);
      return parsed.ok ? (commandOf(parsed.action) ?? undefined) : undefined;
    }),
  ];
  return commands.every((command) => command === undefined || judgeCommand(command).level !== 'blocked');
}

/**
 * A word is found as the shell would read it: bare, or quoted as a whole; so is the folder that it is in. Within other
 * quotes it is left alone.
 */
function abstractWords(text: string, words: readonly string[]): string {
  let general = text.replaceAll('{', '{{');
  const longestFirst = [...words.entries()].sort(([, a], [, b]) => b.length - a.length);
  for (const [at, word] of longestFirst) general = exchange(general, word, `{${at + 1}}`);
  for (const [at, word] of longestFirst) {
    const folder = dirname(word);
    if (folder !== '.' && folder !== '/') general = exchange(general, folder, `{${at + 1}/}`);
  }
  return general;
}

function exchange(text: string, word: string, by: string): string {
  let changed = text;
  for (const written of new Set([shellWord(word), `"${word}"`, `'${word}'`])) {
    const escaped = written.replaceAll('{', '{{').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    changed = changed.replace(new RegExp(`(?<![\\w./{-])${escaped}(?![\\w./}-])`, 'g'), () => by);
  }
  return changed;
}

function putWords(text: string, words: readonly string[]): string | null {
  let isWhole = true;
  const put = text.replace(/\{\{|\{(\d+)(\/?)\}/g, (_found, number: string | undefined, slash = '') => {
    if (number === undefined) return '{';
    const word = words[Number(number) - 1];
    if (word === undefined) isWhole = false;
    return word === undefined ? '' : shellWord(slash === '' ? word : dirname(word));
  });
  return isWhole ? put : null;
}
