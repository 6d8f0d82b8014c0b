import { expect, it } from 'vitest';
import { type ChatState, initialChatState, type Turn } from '../contract/index.ts';
import type { RestoreOutcome, RestoreWork } from '../run/index.ts';
import type { PlanChanges } from './ports.ts';
import { undoTurns } from './undo.ts';

const outcome = (over: Partial<Extract<RestoreOutcome, { ok: true }>> = {}): RestoreOutcome => ({
  ...{ ok: true, after: 'x', restored: [], left: [], leftCount: 0, failedCount: 0, stopped: false },
  ...over,
});

const call = (id: string, tool: string) => ({
  id,
  tool,
  started: tool === 'plan' ? null : { epoch: 1, host: 'h', boot: 'b' },
  judged: { verdict: { level: 'caution' } },
});

/** Message 1 with these calls, in their order, and the plans of those that ask for one. */
function stateOf(calls: ReturnType<typeof call>[], range: Turn['range']): ChatState {
  const plans = calls.filter(({ tool }) => tool === 'plan').map(({ id }) => ({ run: `cp${id}` }));
  const turn = { n: 1, rounds: [{ calls }], plans, range } as unknown as Turn;
  return { ...initialChatState, begun: { chat: 'c' }, past: [[turn]] } as unknown as ChatState;
}

async function undo(state: ChatState, done: RestoreOutcome, changes: Partial<PlanChanges> = {}) {
  const asked: RestoreWork[] = [];
  const ports = {
    checkpoints: {
      take: async () => ({ ok: false as const, code: 'x', message: 'x' }),
      restore: async (work: RestoreWork) => {
        asked.push(work);
        return done;
      },
    },
    changesOf: async () => ({ ranges: [{ before: 'p', after: 'q' }], reachedBeyond: false, ...changes }),
  };
  const facts = await undoTurns(ports, { kind: 'undo', state, turn: 1 }, new AbortController().signal);
  return { facts, ranges: asked.flatMap(({ ranges }) => ranges.map(({ before, after }) => before + after)) };
}

const own = { before: 'a', after: 'b', late: false, epoch: 1 };
const [plan, edit] = [call('1', 'plan'), call('2', 'edit_file')];

it('what a plan of the message changed is put back with the rest, once', async () => {
  expect((await undo(stateOf([plan], null), outcome())).ranges).toEqual(['pq']);
  expect((await undo(stateOf([plan, edit], own), outcome())).ranges).toEqual(['pq', 'ab']);
  // Begun after the first change, it lies between the checkpoints of the message.
  expect((await undo(stateOf([edit, plan], own), outcome())).ranges).toEqual(['ab']);
});

it('what a plan did beyond the files is named, with the command for it', async () => {
  const { facts } = await undo(stateOf([plan], null), outcome(), { reachedBeyond: true });
  expect(facts).toMatchObject([
    { type: 'turn-undone', message: expect.stringContaining('planwright undo cp1') },
  ]);
});

it.each([
  ['it cannot be begun', { ok: false, code: 'x', message: 'The checkpoint is gone.' } as const, 'is gone'],
  [
    'a file cannot be written',
    outcome({ left: [{ path: 'a.txt', why: 'it is a folder' }], leftCount: 1, failedCount: 1 }),
    'a.txt: it is a folder',
  ],
  ['it is stopped', outcome({ stopped: true }), 'stopped'],
])('%s: nothing is forgotten, and what went wrong is said', async (_, done, words) => {
  const { facts } = await undo(stateOf([edit], own), done);
  expect(facts).toEqual([{ type: 'undo-failed', turn: 1, message: expect.stringContaining(words) }]);
});

it('what somebody has changed since is left, and the message is forgotten all the same', async () => {
  const done = outcome({ left: [{ path: 'a.txt', why: 'changed' }], leftCount: 1 });
  expect((await undo(stateOf([edit], own), done)).facts).toMatchObject([
    { type: 'turn-undone', leftCount: 1 },
  ]);
});
