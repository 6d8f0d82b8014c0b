import { type ModelRole, printModelName } from '../../core/contract/index.ts';
import type { Clock } from '../../core/stream/index.ts';
import type { Answer, CallRequest, ModelChain, Models } from '../../world/models/index.ts';
import type { DebugLog } from './debug-log.ts';

/** The same models; whatever they are asked and answer is also in the log. */
export function loggedModels(models: Models, log: DebugLog, clock: Pick<Clock, 'now'>): Models {
  const logged = (role: ModelRole, chain: ModelChain): ModelChain => {
    const keep = <A extends Answer>(request: CallRequest, answer: A): A => {
      log.write({
        at: new Date(clock.now()).toISOString(),
        purpose: request.purpose,
        model: answer.ok ? printModelName(answer.model) : role,
        ms: answer.ok ? answer.ms : 0,
        prompt: [request.system, ...request.messages.map(({ content }) => content), request.aside ?? '']
          .filter((text) => text !== '')
          .join('\n\n'),
        answer: answer.ok ? answer.text : `${answer.why}: ${answer.message}`,
      });
      return answer;
    };
    return {
      callRaw: async (request, ledger) => keep(request, await chain.callRaw(request, ledger)),
      callStructured: async (request, ledger) => keep(request, await chain.callStructured(request, ledger)),
    };
  };
  return {
    ...models,
    forRole: (role) => logged(role, models.forRole(role)),
    only: (role, name) => logged(role, models.only(role, name)),
  };
}
