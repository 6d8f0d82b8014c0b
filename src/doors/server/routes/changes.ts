import type { Plan, RunRow, UndoView } from '../../../core/contract/index.ts';
import { beyondWords } from '../../../core/contract/told/index.ts';
import type { App } from '../../app/app.ts';
import { runOptions } from '../../app/options.ts';
import type { UndoPreview } from '../../app/undo.ts';
import type { Desk, Handlers } from './handler.ts';

/** How long an undo may take to be answered with what came of it; it goes on by itself. */
const PATIENCE_MS = 20_000;

export function changeRoutes({ app, views, drivers, streams }: Desk): Handlers<'diffRun' | 'undoRun'> {
  return {
    async diffRun({ params, query }) {
      const id = params['id']!;
      const { redactor } = await views.view(id);
      const { changes, text, uncovered } = await app.runs.diff(id, { step: query.step });
      const left = uncovered.map(({ path, why }) => ({ path, why }));
      return redactor.value({ files: changes, text, uncovered: left });
    },
    async undoRun({ params, body, asker }) {
      const id = params['id']!;
      const { redactor } = await views.view(id);
      const { to, force, filesOnly, dryRun = false } = body;
      const choice = { to, overwrite: force, filesOnly };
      if (dryRun) return redactor.value(viewOf(await app.runs.undo(id, choice), true, null));
      const none: Plan = { goal: 'undo', shell: 'bash', steps: [], revision: 0 };
      const options = runOptions(app.config.values, none, {
        mode: 'planner',
        onFailure: 'stop',
        attended: true,
      });
      const made = await app.runs.undo(id, { ...choice, options, agreed: asker });
      if (made.by === null) return redactor.value(viewOf(made, false, null));
      drivers.dispatch(made.by);
      return redactor.value(viewOf(made, false, await atRest(app, made.by, streams)));
    },
  };
}

/** The row once the run goes no further by itself, or when patience ends. */
async function atRest(app: App, run: string, streams: Desk['streams']): Promise<RunRow | null> {
  const limit = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const row = await app.streams.row<RunRow>(run);
    const isGoing = row?.state === 'running' || row?.state === 'agreeing' || row?.state === 'recovering';
    if (!isGoing || limit.aborted || streams.isEnded()) return row;
    await app.streams.changed(run, await app.streams.lastSeq(run), limit);
  }
}

export function viewOf(
  preview: UndoPreview & { by: string | null },
  dryRun: boolean,
  row: RunRow | null,
): UndoView {
  return {
    dryRun,
    restored: preview.restore,
    conflicts: preview.conflicts.map(({ path, why }) => ({ path, why })),
    failed: preview.uncovered.map(({ path, why }) => ({ path, why })),
    beyond: preview.beyond.map(beyondWords),
    actions: preview.actions.map(({ title, action }) => ({ title, action })),
    run: preview.by,
    state: row?.state ?? null,
  };
}
