import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Problem, RiskLevel, Shell, Verdict } from '../../../core/contract/index.ts';
import { printAction } from '../../../core/plan/index.ts';
import { ConfinementError, locate } from '../../../world/workspace/index.ts';
import { AppError } from '../../app/errors.ts';
import { createJudge } from '../../app/judge.ts';
import { isRunbook, readPlanText } from '../../app/plans.ts';
import { looks, tool, type Visit } from '../desk.ts';
import { folderFor } from '../folders.ts';

/** Made anew each time: what is optional by itself has no JSON schema where schemas are put off (scripts/deferred.ts). */
export const workspace = () =>
  z
    .string()
    .max(4096)
    .optional()
    .describe('The folder, inside the roots of the client; the first root where it is left out');

const text = z.string().min(1).max(1_000_000);

/** A plan as a client gives it: one of these. */
export const source = {
  plan: text.optional().describe('A plan file, as text: YAML or JSON'),
  runbook: text.optional().describe('A runbook, as text: Markdown with commands in it'),
  file: z.string().min(1).max(4096).optional().describe('A plan file or runbook in the folder, by its path'),
};

type Source = { plan?: string | undefined; runbook?: string | undefined; file?: string | undefined };

/** The text that is meant, and what it is. Null where none was given. Throws an AppError where the path leads out. */
export function textOf(folder: string, { plan, runbook, file }: Source) {
  if ([plan, runbook, file].filter((each) => each !== undefined).length > 1)
    throw new AppError('usage', 'give one of plan, runbook and file');
  if (plan !== undefined) return { text: plan, kind: 'plan' as const, name: 'plan.yaml' };
  if (runbook !== undefined) return { text: runbook, kind: 'runbook' as const, name: 'runbook.md' };
  if (file === undefined) return null;
  const kind = isRunbook(file) ? ('runbook' as const) : ('plan' as const);
  return { text: readInside(folder, file), kind, name: file };
}

const largest = 1_000_000;

function readInside(folder: string, file: string): string {
  try {
    const place = locate({ workspace: folder, cwd: folder }, file, { follow: true });
    try {
      const { kind, stats } = place.entry;
      if (kind === 'absent') throw new AppError('file-missing', `there is no file ${file}`);
      if (kind !== 'file') throw new AppError('file-unreadable', `${file} is not a file`);
      if ((stats?.size ?? 0) > largest)
        throw new AppError('file-unreadable', `${file} is too large for a plan`);
      return readFileSync(place.here(), 'utf8');
    } finally {
      place.close();
    }
  } catch (error) {
    if (error instanceof ConfinementError) throw new AppError('not-allowed', error.message, { cause: error });
    if (error instanceof AppError) throw error;
    throw new AppError('file-unreadable', `${file} cannot be read`, { cause: error });
  }
}

const judgeIn = ({ desk: { app, env } }: Visit, folder: string) =>
  createJudge({ places: app.places, env, workspace: folder });

export const judgeCommand = tool({
  name: 'judge_command',
  title: 'Judge a command',
  about:
    'Says how risky a shell command would be in a folder, and why: safe, caution, dangerous (a person would be asked) or blocked. Paths, variables, globs and scripts are resolved as they are now. Runs nothing.',
  hints: looks,
  input: z.strictObject({
    command: z.string().min(1).max(100_000),
    workspace: workspace(),
    cwd: z.string().max(4096).optional().describe('Where in the folder it would run'),
    shell: Shell.optional(),
  }),
  output: Verdict.extend({ workspace: z.string() }),
  async call({ command, workspace: named, cwd, shell = 'bash' }, visit) {
    const folder = folderFor(visit.caller, named);
    const at = cwd === undefined ? folder : folderFor({ ...visit.caller, roots: [folder] }, cwd);
    const action = { kind: 'run-command' as const, command };
    const verdict = await judgeIn(visit, folder)(action, {
      session: { cwd: at, env: {} },
      workspace: folder,
      shell,
    });
    return { ...verdict, workspace: folder };
  },
});

export const validatePlan = tool({
  name: 'validate_plan',
  title: 'Check a plan',
  about:
    'Reads a plan file or a runbook and says what is wrong with it, with the mend; of one that holds, its steps and how each would be judged. Runs nothing.',
  hints: looks,
  input: z.strictObject({ ...source, workspace: workspace() }),
  output: z.object({
    ok: z.boolean(),
    problems: z.array(Problem),
    goal: z.string().nullable(),
    inputs: z.array(z.object({ name: z.string(), default: z.string().nullable() })),
    steps: z.array(z.object({ id: z.string(), title: z.string(), action: z.string(), risk: RiskLevel })),
  }),
  async call({ workspace: named, ...given }, visit) {
    const folder = folderFor(visit.caller, named);
    const meant = textOf(folder, given);
    if (meant === null) throw new AppError('usage', 'give a plan, a runbook or a file');
    const read = await readPlanText(meant, { workspace: folder, env: visit.desk.env });
    const { problems } = read;
    if (!read.ok) return { ok: false, problems, goal: null, inputs: [], steps: [] };
    const { plan } = read;
    const judge = judgeIn(visit, folder);
    const place = { session: { cwd: folder, env: {} }, workspace: folder, shell: plan.shell };
    const steps = [];
    for (const { id, title, action } of plan.steps) {
      const { level } = await judge('do' in action ? action.do : action, place);
      steps.push({ id, title, action: printAction(action), risk: level });
    }
    const inputs = (plan.inputs ?? []).map((input) => ({ name: input.name, default: input.default ?? null }));
    return { ok: true, problems, goal: plan.goal, inputs, steps };
  },
});
