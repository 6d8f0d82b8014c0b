import type { Config, RunEvent } from '../../../core/contract/index.ts';
import type {
  ScheduleAgreement,
  ScheduleEvent,
  ScheduleRequestBody,
  ScheduleRow,
  ScheduleState,
} from '../../../core/contract/schedules/index.ts';
import type { Problem } from '../../../core/plan/index.ts';
import type { Store } from '../../../core/stream/index.ts';
import { systemClock } from '../../../world/store/index.ts';
import type { Asker } from '../asker.ts';
import type { GivenHere } from '../environment.ts';
import { AppError } from '../errors.ts';
import { newKey, newRunId, runIdFor } from '../ids.ts';
import type { Env } from '../places.ts';
import type { AppStreams, Asking } from '../streams.ts';
import type { Agreeable, WantedSchedule } from './agreement.ts';

export interface NewSchedule {
  name?: string | undefined;
  /** A real path. */
  workspace: string;
  agreement: ScheduleAgreement;
  by: Asker;
  /** The same key twice makes one schedule. */
  key?: string | undefined;
}

/** What came of a request: that it is so, the run that was begun, or that the machine it belongs to sees to it. */
export type ScheduleAnswer = { ok: true; run: string | null } | { ok: false; left: string };

/** What people do with schedules. Those who look load nothing of cron. */
export interface Schedules {
  /** What there would be to agree to. Rejects with an AppError where it cannot be one. */
  read(wanted: WantedSchedule, workspace: string): Promise<Agreeable>;
  /** The same for one that is there, as its file is now. */
  readAgain(id: string): Promise<Agreeable>;
  add(schedule: NewSchedule): Promise<string>;
  /** What was shown, and nothing else: rejects with an AppError where the file says something else by now. */
  agree(id: string, hash: string, asking: Asking): Promise<ScheduleAnswer>;
  list(query?: { removed?: boolean }): Promise<ScheduleRow[]>;
  /** Those that wait to be agreed to again. */
  waiting(limit: number): Promise<ScheduleRow[]>;
  /** By its name, its id, or the beginning of that. Rejects with an AppError. */
  find(named: string): Promise<ScheduleRow>;
  state(id: string): Promise<ScheduleState>;
  /** The next times, while it is neither paused nor removed. */
  times(id: string, count: number): Promise<number[]>;
  /** Resolves when it is answered. Rejects with an AppError where it is refused. */
  ask(id: string, body: Pick<ScheduleRequestBody, 'type'>, asking: Asking): Promise<ScheduleAnswer>;
}

interface SchedulesOptions {
  store: Store<RunEvent>;
  streams: AppStreams<RunEvent>;
  config: Config;
  env: Env;
  givenHere: GivenHere;
}

const MOST = 1000;
type Answered = { type: string; answers?: number; run?: string; child?: string; message?: string };

