import { type Correction, type Plan, shellText, stepsIn } from '../../core/contract/index.ts';
import { changesPlan, correctPlan } from '../../core/plan/index.ts';
import { validatePlan } from '../../core/plan/validate/index.ts';
import type { ConsultWork } from '../../core/run/index.ts';
import { readCommand } from '../../core/shell/index.ts';
import type { Failure } from './brain.ts';
import { weakens } from './rules/purpose.ts';

export type Objection = { code: 'invalid' | 'purpose'; message: string };

/**
 * What stands against a correction, whichever brain it came from: it would change what the step was for, or it makes
 * no valid plan. Null where nothing does. What is risky is not decided here: that is the gate's.
 */
export async function objectionTo(
  correction: Correction,
  failure: Failure,
  { state, step }: Pick<ConsultWork, 'state' | 'step'>,
): Promise<Objection | null> {
  const before = shellText(step.action);
  const output = `${failure.result.stderrTail}\n${failure.result.stdoutTail}`;
  if (correction.action === 'skip') {
    const dropped = before === null ? null : checkIn(before);
    return dropped === null ? null : purpose(`It would skip a check (${dropped}).`);
  }
  const { modifiedCommand, modifiedStep } = correction;
  if (modifiedCommand !== undefined) {
    const weaker = weakens(before ?? '', modifiedCommand, output) ?? lostCheck(before ?? '', modifiedCommand);
    if (weaker !== null) return purpose(weaker);
  }
  if (step.expects !== undefined && modifiedStep?.expects !== undefined)
    return purpose('It would change what is expected of the step.');
  if (!changesPlan(correction)) return null;
  const mutation = correctPlan(state.plan!, step.id, correction);
  if (!mutation.ok) return { code: 'invalid', message: mutation.reason };
  const touched = stepsIn(mutation.patch);
  for (const { id, action } of touched) {
    const weaker = id === step.id ? null : weakens('', shellText(action) ?? '', output);
    if (weaker !== null) return purpose(weaker);
  }
  return invalidIn(mutation.plan, new Set(touched.map(({ id }) => id)), state.plan!);
}

const purpose = (message: string): Objection => ({ code: 'purpose', message });

/** Errors of the steps that the correction touches. What was wrong before is none of its doing. */
async function invalidIn(plan: Plan, touched: ReadonlySet<string>, before: Plan): Promise<Objection | null> {
  const old = new Set((await validatePlan(before)).map(({ code, step }) => `${code} ${step}`));
  const errors = (await validatePlan(plan)).filter(
    ({ severity, step, code }) =>
      severity === 'error' && step !== undefined && touched.has(step) && !old.has(`${code} ${step}`),
  );
  return errors[0] === undefined ? null : { code: 'invalid', message: errors[0].message };
}

/** Programs whose whole use is to say no. */
const checkers = new Set(
  'test [ [[ grep cmp diff pytest jest vitest mocha eslint ruff mypy flake8 shellcheck tsc sha1sum sha256sum sha512sum md5sum gpg cosign'.split(
    ' ',
  ),
);
const checkingWords = /^(?:test|tests|check|lint|verify|audit|typecheck|spec|fsck|clippy)$/;
const runners = new Set('npm pnpm yarn make cargo go mvn gradle git openssl just'.split(' '));

/** Programs that run another one. */
const launchers = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'poetry', 'uv', 'bundle', 'npm', 'pnpm', 'yarn']);

/** The check that a command makes, in words; null where it makes none. */
function checkIn(command: string): string | null {
  for (const { program, args } of readCommand(command).simples) {
    if (program === undefined) continue;
    if (checkers.has(program)) return program;
    const words = args.map(({ value }) => value).filter((word) => !word.startsWith('-'));
    const word = words.slice(0, 2).find((each) => checkingWords.test(each));
    if (runners.has(program) && word !== undefined) return `${program} ${word}`;
    const launched = words.slice(0, 2).find((each) => checkers.has(each));
    if (launchers.has(program) && launched !== undefined) return `${program} ${launched}`;
    if (
      /(?:^|\/)python[\d.]*$/.test(program) &&
      args.some(({ value }) => /^(?:pytest|unittest)$/.test(value))
    ) {
      return `${program} -m ${words[0]}`;
    }
  }
  return null;
}

/** A check that the command made and the new one does not. */
function lostCheck(before: string, after: string): string | null {
  const made = checkIn(before);
  return made === null || checkIn(after) !== null ? null : `It drops a check (${made}).`;
}
