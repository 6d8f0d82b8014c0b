import { expect } from 'vitest';
import {
  ApiError,
  type Client,
  createClient,
  type Route,
  type RouteName,
  routes,
} from '../../src/core/contract/index.ts';
import { token } from './support.ts';

const patternOf = (path: string) => new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}$`);

const routeOf = (method: string, path: string): [RouteName, Route] => {
  const all = Object.entries(routes) as [RouteName, Route][];
  const found = all.find(([, route]) => route.method === method && patternOf(route.path).test(path));
  if (found === undefined) throw new Error(`${method} ${path} is not in the contract`);
  return found;
};

/** A client whose every answer is compared with its schema; `called` has the routes that were used. */
export function checkedClient(baseUrl: string): { client: Client; called: Set<RouteName> } {
  const called = new Set<RouteName>();
  const client = createClient({
    baseUrl,
    token,
    async fetch(address, init = {}) {
      const [name, route] = routeOf(init.method ?? 'GET', new URL(address).pathname);
      called.add(name);
      const answer = await fetch(address, init);
      if (answer.ok && 'json' in route.answer) route.answer.json.parse(await answer.clone().json());
      return answer;
    },
  });
  return { client, called };
}

/** How a call was refused; the reason has to be a sentence. */
export async function refusal(promise: Promise<unknown>): Promise<{ status: number; code: string }> {
  const error = await promise.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw error;
  expect(error.message).toMatch(/\w+ \w+/);
  return { status: error.status, code: error.code };
}
