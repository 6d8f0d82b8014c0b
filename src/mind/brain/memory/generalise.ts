import { type Correction, shellText } from '../../../core/contract/index.ts';
import { keepsPurpose, parseExpects } from '../../../core/plan/index.ts';
import { judgeCommand } from '../../../core/risk/index.ts';
import { readCommand, shellWord } from '../../../core/shell/index.ts';
import type { Failure } from '../brain.ts';
import { commandsIn } from '../correction.ts';
import { weakens } from '../rules/purpose.ts';
import { isVariable, signatureOf } from './signature.ts';

/** A correction with the words of its failure taken out, so that it fits the next failure of the same signature. */
export interface Generalised {
  readonly key: string;
  /** Of a command that was replaced: what was checked after it, and held. Only where the same is, it is used again. */
  readonly proof?: string;
  readonly correction: Pick<Correction, 'action' | 'reasoning' | 'newSteps' | 'modifiedCommand'>;
}

/**
 * Null where there is nothing to remember: skips and aborts are decisions about one run, a retry mends nothing, and a fix that names a word of
 * this very occasion (a number, a hash) that the failure itself does not name would be wrong on the next. What a person
 * let become something else than the step was for is theirs, too.
 */
export function generalise(failure: Failure, correction: Correction): Generalised | null {
  if (correction.action === 'skip' || correction.action === 'abort' || correction.action === 'retry')
    return null;
  const signature = signatureOf(failure);
  if (signature === null) return null;
  const { newSteps, modifiedCommand, action, reasoning } = correction;
  if (modifiedCommand !== undefined && !isSameStill(failure, modifiedCommand)) return null;
  const proof = modifiedCommand === undefined ? null : proofOf(failure);
  const take = (text: string): string => abstractWords(text, signature.words);
  const general = {
    action,
    reasoning: inTicks(reasoning, take),
    ...(newSteps === undefined
      ? {}
      : {
          newSteps: newSteps.map((step) => ({ ...step, step: take(step.step), action: take(step.action) })),
        }),
    ...(modifiedCommand === undefined ? {} : { modifiedCommand: take(modifiedCommand) }),
  };
  const lines = (general.newSteps ?? []).map((step) => step.action.replace(/^[A-Z_]+ /, ''));
  const commands = modifiedCommand === undefined ? lines : [general.modifiedCommand ?? '', ...lines];
  if (commands.some(isOfThisOccasion)) return null;
  return { key: signature.key, correction: general, ...(proof === null ? {} : { proof }) };
}

/** What is checked of the step when it has run, besides that it says so itself; null where nothing is. */
export function proofOf({ step: { expects } }: Pick<Failure, 'step'>): string | null {
  const expected = expects === undefined ? null : parseExpects(expects);
  return expected === null || expected.kind === 'exit' ? null : expected.kind;
}

const isSameStill = ({ step }: Failure, command: string): boolean =>
  keepsPurpose(shellText(step.action) ?? '', command).is === 'kept';

/** In a sentence, what is named stands between backticks; the rest is words. */
const inTicks = (sentence: string, change: (text: string) => string): string =>
  sentence.replace(/`([^`]+)`/g, (_, named: string) => `\`${change(named)}\``);

const placeholder = /\{\d+\^*\}/g;

/** It names a file, a number or a value that the failed command did not: on the next occasion that is another. */
function isOfThisOccasion(command: string): boolean {
  const bare = command.replace(placeholder, 'x');
  const { simples, broken } = readCommand(bare);
  if (broken) return true;
  return simples.some(({ name, args, redirects }) => {
    const words = [...args, ...redirects.map(({ target }) => target)].map(({ value }) => value);
    return name.value.includes('/') || words.some((word) => word !== 'x' && isVariable(valueIn(word)));
  });
}

/** Of `--flag=value` the value is what may belong to an occasion. */
const valueIn = (word: string): string => word.replace(/^--?[\w-]+=?/, '');

/** The remembered fix in the words of this failure; null where it does not fit, is blocked, or weakens the step. */
export function applyRemembered(
  general: Generalised,
  failure: Failure,
  confidence: number,
): Correction | null {
  const signature = signatureOf(failure);
  if (signature === null || signature.key !== general.key) return null;
  if (general.proof !== undefined && general.proof !== proofOf(failure)) return null;
  const put = (text: string): string | null => putWords(text, signature.words);
  const { action, reasoning, newSteps, modifiedCommand } = general.correction;
  const steps = newSteps?.map((step) => ({ ...step, step: put(step.step), action: put(step.action) }));
  const modified = modifiedCommand === undefined ? undefined : put(modifiedCommand);
  if (modified === null || steps?.some((step) => step.step === null || step.action === null) === true)
    return null;
  const correction: Correction = {
    action,
    reasoning: `This mended the same failure before. ${inTicks(reasoning, (text) => put(text) ?? text)}`,
    confidence,
    source: { brain: 'remembered', name: general.key.split('\n')[0]!.slice(0, 80) },
    ...(steps === undefined ? {} : { newSteps: steps as NonNullable<Correction['newSteps']> }),
    ...(modified === undefined ? {} : { modifiedCommand: modified }),
  };
  return isSound(correction, failure) ? correction : null;
}

function isSound(correction: Correction, failure: Failure): boolean {
  const before = shellText(failure.step.action) ?? '';
  const said = `${failure.result.stderrTail}\n${failure.result.stdoutTail}`;
  const { modifiedCommand } = correction;
  if (
    modifiedCommand !== undefined &&
    (modifiedCommand === before ||
      weakens(before, modifiedCommand, said) !== null ||
      !isSameStill(failure, modifiedCommand))
  )
    return false;
  return commandsIn(correction).every((command) => judgeCommand(command).level !== 'blocked');
}

/** A word is found as the shell would read it: bare, or quoted as a whole. Within other quotes it is left alone. */
function abstractWords(text: string, words: readonly string[]): string {
  let general = text.replaceAll('{', '{{');
  const known = [...words.entries()].flatMap(([at, word]) => [
    { word, as: `{${at + 1}}` },
    ...parentsOf(word).map((parent, up) => ({ word: parent, as: `{${at + 1}${'^'.repeat(up + 1)}}` })),
  ]);
  for (const { word, as } of known.sort((a, b) => b.word.length - a.word.length)) {
    for (const written of new Set([shellWord(word), `"${word}"`, `'${word}'`])) {
      general = general.replaceAll(new RegExp(`(?<![\\w./-])${escaped(written)}(?![\\w./-])`, 'g'), as);
    }
  }
  return general;
}

const escaped = (text: string): string =>
  text.replaceAll('{', '{{').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The folders that a path is in, nearest first. */
function parentsOf(word: string): string[] {
  const parts = word.split('/');
  return parts
    .slice(1)
    .map((_, up) => parts.slice(0, parts.length - 1 - up).join('/'))
    .filter((parent) => parent !== '' && parent !== '.' && parent !== '..');
}

function putWords(text: string, words: readonly string[]): string | null {
  let isWhole = true;
  const put = text.replace(/\{\{|\{(\d+)(\^*)\}/g, (found, number: string | undefined, up = '') => {
    if (number === undefined) return found === '{{' ? '{' : found;
    const whole = words[Number(number) - 1];
    const word = up === '' || whole === undefined ? whole : parentsOf(whole)[up.length - 1];
    if (word === undefined) isWhole = false;
    return word === undefined ? '' : shellWord(word);
  });
  return isWhole ? put : null;
}
