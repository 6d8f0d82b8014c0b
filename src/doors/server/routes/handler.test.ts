import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { type RouteName, routes, Scope } from '../../../core/contract/index.ts';
import type { App } from '../../app/app.ts';
import { type Asker, mustAllow } from '../../app/asker.ts';
import type { GuardedVariables } from '../http/guard.ts';
import { type Handlers, register } from './handler.ts';

/** Every route behind somebody who may only do so much; a handler that is reached answers 204. */
function servedTo(scope: Scope) {
  const hono = new Hono<GuardedVariables>();
  hono.use(async (context, next) => {
    context.set('asker', { actor: { person: 'ana', door: 'api' }, scope });
    await next();
  });
  hono.onError((error, context) => context.text((error as { code?: string }).code ?? '', 403));
  const reached = () => new Response(null, { status: 204 });
  const names = Object.keys(routes) as RouteName[];
  const handlers = Object.fromEntries(names.map((name) => [name, reached])) as unknown as Handlers;
  const streams = { admit: async (asker: Asker, needed: Scope) => mustAllow(asker, needed) };
  register(hono, handlers, { streams } as unknown as App);
  return hono;
}

const names = Object.keys(routes) as RouteName[];

it.each(Scope.options)('who may %s reaches what that allows, and is refused the rest', async (scope) => {
  const hono = servedTo(scope);
  for (const name of names) {
    const { method, path, scope: needed } = routes[name];
    const answer = await hono.request(`/api${path}`, { method });
    const isRefused = answer.status === 403 && (await answer.text()) === 'not-allowed';
    const order = Scope.options;
    expect([name, isRefused]).toEqual([name, order.indexOf(scope) < order.indexOf(needed)]);
  }
});

it('what changes rules, trust or settings is for those who decide', () => {
  const lower = names.filter((name) => routes[name].method !== 'GET' && routes[name].scope !== 'decide');
  expect(lower.toSorted()).toEqual([
    'askOfRun',
    'askOfStream',
    'createRun',
    'createTask',
    'explainRisk',
    'forkRun',
    'newAddress',
    'parseAction',
    'printActions',
    'repeatRun',
    'signOut',
    'undoGuarded',
    'undoRun',
    'validatePlan',
  ]);
});
