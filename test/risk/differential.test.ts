import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../../src/core/risk/index.ts';
import { believedCommands } from '../../src/core/risk/judge.ts';
import { howMany } from '../support/scale.ts';
import { canJail, type Ran, runInJail } from './jail.ts';
import { createRandom, mutant } from './mutants.ts';

/** What the classifier believes would run against what bash really runs. Other mutants: RISK_SEED=2. */
const count = howMany(5_200, 2_000);
const seed = Number(process.env['RISK_SEED'] ?? 20_240_501);
const jailed = canJail();
if (!jailed && process.env['CI'] !== 'true')
  console.warn('bubblewrap does not work here: the differential fuzz is skipped');

/** Home is `~` to the classifier, and a quoted `~` is `./~`. */
const isWord = (believed: string, real: string | undefined): boolean =>
  believed === real || believed.startsWith('~') || (believed.startsWith('./~') && believed.slice(2) === real);

/** The call is one that the classifier saw: the same name and, where all words are literal, the same words. */
function isBelieved(call: readonly string[], believed: ReturnType<typeof believedCommands>): boolean {
  const [name, ...args] = call;
  return believed.some(
    (command) =>
      (command.path === name || command.name === name) &&
      (command.args.some((arg) => !arg.literal || arg.glob) ||
        (command.args.length === args.length && command.args.every((arg, i) => isWord(arg.value, args[i])))),
  );
}

const misses = (text: string, ran: Ran): string[] => {
  const believed = believedCommands(text);
  const unseen = ran.calls
    .filter((call) => !isBelieved(call, believed))
    .map((call) => `runs ${JSON.stringify(call)}`);
  return [...unseen, ...ran.files.map((file) => `writes ${file}`)];
};

describe.skipIf(!jailed && process.env['CI'] !== 'true')('the differential fuzz', () => {
  const random = createRandom(seed);
  const texts = Array.from({ length: count }, () => mutant(random)).filter((text) => !text.includes('\0'));
  const results = jailed ? runInJail(texts) : [];

  test('there is a jail', () => expect(jailed).toBe(true));

  test('nothing that is called safe runs or writes anything but what was believed', () => {
    const wrong = texts.flatMap((text, i) => {
      if (judgeCommand(text).level !== 'safe') return [];
      return misses(text, results[i] as Ran).map((miss) => `${JSON.stringify(text)} ${miss}`);
    });
    expect(wrong).toEqual([]);
  });

  test('whatever really runs rm is dangerous', () => {
    const wrong = texts.filter(
      (text, i) =>
        results[i]?.calls.some(([name]) => name === 'rm') &&
        !['dangerous', 'blocked'].includes(judgeCommand(text).level),
    );
    expect(wrong).toEqual([]);
  });

  test('the mutants are worth running: many run something, many are safe, many are dangerous', () => {
    const levels = texts.map((text) => judgeCommand(text).level);
    expect(results.filter((ran) => ran.calls.length > 0).length).toBeGreaterThan(count * 0.3);
    expect(levels.filter((level) => level === 'safe').length).toBeGreaterThan(count * 0.03);
    expect(levels.filter((level) => level === 'dangerous' || level === 'blocked').length).toBeGreaterThan(
      count * 0.2,
    );
  });
});
