import type { ScheduleState, ScheduleView } from '../../../core/contract/schedules/index.ts';
import { typedWorkspace } from '../../app/typed-folder.ts';
import { HttpError } from '../http/errors.ts';
import type { Desk, Handlers } from './handler.ts';

type Names = 'createSchedule' | 'listSchedules' | 'lookAtSchedule' | 'agreeToSchedule';

const SHOWN_TIMES = 3;

/** Schedules. What is asked of one is a request of its stream; agreeing is a route, because the server reads the file. */
export function scheduleRoutes({ app, env, views, drivers }: Desk): Handlers<Names> {
  const known = async (id: string): Promise<string> => {
    if ((await app.streams.kindOf(id)) === 'schedule') return id;
    throw new HttpError(404, 'no-such-stream', `there is no schedule ${JSON.stringify(id)}`);
  };
  /** What the file says now. A file on another machine is not read here. */
  const proposedFor = async (id: string): Promise<ScheduleView['proposed']> => {
    const read = await app.schedules
      .readAgain(id)
      .catch((error: unknown) => ({ ok: false as const, problems: [{ message: String(error) }] }));
    if (!read.ok) return { ok: false, message: read.problems.map(({ message }) => message).join(' ') };
    return { ok: true, hash: read.agreement.hash, plan: read.agreement.plan };
  };
  return {
    async createSchedule({ body, asker }) {
      const { workspace: typed, mode, onAsk, onFailure, name, key, inputs = {}, ...wanted } = body;
      const workspace = typed === undefined ? app.workspace : typedWorkspace(app.workspace, typed, env);
      const read = await app.schedules.read(
        { ...wanted, inputs, choices: { mode, onAsk, onFailure } },
        workspace,
      );
      if (!read.ok) return { id: null, problems: read.problems };
      const { agreement, problems } = read;
      const id = await app.schedules.add({ name, workspace, agreement, by: asker, key });
      drivers.dispatch(id);
      return { id, problems };
    },
    listSchedules: async () => ({ schedules: await views.rows(await app.schedules.list()) }),
    async lookAtSchedule({ params }) {
      const id = await known(params['id']!);
      const { seq, exact, redactor } = await views.any(id);
      const row = await app.schedules.find(id);
      const [times, proposed] = await Promise.all([
        app.schedules.times(id, SHOWN_TIMES),
        row.state === 'changed' ? proposedFor(id) : null,
      ]);
      return redactor.value({ id, seq, row, state: exact as ScheduleState, times, proposed });
    },
    async agreeToSchedule({ params, body, asker }) {
      await app.schedules.agree(await known(params['id']!), body.hash, { by: asker });
      drivers.dispatch(params['id']!);
      return {};
    },
  };
}
