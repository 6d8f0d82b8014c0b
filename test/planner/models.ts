import { type Behaviour, startOpenAi, type WireServer } from '../wire/index.ts';
import type { WireRequest } from '../wire/script.ts';

/** Local servers that speak as real ones do: a chain of two planners and a fast model. */
export interface Office {
  env: Record<string, string>;
  /** What each model was told, in order: its name and the whole prompt. */
  asked: { model: string; prompt: string }[];
  close(): Promise<void>;
}

type Answers = Record<string, Behaviour | Behaviour[]>;

export async function openOffice(answers: Answers): Promise<Office> {
  const asked: Office['asked'] = [];
  const counts: Record<string, number> = {};
  const script = ({ body }: WireRequest): Behaviour => {
    const model = String(body['model']);
    const index = (counts[model] = (counts[model] ?? -1) + 1);
    asked.push({ model, prompt: JSON.stringify(body['messages']) });
    const answer = answers[model] ?? { status: 404, message: `no model ${model}` };
    return Array.isArray(answer) ? answer[Math.min(index, answer.length - 1)]! : answer;
  };
  const server: WireServer = await startOpenAi(script, Object.keys(answers));
  return {
    asked,
    env: {
      PLANWRIGHT_MODELS_PLANNER: 'compatible/big,compatible/small',
      PLANWRIGHT_MODELS_FAST: 'compatible/quick',
      PLANWRIGHT_MODELS_URL: server.url,
    },
    close: () => server.close(),
  };
}

export const planning = (actions: readonly string[], change: object = {}): Behaviour => ({
  text: `<json>${JSON.stringify({
    goal: 'greet',
    thinking_summary: 'It is short.',
    reflection: 'Nothing.',
    ready: true,
    plan: actions.map((action, index) => ({ step: index + 1, action, expects: 'exit 0' })),
    ...change,
  })}</json>`,
});

export const restating: Behaviour = {
  text: 'WHO: a person\nWHAT: greet the world\nWHEN: now\nWHERE: here\nWHY: to be kind',
};
