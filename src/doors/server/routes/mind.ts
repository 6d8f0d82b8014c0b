import {
  type ModelName,
  ModelRole,
  noSpending,
  type Remembered,
  type Routes,
} from '../../../core/contract/index.ts';
import { createLedger } from '../../../core/stream/index.ts';
import type { Answer, FoundProvider } from '../../../world/models/index.ts';
import type { App } from '../../app/app.ts';
import { AppError } from '../../app/errors.ts';
import { setModelKey } from '../../app/keys.ts';
import { forgetFix, type KnownFix, listFixes } from '../../app/memory.ts';
import { findWorkspace } from '../../app/places.ts';
import { HttpError } from '../http/errors.ts';
import type { Call, Desk, Handlers } from './handler.ts';

type Names = 'adviseRun' | 'setModelKey' | 'getModels' | 'testModel' | 'getMemory' | 'forget';

export function mindRoutes({ app, views }: Desk): Handlers<Names> {
  return {
    async adviseRun({ params }) {
      const { exact, redactor } = await views.view(params['id']!);
      const advice = await app.adviseOn(params['id']!, exact);
      if (advice === null) return { stepId: null, correction: null, requests: null };
      const { stepId, correction, requests } = advice;
      const told = redactor.value(requests);
      // Sent back with its secrets hidden it would say something else: that can be done in a terminal alone.
      const isWhole = JSON.stringify(told) === JSON.stringify(requests);
      return { stepId, correction: redactor.value(correction), requests: isWhole ? told : null };
    },
    async getModels() {
      const models = await app.models();
      const found = await models.list();
      const roles = await Promise.all(
        ModelRole.options.map(async (role) => ({
          role,
          chain: (await models.chainOf(role)).map((name) => linkOf(name, found)),
        })),
      );
      const providers = found.map(({ provider, host, isUsable, why }) => ({ provider, host, isUsable, why }));
      return views.common.value({ providers, roles });
    },
    async setModelKey({ body: { provider, key } }) {
      const found = (await (await app.models()).list()).find((one) => one.provider === provider);
      if (found === undefined)
        throw new HttpError(404, 'no-such-provider', `there is no provider ${provider}`);
      if (found.host === '')
        throw new HttpError(409, 'no-address', 'say first where it answers: the address of a model server');
      await setModelKey(app.places, provider, found.host, key);
      return {};
    },
    async testModel({ body, request }) {
      const name = await nameOf(app, body);
      if (name === null) {
        const message =
          'there is no model to ask; plans and runbooks run without one, and rules mend the rest';
        return { ok: false, provider: null, model: null, message, durationMs: null };
      }
      return views.common.value(tested(name, await tryModel(app, name, request.signal)));
    },
    async getMemory({ query }) {
      const workspace = findWorkspace(app.workspace, query.workspace);
      const fixes = await listFixes(app.fixes, workspace);
      // A fix that is kept for the folder and for the user is one fix: forgetting it forgets both.
      const once = new Map(fixes.toReversed().map((fix) => [fix.id, rememberedOf(fix, workspace)]));
      return views.common.value({ fixes: [...once.values()].toReversed() });
    },
    async forget({ params }) {
      try {
        await forgetFix(app.fixes, app.workspace, params['id']!);
        return {};
      } catch (error) {
        if (error instanceof AppError) throw new HttpError(404, 'no-such-fix', error.message);
        throw error;
      }
    },
  };
}

function linkOf(name: ModelName, found: readonly FoundProvider[]) {
  const provider = found.find((one) => one.provider === name.provider);
  return {
    ...name,
    available: provider?.isUsable ?? false,
    detail: provider?.why ?? 'it was configured, and is not among what is found here',
  };
}

/** The one that is named, or the first of its role. */
async function nameOf(
  app: App,
  { role = 'planner', provider, model }: Call<Routes['testModel']>['body'],
): Promise<ModelName | null> {
  if (provider !== undefined && model !== undefined) return { provider, model };
  const chain = await (await app.models()).chainOf(role);
  return chain.find((name) => provider === undefined || name.provider === provider) ?? null;
}

/** One tiny call, within the limits of a run of its own. */
async function tryModel(app: App, name: ModelName, signal: AbortSignal): Promise<Answer> {
  const { values } = app.config;
  const limits = { money: values['limits.money'], tokens: values['limits.tokens'] };
  const ledger = createLedger({ spending: noSpending, limits, record: async () => true });
  return (await app.models()).test(name, ledger, signal);
}

function tested(name: ModelName, answer: Answer) {
  if (!answer.ok) return { ok: false, ...name, message: answer.message, durationMs: null };
  return {
    ok: true,
    ...answer.model,
    message: `it answered: ${answer.text.slice(0, 200)}`,
    durationMs: answer.ms,
  };
}

const rememberedOf = (fix: KnownFix, workspace: string): Remembered => ({
  id: fix.id,
  failure: fix.message === '' ? fix.command : `${fix.command}: ${fix.message}`,
  fix: fix.mends.join('; then '),
  successes: fix.successes,
  failures: fix.failures,
  workspace: fix.scope === 'workspace' ? workspace : null,
});
