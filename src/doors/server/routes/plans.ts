import { readFileSync } from 'node:fs';
import { editedPatch, parseAction, printAction, renderActionError } from '../../../core/plan/index.ts';
import { explain } from '../../../core/risk/explain/index.ts';
import { AppError } from '../../app/errors.ts';
import { createJudge } from '../../app/judge.ts';
import { findWorkspace } from '../../app/places.ts';
import { readPlanText } from '../../app/plans.ts';
import { loadTemplates, templateFile } from '../../app/templates.ts';
import { foldersLike, typedWorkspace } from '../../app/typed-folder.ts';
import type { Desk, Handlers } from './handler.ts';

type Names =
  | 'typedFolder'
  | 'listTemplates'
  | 'validatePlan'
  | 'printActions'
  | 'parseAction'
  | 'explainRisk';

export function planRoutes({ app, env, views }: Desk): Handlers<Names> {
  const folder = (named: string | undefined) => findWorkspace(app.workspace, named);
  return {
    async validatePlan({ body }) {
      const { workspace, run, ...given } = body;
      const name = given.name ?? (given.kind === 'plan' ? 'plan.yaml' : 'runbook.md');
      const read = await readPlanText({ ...given, name }, { workspace: folder(workspace), env });
      const plan = run === undefined ? null : (await views.view(run)).exact.plan;
      return read.ok && plan !== null ? { ...read, patch: editedPatch(plan, read.plan) } : read;
    },
    typedFolder({ query: { path } }) {
      const like = foldersLike(app.workspace, path, env);
      try {
        return { folder: typedWorkspace(app.workspace, path, env), message: null, like };
      } catch (error) {
        if (error instanceof AppError) return { folder: null, message: error.message, like };
        throw error;
      }
    },
    listTemplates: () => ({
      templates: loadTemplates().map((template) => ({
        name: template.name,
        about: template.about,
        text: readFileSync(templateFile(template), 'utf8'),
      })),
    }),
    printActions: ({ body }) => ({ lines: body.actions.map(printAction) }),
    parseAction({ body }) {
      const parsed = parseAction(body.line);
      return parsed.ok
        ? { ok: true, action: parsed.action }
        : { ok: false, message: renderActionError(body.line, parsed.error) };
    },
    async explainRisk({ body }) {
      const { command, shell = 'bash' } = body;
      const workspace = folder(body.workspace);
      const judge = createJudge({ places: app.places, env, workspace });
      const session = { cwd: body.cwd ?? workspace, env: {} };
      return {
        verdict: await judge({ kind: 'run-command', command }, { session, workspace, shell }),
        explanation: structuredClone(explain({ kind: 'run-command', command })) as never,
      };
    },
  };
}
