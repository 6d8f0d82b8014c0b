import { type Correction, type Plan, shellText } from '../../core/contract/index.ts';
import { insertStepsBefore, parseAction, replaceStepCommand } from '../../core/plan/index.ts';
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
  const { modifiedCommand, newSteps = [] } = correction;
  if (modifiedCommand !== undefined) {
    const weaker = weakens(before ?? '', modifiedCommand, output) ?? lostCheck(before ?? '', modifiedCommand);
    if (weaker !== null) return purpose(weaker);
    const mutation = replaceStepCommand(state.plan!, step.id, modifiedCommand);
    if (mutation.ok) return invalidIn(mutation.plan, new Set([step.id]), state.plan!);
    return { code: 'invalid', message: mutation.reason };
  }
  const protos = [];
  for (const { step: title, action, expects } of newSteps) {
    const parsed = parseAction(action);
    if (!parsed.ok) return { code: 'invalid', message: `"${action}" is no action: ${parsed.error.message}` };
    const weaker = weakens('', shellText(parsed.action) ?? '', output);
    if (weaker !== null) return purpose(weaker);
    protos.push({ title, action: parsed.action, ...(expects === undefined ? {} : { expects }) });
  }
  if (protos.length === 0) return null;
  const mutation = insertStepsBefore(state.plan!, step.id, protos);
  if (!mutation.ok) return { code: 'invalid', message: mutation.reason };
  const known = new Set(state.plan!.steps.map(({ id }) => id));
  const added = mutation.plan.steps.map(({ id }) => id).filter((id) => !known.has(id));
  return invalidIn(mutation.plan, new Set(added), state.plan!);
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
