import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan, PlanPatch, RequestBody, RunState, Step, ToolCall } from '../../core/contract/index.ts';
import { editableCall, editedArgs } from '../../core/contract/told/index.ts';
import { parsePlanFile, toPlanFile } from '../../core/plan/file/index.ts';
import { editedPatch, renderProblem } from '../../core/plan/index.ts';
import { AppError } from '../app/errors.ts';
import { checkPlan } from '../app/plans.ts';
import { type Context, note } from './context.ts';
import { noteProblems } from './problems.ts';

/** The change that a person made to a step in their editor; null where they changed nothing or gave up. */
export function editStep(context: Context, state: RunState, step: Step): PlanPatch | null {
  const { after, ...alone } = step;
  const { goal, shell } = state.plan!;
  const edited = editText(context, toPlanFile({ goal, shell, steps: [alone], revision: 0 }));
  const next = edited?.steps[0];
  if (edited === null || next === undefined) return null;
  if (edited.steps.length > 1)
    throw new AppError('plan-invalid', 'this edits one step: the file has several now');
  const { id: _id, source: _source, ...changed } = next;
  const replaced: Step = {
    ...changed,
    id: step.id,
    ...(after === undefined ? {} : { after }),
    ...(step.source === undefined ? {} : { source: step.source }),
    ...(step.repairs === undefined ? {} : { repairs: step.repairs }),
  };
  return [{ op: 'replace', stepId: step.id, step: replaced }];
}

/** The whole plan as a person changed it, checked again; null where nothing is to be changed. */
export async function editWholePlan(
  context: Context,
  { plan, workspace }: Pick<RunState, 'plan' | 'workspace'>,
): Promise<RequestBody | null> {
  const edited = editText(context, toPlanFile(plan!));
  if (edited === null) return null;
  const checked = await checkPlan(edited, { workspace, env: context.env });
  noteProblems(context, checked.problems);
  if (!checked.ok) return null;
  const { revision } = plan!;
  const patch = editedPatch(plan!, edited);
  const reason = 'edited by a person';
  return patch.length === 0 ? null : { type: 'edit-requested', baseRevision: revision, patch, reason };
}

/** Opens the editor until the file is a plan; null where it was left as it was, or emptied. */
export function editText(context: Context, before: string): Plan | null {
  const read = (text: string) => {
    const parsed = parsePlanFile(text, { file: 'step.yaml' });
    if (parsed.ok) return { ok: true as const, value: parsed.plan };
    const problems = parsed.problems.map((problem) => `# ${renderProblem(problem)}`).join('\n');
    const again = `${problems}\n${text.replaceAll(/^# step\.yaml:.*\n/gm, '')}`;
    return { ok: false as const, problems, again };
  };
  return inEditor(context, 'step.yaml', before, read);
}

/** What a call is made with, as a person changed it; null where they changed nothing. */
export const editCall = (context: Context, call: Pick<ToolCall, 'tool' | 'args'>): ToolCall['args'] | null =>
  inEditor(context, 'call.txt', `${editableCall(call)}\n`, (text) => {
    const edited = editedArgs(call, text);
    return edited.ok
      ? { ok: true, value: edited.args }
      : { ok: false, problems: edited.message, again: text };
  });

type Edited<T> = { ok: true; value: T } | { ok: false; problems: string; again: string };

function inEditor<T>(
  context: Context,
  name: string,
  before: string,
  read: (text: string) => Edited<T>,
): T | null {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-edit-'));
  const file = join(folder, name);
  let text = before;
  try {
    for (;;) {
      writeFileSync(file, text, { mode: 0o600 });
      openEditor(context, file);
      text = readFileSync(file, 'utf8');
      if (text === before || text.trim() === '') return null;
      const edited = read(text);
      if (edited.ok) return edited.value;
      note(context, edited.problems);
      text = edited.again;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openEditor({ env }: Context, file: string): void {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  // An editor is set as a command line, so a shell takes it apart; the file is an argument and never part of it.
  const { status, error } = spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env });
  if (error !== undefined || status !== 0) {
    throw new AppError('usage', `the editor ${JSON.stringify(editor)} did not end well: nothing was changed`);
  }
}
