import { afterAll } from 'vitest';
import type { ChatState } from '../../src/core/contract/index.ts';
import { eventually } from '../support/processes.ts';
import { type Behaviour, startOpenAi, type WireServer } from '../wire/index.ts';
import type { WireRequest } from '../wire/script.ts';
import { type Stage, useStage } from './support.ts';

export const complex = 'Refactor a.ts and b.ts into modules, then update the tests';

/** A stage with a model that says what it is told to. */
export interface Talk {
  stage: Stage;
  /** What the model says from now on, one after the other; the last stays. */
  answers(...answers: Behaviour[]): void;
  /** The steps that its planner proposes. */
  plan: { steps: string[] };
  /** What the talking model was sent, as text. */
  heard(): string[];
  begin(mode?: 'teacher' | 'planner' | 'agentic'): Promise<string>;
  until(chat: string, holds: (state: ChatState) => boolean): Promise<ChatState>;
  /** Says something by the API, and waits until it is answered. */
  say(chat: string, text: string): Promise<ChatState>;
}

export function useTalk(): Talk {
  let wire: WireServer;
  const said: Behaviour[] = [];
  const plan = { steps: ['RUN_COMMAND echo planned > planned.txt'] };
  const isTalk = ({ body }: WireRequest) => body['model'] === 'talker';
  const stage = useStage(async () => {
    wire = await startOpenAi(
      (request) => {
        if (isTalk(request))
          return said.length > 1 ? said.shift()! : (said[0] ?? { text: 'I have nothing to say.' });
        if (request.body['model'] === 'planner') return { text: planText(plan.steps) };
        return { text: 'WHO: a person\nWHAT: it\nWHEN: now\nWHERE: here\nWHY: because' };
      },
      ['talker', 'planner', 'fast'],
    );
    return {
      PLANWRIGHT_MODELS_URL: wire.url,
      PLANWRIGHT_MODELS_CHAT: 'compatible/talker',
      PLANWRIGHT_MODELS_PLANNER: 'compatible/planner',
      PLANWRIGHT_MODELS_FAST: 'compatible/fast',
      PLANWRIGHT_SANDBOX: 'off',
    };
  });
  afterAll(() => wire?.close());
  const talk: Talk = {
    stage,
    plan,
    answers: (...more) => void said.splice(0, said.length, ...more),
    heard: () => wire.requests.filter(isTalk).map(({ body }) => JSON.stringify(body)),
    begin: async (mode = 'agentic') =>
      (await stage.server.client.createChat({ workspace: stage.folder, mode })).id,
    async until(chat, holds) {
      let state: ChatState | null = null;
      await eventually(async () => {
        state = (await stage.server.client.getStream(chat)).state as unknown as ChatState;
        return holds(state);
      }, `conversation ${chat}`);
      return state!;
    },
    async say(chat, text) {
      const { seq } = await stage.server.client.askOfStream(chat, {
        request: { type: 'message-sent', text },
      });
      return talk.until(chat, (state) => state.turn === null && state.seq > seq && state.inbox.length === 0);
    },
  };
  return talk;
}

const planText = (steps: readonly string[]): string =>
  `<json>${JSON.stringify({
    goal: 'g',
    thinking_summary: 'It is simple.',
    reflection: 'Nothing can go wrong.',
    ready: true,
    plan: steps.map((action, at) => ({ step: `Step ${at + 1}`, action, expects: 'exit 0' })),
  })}</json>`;
