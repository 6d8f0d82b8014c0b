import { z } from 'zod';
import { type Correction, ProtoStep, shellText } from '../../../core/contract/index.ts';
import { parseAction } from '../../../core/plan/index.ts';

/** An action line, or the bare command that models like to write in its place. */
const ActionLine = z.string().superRefine((line, issue) => {
  if (toActionLine(line) !== null) return;
  const parsed = parseAction(line);
  issue.addIssue({
    code: 'custom',
    message: parsed.ok ? 'is empty' : `is no action line: ${parsed.error.message}`,
  });
});

/** What a model answers; a field without a value may be null. What an action needs must be there. */
export const ModelAnswer = z
  .object({
    action: z.enum(['retry', 'modify', 'insert_steps', 'skip', 'abort']),
    reasoning: z.string().min(1),
    modifiedCommand: z.string().nullish(),
    modifiedAction: ActionLine.nullish(),
    expects: z.string().nullish(),
    timeoutSeconds: z.number().positive().nullish(),
    cwd: z.string().nullish(),
    newSteps: z.array(ProtoStep.extend({ action: ActionLine, expects: z.string().nullish() })).nullish(),
    confidence: z.number().min(0).max(1),
  })
  .superRefine((answer, issue) => {
    const { action, modifiedCommand, newSteps } = answer;
    if (action === 'modify' && !modifiedCommand?.trim() && modifiedStep(answer) === null)
      issue.addIssue({
        code: 'custom',
        path: ['modifiedCommand'],
        message:
          'or "modifiedAction", "expects", "timeoutSeconds" or "cwd" must be there where action is "modify"',
      });
    if (action === 'insert_steps' && (newSteps ?? []).length === 0)
      issue.addIssue({
        code: 'custom',
        path: ['newSteps'],
        message: 'must be there where action is "insert_steps"',
      });
  });
export type ModelAnswer = z.infer<typeof ModelAnswer>;

const longestReasoning = 1000;

export function toCorrection(answer: ModelAnswer, name: string): Correction {
  const { action, confidence, modifiedCommand, newSteps } = answer;
  const reasoning = answer.reasoning.slice(0, longestReasoning);
  const common = { reasoning, confidence, source: { brain: 'model' as const, name } };
  if (action !== 'insert_steps' && action !== 'modify') return { action, ...common };
  const steps = (newSteps ?? []).map(({ step, action: line, expects }) => ({
    step,
    action: toActionLine(line) ?? line,
    ...(expects ? { expects } : {}),
  }));
  const added = steps.length === 0 ? {} : { newSteps: steps };
  if (action === 'insert_steps') return { action, ...added, ...common };
  const changed = modifiedStep(answer);
  return {
    action,
    ...(modifiedCommand?.trim() ? { modifiedCommand: toCommand(modifiedCommand) } : {}),
    ...(changed === null ? {} : { modifiedStep: changed }),
    ...added,
    ...common,
  };
}

type Changes = Partial<Pick<ModelAnswer, 'modifiedAction' | 'expects' | 'timeoutSeconds' | 'cwd'>>;

/** What it changes of the step besides its command; null where that is nothing. */
function modifiedStep({
  modifiedAction,
  expects,
  timeoutSeconds,
  cwd,
}: Changes): Correction['modifiedStep'] | null {
  const changed = {
    ...(modifiedAction?.trim() ? { action: toActionLine(modifiedAction) ?? modifiedAction } : {}),
    ...(expects?.trim() ? { expects } : {}),
    ...(timeoutSeconds ? { timeoutMs: Math.max(1, Math.round(timeoutSeconds * 1000)) } : {}),
    ...(cwd?.trim() ? { cwd } : {}),
  };
  return Object.keys(changed).length === 0 ? null : changed;
}

function toActionLine(text: string): string | null {
  const line = text.trim();
  if (parseAction(line).ok) return line;
  // A line that begins as an action is one, and wrong; anything else is taken for a command.
  if (/^[A-Z]+_[A-Z]+(\s|$)|^(START|STOP|ASK|MANUAL|REPEAT)\b/.test(line)) return null;
  const asCommand = `RUN_COMMAND ${line}`;
  return line !== '' && parseAction(asCommand).ok ? asCommand : null;
}

/** The command alone, though a model wrote the action line. */
function toCommand(text: string): string {
  const parsed = /^(RUN_COMMAND|RUN_SCRIPT|START)\b/.test(text.trim()) ? parseAction(text.trim()) : null;
  return (parsed?.ok ? shellText(parsed.action) : null) ?? text.trim();
}
