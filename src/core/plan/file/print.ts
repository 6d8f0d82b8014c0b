import { Document, Scalar } from 'yaml';
import type { Plan, Step } from '../../contract/index.ts';
import { printAction } from '../action/print.ts';
import { printDuration } from './duration.ts';
import { type PlanFile, type PlanFileItem, SCHEMA_ADDRESS } from './schema.ts';

export interface PrintOptions {
  format?: 'yaml' | 'json';
  /** Where editors find the schema. */
  schema?: string;
}

/**
 * The plan as a file that `parsePlanFile` reads back. What belongs to a run and not to a plan is left out:
 * the revision, where a step came from, and which step it repairs.
 */
export function toPlanFile(plan: Plan, options: PrintOptions = {}): string {
  const schema = options.schema ?? SCHEMA_ADDRESS;
  const file = toFileValue(plan);
  if (options.format === 'json') return `${JSON.stringify({ $schema: schema, ...file }, null, 2)}\n`;
  const document = new Document(file);
  document.commentBefore = ` yaml-language-server: $schema=${schema}`;
  plan.steps.forEach((_, index) => {
    const run = document.getIn(['plan', index, 'run'], true);
    if (run instanceof Scalar) run.type = Scalar.BLOCK_LITERAL;
  });
  return document.toString({ lineWidth: 0 });
}

export function toFileValue(plan: Plan): PlanFile {
  return {
    goal: plan.goal,
    ...(plan.mode !== undefined && { mode: plan.mode }),
    ...(plan.shell !== 'bash' && { shell: plan.shell }),
    ...(plan.inputs !== undefined && { inputs: plan.inputs }),
    plan: plan.steps.map((step, index) => toFileItem(step, index)),
  };
}

/** One step as an item of a plan file. Ids that the reader would give anyway are left out. */
export function toFileItem(step: Step, index: number): PlanFileItem {
  const { expects, after, undo, timeoutMs, cwd, env, retry, interactive, why } = step;
  return {
    step: step.title,
    ...(step.id !== `s${index + 1}` && { id: step.id }),
    ...(why !== undefined && { why }),
    ...writtenAction(step),
    ...(expects !== undefined && { expects }),
    ...(after !== undefined && { after }),
    ...(undo !== undefined && { undo: printAction(undo) }),
    ...(timeoutMs !== undefined && { timeout: printDuration(timeoutMs) }),
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
    ...(retry !== undefined && { retry: printRetry(retry) }),
    ...(interactive !== undefined && { interactive }),
  };
}

/** A number alone where nothing is waited for. */
export const printRetry = ({ times, delayMs = 0 }: NonNullable<Step['retry']>) =>
  delayMs === 0 ? times : { times, delay: printDuration(delayMs) };

/** `run` for a script of several lines that a block can hold letter by letter, else `action`. */
function writtenAction(step: Step): { run: string } | { action: string } {
  const { action } = step;
  if (action.kind !== 'run-script') return { action: printAction(action) };
  const readable =
    /^\S.*\n[\s\S]*[^\n]$/.test(action.script) && !/[^\n\t\u0020-\u007e\u00a0-\uffff]/.test(action.script);
  return readable ? { run: `${action.script}\n` } : { action: printAction(action) };
}
