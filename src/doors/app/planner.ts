import {
  type Config,
  type ModelName,
  type ModelRole,
  type RunState,
  TOOLS,
  toolNames,
} from '../../core/contract/index.ts';
import { findSecretLiteral, type SecretFilter } from '../../core/risk/secrets/index.ts';
import type { Planner } from '../../core/run/index.ts';
import { type Chain, createPlanner, lookAround, type PlannerReply } from '../../mind/planner/index.ts';
import { jsonSchemaOf, type ModelChain, type Models } from '../../world/models/index.ts';
import { createExperience, type RunStore } from './experience.ts';
import { workspaceFacts } from './facts.ts';
import type { McpHouse } from './mcp.ts';
import type { Env } from './places.ts';

export interface RunPlannerOptions {
  config: Config;
  env: Env;
  filterFor(state: RunState): SecretFilter;
  store: RunStore;
  models(): Promise<Models>;
  /** Where a chain's text can be watched as it arrives. */
  live(chain: ModelChain, state: RunState): Promise<ModelChain>;
  mcp: McpHouse;
}

/** Of ours, those that a plan may call. */
const ownTools = () =>
  toolNames
    .filter((name) => TOOLS[name].inPlans === true)
    .map((name) => ({ name, means: TOOLS[name].means, parameters: jsonSchemaOf(TOOLS[name].args) }));

/** The planner of one run, over the models of this person. */
export function createRunPlanner(
  state: RunState,
  { config, env, filterFor, store, models, live, mcp }: RunPlannerOptions,
): Planner {
  const filter = filterFor(state);
  /** The run decides whose turn it is, so one model is asked and nobody after it. */
  const chainOf = (role: ModelRole): Chain => ({
    async ask(model: ModelName, { ledger, ...question }): Promise<PlannerReply> {
      const chain = await live((await models()).only(role, model), state);
      const answer = await chain.callRaw(question, ledger);
      if (answer.ok) return { ok: true, text: answer.text, model: answer.model, durationMs: answer.ms };
      // Whoever lost the claim sends nothing more: it is no fault of the model.
      const { why, message, ms } = answer;
      return { ok: false, why: why === 'lost' ? 'aborted' : why, message, durationMs: ms };
    },
  });
  return createPlanner({
    models: { planner: chainOf('planner'), fast: chainOf('fast') },
    identity: { name: config['planner.name'], backstory: config['planner.backstory'] },
    experience: createExperience(store),
    look: (workspace, shell) => lookAround(workspace, env, shell),
    facts: (workspace) => workspaceFacts(workspace, env),
    findSecret: findSecretLiteral,
    tools: async (workspace) => [
      ...ownTools(),
      ...(await mcp.at(workspace).then(
        (servers) => servers.tools(),
        () => [],
      )),
    ],
    redact: (text) => filter.text(text),
  });
}
