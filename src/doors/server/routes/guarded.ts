import { HttpError } from '../http/errors.ts';
import { viewOf } from './changes.ts';
import type { Desk, Handlers } from './handler.ts';

/** Sessions of other agents under the guard. They are listed, read and followed as any stream is. */
export function guardedRoutes({ app, views }: Desk): Handlers<'undoGuarded' | 'allowGuarded'> {
  const known = async (id: string): Promise<string> => {
    if ((await app.streams.kindOf(id)) === 'guard') return id;
    throw new HttpError(404, 'no-such-stream', `there is no guarded session ${JSON.stringify(id)}`);
  };
  return {
    async undoGuarded({ params, body, asker }) {
      const id = await known(params['id']!);
      const { redactor } = await views.any(id);
      const choice = { overwrite: body.force };
      const dryRun = body.dryRun ?? false;
      const foreseen = { ...(await app.guards.undoPreview(id, choice)), by: null };
      if (dryRun) return redactor.value(viewOf(foreseen, dryRun, null));
      const { restored } = await app.guards.undo(id, choice, asker);
      const restore = foreseen.restore.filter(({ path }) => restored.includes(path));
      return redactor.value(viewOf({ ...foreseen, restore }, dryRun, null));
    },
    async allowGuarded({ params, body, asker }) {
      const id = await known(params['id']!);
      const { redactor } = await views.any(id);
      return redactor.value({ message: await app.guards.allow(body.verdict, asker) });
    },
  };
}