export function createSchedules({ store, streams, config, env, givenHere }: SchedulesOptions): Schedules {
  const state = async (id: string): Promise<ScheduleState> => {
    if ((await store.kindOf(id)) === 'schedule') return (await streams.state(id)) as ScheduleState;
    throw new AppError('no-such-stream', `there is no schedule ${JSON.stringify(id)}`);
  };
  const sealedIn = ({ plan, options }: ScheduleAgreement) =>
    givenHere.given({ plan, inputs: options.inputs }).sealed;
  const list: Schedules['list'] = async ({ removed = false } = {}) => {
    const rows = await streams.list<ScheduleRow>({ kind: 'schedule', limit: MOST });
    return removed ? rows : rows.filter(({ endedAt }) => endedAt === null);
  };

  /** The event that answers the request; of a run that was asked for, once it is begun. Null: nobody here can. */
  async function answered(id: string, seq: number): Promise<Answered | null> {
    const stop = new AbortController();
    const answer = (async () => {
      let fired: Answered | null = null;
      for await (const stored of streams.tail(id, seq, stop.signal)) {
        const event = stored.event as Answered;
        if (event.answers === seq && event.type !== 'fired') return event;
        if (event.answers === seq) fired = event;
        if (fired !== null && event.type === 'child-begun' && event.child === fired.run) return fired;
      }
      return null;
    })();
    const end = () => stop.abort();
    void answer.then(end, end);
    try {
      const { why } = await streams.drive(id, { signal: stop.signal });
      // Whoever has it answers; what this machine cannot answer is for another.
      if (why === 'elsewhere' || why === 'unreadable') end();
    } catch (error) {
      end();
      throw error;
    }
    return answer;
  }

  const ask = async (id: string, body: { type: string }, asking: Asking): Promise<ScheduleAnswer> => {
    const { place } = await state(id);
    const event = await answered(id, await streams.request(id, body, asking));
    if (event === null) return { ok: false, left: place.host };
    if (event.type === 'request-refused') throw new AppError('refused', event.message ?? 'it is refused');
    return { ok: true, run: event.run ?? null };
  };

  const readAgain: Schedules['readAgain'] = async (id) => {
    const [now, { agreementAgain }] = await Promise.all([state(id), import('./agreement.ts')]);
    return agreementAgain(now, { config, env });
  };

  return {
    read: async (wanted, workspace) =>
      (await import('./agreement.ts')).agreementOf(wanted, { workspace, config, env }),
    readAgain,
    async add({ name, workspace, agreement, by, key }) {
      await streams.admit(by, 'decide', 'schedule add');
      const { placeOf } = await import('../../../world/workspace/index.ts');
      const id = key === undefined ? newRunId() : runIdFor(`schedule:${key}`);
      const event: ScheduleEvent = {
        ...{ v: 1, at: systemClock.now(), type: 'schedule-added', schedule: id, agreement },
        ...{ name: name ?? agreement.plan.goal, place: await placeOf(workspace) },
        ...{ sealed: sealedIn(agreement), by: by.actor },
      };
      const events = [event as unknown as RunEvent];
      await store.begin(id, { kind: 'schedule', id: `begin:${key ?? newKey()}`, events });
      return id;
    },
    async agree(id, hash, asking) {
      const read = await readAgain(id);
      if (!read.ok) throw new AppError('plan-invalid', problemsOf(read.problems));
      const { agreement } = read;
      if (agreement.hash !== hash)
        throw new AppError('refused', 'the file says something else than what was shown: look at it again');
      const body = { type: 'agree-requested', agreement, sealed: sealedIn(agreement) };
      return ask(id, body, asking);
    },
    list,
    waiting: async (limit) => (await list()).filter((row) => row.state === 'changed').slice(0, limit),
    async find(named) {
      const [byId, all] = await Promise.all([streams.withPrefix<ScheduleRow>(named, 'schedule'), list()]);
      const exact = byId.filter(({ id }) => id === named);
      const byName = all.filter(({ name }) => name === named);
      const found = [exact, byName, byId].find(({ length }) => length > 0) ?? [];
      const [row] = found;
      if (row === undefined)
        throw new AppError('no-such-stream', `there is no schedule ${JSON.stringify(named)}`);
      if (found.length > 1)
        throw new AppError('ambiguous-run', `several schedules are called ${named}: name one by its id`);
      return row;
    },
    state,
    async times(id, count) {
      const { agreement, isPaused, isRemoved, due } = await state(id);
      if (isPaused || isRemoved || agreement === null) return [];
      const { createCalendar } = await import('../../../world/calendar/index.ts');
      const calendar = createCalendar();
      const found: number[] = [];
      let at = due?.at ?? calendar.next(agreement, systemClock.now());
      for (; at !== null && found.length < count; at = calendar.next(agreement, at)) found.push(at);
      return found;
    },
    ask,
  };
}

const problemsOf = (problems: readonly Problem[]): string => problems.map(({ message }) => message).join(' ');
