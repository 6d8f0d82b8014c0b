import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ChatPorts, chatKind, createChatMachine } from '../../src/core/chat/index.ts';
import {
  type ChatEvent,
  type ChatState,
  defaultLimits,
  hashBy,
  turnsOf,
} from '../../src/core/contract/index.ts';
import { nothingToDo, type Performer } from '../../src/core/run/index.ts';
import {
  createFolds,
  drive,
  type Folded,
  kindsOf,
  redeemPermit,
  type Store,
} from '../../src/core/stream/index.ts';
import { thisDriver } from '../../src/world/process/identity.ts';
import { foldVersion, openStore, systemClock } from '../../src/world/store/index.ts';
import { placeOf } from '../../src/world/workspace/index.ts';
import { openRawInserts } from '../raw-inserts.ts';
import { median, type Row } from '../row.ts';

const MESSAGES = 2000;
const WARM = 20;
const TIMED = 100;

/** What we add to a turn whose model and tools take no time, every event durable; and what it costs to open a long one. */
export async function benchChat(): Promise<Row[]> {
  hashBy((text) => hash('sha256', text));
  const dir = mkdtempSync(join(import.meta.dirname, '.scratch-'));
  const driver = thisDriver();
  const store = await openStore<ChatEvent>({ kinds: kindsOf(chatKind), dir, driver });
  try {
    await begin(store, 'short', dir);
    for (let turn = 1; turn <= WARM; turn += 1) await say(store, 'short', turn);
    const raw = openRawInserts(join(dir, 'raw.db'), 'x'.repeat(600));
    const before = process.cpuUsage();
    const times: number[] = [];
    for (let turn = WARM + 1; turn <= WARM + TIMED; turn += 1) times.push(await say(store, 'short', turn));
    const { user, system } = process.cpuUsage(before);
    const rawFrom = performance.now();
    raw.insert(TIMED);
    const insert = (performance.now() - rawFrom) / TIMED;
    raw.close();
    await copy(store, dir);
    const cold: number[] = [];
    for (let n = 0; n < 5; n += 1) cold.push(await opened(store, noSnapshots));
    await opened(store, store.snapshots);
    const kept: number[] = [];
    for (let n = 0; n < 5; n += 1) kept.push(await opened(store, store.snapshots));
    const messages = MESSAGES.toLocaleString('en');
    return [
      {
        name: 'our overhead per turn',
        value: median(times),
        unit: 'ms',
        target: '< 10',
        note: `one call, two answers; every event synced, and a synced insert takes ${insert.toFixed(1)} ms here`,
      },
      { name: 'processor time of it', value: (user + system) / 1000 / TIMED, unit: 'ms', target: '< 10' },
      { name: `opening ${messages} messages`, value: median(kept), unit: 'ms', target: '< 300' },
      { name: `opening ${messages} messages without a snapshot`, value: median(cold), unit: 'ms' },
    ];
  } finally {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

const noSnapshots = { load: async () => null, save: async () => {} };

/** A long conversation out of one turn of the short one, said again and again. */
async function copy(store: Store<ChatEvent>, workspace: string): Promise<void> {
  const all = await store.read('short', 0);
  const from = all.findLastIndex(({ event }) => event.type === 'message-sent');
  const turn = JSON.stringify(all.slice(from).map(({ event }) => event));
  const size = all.length - from;
  const n = WARM + TIMED;
  await begin(store, 'long', workspace);
  for (let at = 1; at <= MESSAGES; at += 1) {
    const events = JSON.parse(
      turn
        .replaceAll(`"turn":${n},`, `"turn":${at},`)
        .replaceAll(`t${n}r`, `t${at}r`)
        .replaceAll(`"answers":${from + 1}`, `"answers":${(at - 1) * size + 2}`),
    ) as ChatEvent[];
    await store.append('long', { id: `copy ${at}`, events });
  }
}

async function begin(store: Store<ChatEvent>, id: string, workspace: string): Promise<void> {
  const begun: ChatEvent = {
    v: 1,
    at: systemClock.now(),
    type: 'chat-begun',
    chat: id,
    place: placeOf(workspace),
    options: {
      mode: 'agentic',
      onAsk: 'wait',
      planning: 'never',
      onFailure: 'continue',
      limits: { money: 1000, tokens: 1_000_000_000, toolRounds: 25, corrections: 3 },
      runLimits: defaultLimits,
      checkpoints: 'off',
      shell: 'bash',
      chain: { planner: [], fast: [] },
    },
  };
  await store.begin(id, { kind: 'chat', id: 'begin', events: [begun] });
}

let kept: Folded<ChatState> | undefined;

async function say(store: Store<ChatEvent>, id: string, turn: number): Promise<number> {
  const by = { person: 'bench', door: 'library' as const };
  const key = `k${turn}`;
  const text = `message ${turn}: ${'word '.repeat(20)}`;
  const started = performance.now();
  await store.append(id, {
    id: key,
    events: [{ v: 1, at: systemClock.now(), type: 'message-sent', key, by, text }],
  });
  const claimed = await store.claim(id);
  if (!claimed.ok) throw new Error('somebody else drives it');
  let appended = 0;
  const rest = await drive(id, {
    machine: createChatMachine(thisDriver(), ports()),
    journal: store,
    claim: claimed.claim,
    clock: systemClock,
    newId: () => `${turn}.${++appended}`,
    ...(kept === undefined ? {} : { from: kept }),
    onFolded: (folded) => {
      kept = folded;
    },
  });
  await claimed.claim.release();
  if (rest.why !== 'waiting') throw new Error(`it rests because ${rest.why}`);
  return performance.now() - started;
}

function ports(): ChatPorts {
  let round = 0;
  const call = { wire: 'w', tool: 'write_file', args: { path: 'a.txt', content: 'x' } };
  const verdict = { level: 'caution' as const, reasons: [], reversible: true, needs: [], paths: [] };
  const performer: Performer = {
    judge: async ({ run, step, revision, session }) => ({
      verdict,
      subject: { run, stepId: step.id, revision, action: step.action, cwd: session.cwd, paths: [] },
    }),
    attempt: async ({ judged }, permit, hooks) => {
      if (!redeemPermit(permit, judged.subject)) throw new Error('no permit');
      await hooks.prepared([{ path: 'a.txt', before: 'absent', after: 'file:1' }]);
      return nothingToDo('done');
    },
    recover: async () => ({ finding: 'not-started', detail: '' }),
    release: async () => [],
    endServices: async () => [],
    survey: async () => [],
  };
  return {
    performer,
    children: { begin: async () => {}, cancel: async () => {} },
    changesOf: async () => ({ ranges: [], reachedBeyond: false }),
    outcomeOf: async (run) => ({ run, state: 'done', reason: null, agreed: true, message: '', steps: [] }),
    mind: {
      consider: () => ({ plan: false, score: 0, reasons: [], calls: [], isCommand: false }),
      answer: async () => {
        round += 1;
        const text = 'an answer of some length '.repeat(10);
        const model = { provider: 'p', model: 'm' };
        return { ok: true, text, calls: round === 1 ? [call] : [], model, cutOff: false };
      },
      reply: async () => '',
      diagnose: async () => '',
      summarise: async () => null,
      tooLong: () => null,
    },
  };
}

async function opened(
  store: Store<ChatEvent>,
  snapshots: Pick<Store['snapshots'], 'load' | 'save'>,
): Promise<number> {
  const started = performance.now();
  const folds = createFolds({
    kind: chatKind,
    streams: store,
    snapshots,
    version: foldVersion,
  });
  const { state } = await folds.at('long');
  if (turnsOf(state).length !== MESSAGES) throw new Error('not all of it was folded');
  return performance.now() - started;
}
