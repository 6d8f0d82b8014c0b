import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan, PlanPatch, RunState, Step } from '../../core/contract/index.ts';
import { parsePlanFile, renderProblem, toPlanFile } from '../../core/plan/index.ts';
import { AppError } from '../app/index.ts';
import { type Context, note } from './context.ts';

/** The change that a person made to a step in their editor; null where they changed nothing or gave up. */
export function editStep(context: Context, state: RunState, step: Step): PlanPatch | null {
  const { after, ...alone } = step;
  const { goal, shell } = state.plan!;
  const edited = editPlan(context, { goal, shell, steps: [alone], revision: 0 });
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

/** Opens the editor until the file is a plan; null where it was left as it was, or emptied. */
function editPlan(context: Context, plan: Plan): Plan | null {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-edit-'));
  const file = join(folder, 'step.yaml');
  const before = toPlanFile(plan);
  let text = before;
  try {
    for (;;) {
      writeFileSync(file, text, { mode: 0o600 });
      openEditor(context, file);
      text = readFileSync(file, 'utf8');
      if (text === before || text.trim() === '') return null;
      const parsed = parsePlanFile(text, { file: 'step.yaml' });
      if (parsed.ok) return parsed.plan;
      const problems = parsed.problems.map((problem) => `# ${renderProblem(problem)}`);
      note(context, problems.join('\n'));
      text = `${problems.join('\n')}\n${text.replaceAll(/^# step\.yaml:.*\n/gm, '')}`;
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
