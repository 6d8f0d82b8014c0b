import { readFile } from 'node:fs/promises';
import { createChatMachine } from '../../core/chat/index.ts';
import {
  type ChatState,
  type Config,
  type Driver,
  itemAt,
  type PlanOutcome,
  planStep,
  type RunState,
  turnsOf,
  usedCorrections,
} from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import type { SecretFilter } from '../../core/risk/secrets/index.ts';
import type { Performer } from '../../core/run/index.ts';
import type { Children, Output } from '../../core/stream/index.ts';
import { createChatMind } from '../../mind/chat/index.ts';
import type { ModelChain, Models } from '../../world/models/index.ts';
import { readPicture } from '../../world/tools/index.ts';
import {
  type CheckpointStore,
  createRunCheckpoints,
  locate,
  type RunCheckpoints,
} from '../../world/workspace/index.ts';
import { offlineBrain } from './diagnose.ts';
import type { GivenHere } from './environment.ts';
import { createLiveText } from './live-text.ts';
import type { McpHouse } from './mcp.ts';
import type { PerformedIn } from './performer.ts';
import type { Env } from './places.ts';
import type { OpenedMachine } from './streams.ts';

/** What driving a conversation needs. */
export interface ChatDriving {
  mcp: McpHouse;
  driver: Driver;
  givenHere: GivenHere;
  config: Config;
  env: Env;
  output: Output;
  filterOf(state: ChatState): SecretFilter;
  performing(
    state: PerformedIn,
    filter: () => SecretFilter,
    checkpoints?: RunCheckpoints,
  ): Promise<Performer>;
  models(): Promise<Models>;
  openCheckpoints(workspace: string): Promise<CheckpointStore>;
  runState(id: string): Promise<RunState>;
}

/** One activation of a conversation. */
export async function openChat(
  given: ChatDriving,
  id: string,
  state: ChatState,
  children: Children,
): Promise<OpenedMachine> {
  const { workspace, createdAt, begun, sealed } = state;
  const filter = given.filterOf(state);
  const checkpoints = createRunCheckpoints(workspace, () => given.openCheckpoints(workspace));
  const live = async (chain: ModelChain) => {
    const { withLiveText } = await import('../../world/models/index.ts');
    return withLiveText(chain, createLiveText(given.output, id, filter));
  };
  const mind = createChatMind({
    talker: async (model) => {
      const models = await given.models();
      return live(model === undefined ? models.forRole('chat') : models.only('chat', model));
    },
    fast: async () => (await given.models()).forRole('fast'),
    brain: offlineBrain(given.env),
    redact: (text) => filter.text(text),
    tools: async () => (await given.mcp.at(workspace)).tools(),
    notes: () => notesIn(workspace),
    about: async (run) => aboutRun(await given.runState(run)).catch(() => null),
    picture: (picture) => readPicture(given.output, id, picture).catch(() => null),
    offers: async (message) => (await import('./offers.ts')).offersFor(message, workspace),
  });
  const performer = await given.performing(
    { plan: null, workspace, createdAt, said: saidIn(state) },
    () => filter,
    checkpoints,
  );
  const ports = {
    performer,
    mind,
    checkpoints,
    children,
    outcomeOf: async (run: string) => outcomeOf(run, await given.runState(run)),
    changesOf: async (run: string) => (await import('./undo.ts')).changesOfPlan(await given.runState(run)),
  };
  const differs = given.givenHere.differs({ environment: begun?.environment ?? null, sealed });
  const machine = createChatMachine(given.driver, ports, differs);
  return { machine, close: () => checkpoints.close() };
}

/** What the person has said, and has just sent. */
const saidIn = (state: ChatState): string =>
  [
    ...turnsOf(state).map(({ text }) => text),
    ...state.inbox.flatMap(({ request }) => (request.type === 'message-sent' ? [request.text] : [])),
  ].join('\n');

const LONGEST_NOTES = 20_000;

/** What the folder says about working in it. It is shown to the model as what it is: text of the folder. */
async function notesIn(workspace: string): Promise<string | null> {
  try {
    const place = locate({ workspace, cwd: workspace }, 'AGENTS.md', { follow: true });
    try {
      if (place.entry.kind !== 'file') return null;
      return (await readFile(place.here(), 'utf8')).slice(0, LONGEST_NOTES);
    } finally {
      place.close();
    }
  } catch {
    return null;
  }
}

/** A plan that nobody agreed on is none: the message is answered without it. */
export function outcomeOf(run: string, state: RunState): PlanOutcome {
  const { plan, steps, status, stopReason: reason } = state;
  const wasBegun = steps.some(({ attempts }) => attempts > 0);
  const isDeclined = reason === 'plan-rejected' || reason === 'planning-failed';
  const agreed = plan !== null && !isDeclined && (wasBegun || status !== 'cancelled');
  const told = (plan?.steps ?? []).map(({ id, title }, at) => {
    const { status: how = 'pending', result = null } = itemAt(steps, at) ?? {};
    const message = result?.message;
    return { stepId: id, title, status: how, ...(message === undefined ? {} : { message }) };
  });
  const done = told.filter((step) => step.status === 'done').length;
  const others = told.filter((step) => step.status === 'failed' || step.status === 'skipped');
  const lines = others.map(
    (step) => `- ${step.title}: ${step.status}${step.message ? `, ${step.message}` : ''}`,
  );
  const head = agreed
    ? `The plan is ${status}: ${done} of ${told.length} steps done (run ${run}).`
    : `There was no plan that was agreed on (${reason ?? status}): ${state.message ?? 'the person declined it'}.`;
  return {
    run,
    state: status,
    reason,
    agreed,
    message: [head, ...(agreed ? lines : [])].join('\n'),
    corrections: mendedCalls(state),
    steps: told,
  };
}

/** How often steps that call tools were mended: what a tool's signal asked for, here as in the conversation. */
const mendedCalls = (state: RunState): number => {
  const calls = state.corrections.filter(
    ({ stepId }) => planStep(state, stepId)?.action.kind === 'call-tool',
  );
  return usedCorrections({ ...state, corrections: calls });
};

/** A run in words, for a conversation about it. */
function aboutRun({ plan, steps, status, stopReason, message }: RunState): Promise<string> {
  const lines = (plan?.steps ?? []).map(({ title, action }, at) => {
    const step = itemAt(steps, at);
    const said =
      step?.result?.why === undefined
        ? ''
        : `: ${step.result.message ?? ''}\n${step.result.stderrTail.slice(-1500)}`;
    return `${at + 1}. ${title} (${printAction(action)}) is ${step?.status ?? 'pending'}${said}`;
  });
  const head = `Goal: ${plan?.goal ?? ''}\nStatus: ${status} ${stopReason ?? ''} ${message ?? ''}`;
  return Promise.resolve([head, ...lines].join('\n').slice(0, 12_000));
}
