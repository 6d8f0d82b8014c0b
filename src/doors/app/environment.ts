import {
  differenceOf,
  type GivenEnvironment,
  modelKeyVariables,
  type Plan,
  type RunState,
  secretInputs,
} from '../../core/contract/index.ts';
import { secretValues } from '../../core/risk/secrets/index.ts';
import type { FactOf } from '../../core/run/index.ts';
import type { Sealing } from '../../core/stream/index.ts';
import { lastingEnvironment } from '../../world/process/environment.ts';
import type { Env } from './places.ts';
import { openSealed } from './secrets.ts';

/** The environment of this process as runs write it down: names, and what must be hidden sealed. */
export interface GivenHere {
  /** For the fact that begins a run. `inherited`: what the run that it comes from has sealed. */
  given(
    run: { plan?: Plan; inputs?: Readonly<Record<string, string>> },
    inherited?: readonly string[],
  ): { environment: GivenEnvironment; sealed: string[] };
  /** How it differs from what a run was given; null where it does not, and where that was not written down. */
  differs(state: Pick<RunState, 'environment' | 'sealed'>): FactOf<'environment-differs'> | null;
}

export function createGivenHere(env: Env, sealing: Sealing): GivenHere {
  const known = new Map<string, { value: string; named: string }>();
  /** A worker tells of the same few variables for every run. */
  const named = (name: string, value: string): string => {
    const before = known.get(name);
    if (before?.value === value) return before.named;
    const one = { value, named: sealing.nameOf(value) };
    known.set(name, one);
    return one.named;
  };
  const environment = (): GivenEnvironment =>
    Object.fromEntries(
      Object.entries(lastingEnvironment(env)).map(([name, value]) => [name, named(name, value)]),
    );
  return {
    given({ plan, inputs = {} }, inherited = []) {
      const secrets = [...secretValues(env), ...secretInputs(plan, inputs)];
      return { environment: environment(), sealed: [...inherited, ...secrets.map(sealing.seal)] };
    },
    differs(state) {
      const difference = state.environment && differenceOf(state.environment, environment());
      if (difference === null) return null;
      const known = new Set(openSealed(state.sealed, sealing));
      const sealed = secretValues(env).flatMap((value) => (known.has(value) ? [] : [sealing.seal(value)]));
      return { type: 'environment-differs', ...difference, ...(sealed.length === 0 ? {} : { sealed }) };
    },
  };
}

/** The variables that are set and that the plan names. */
export function variablesNamed(env: Env, plan: Plan): string[] {
  const text = JSON.stringify(plan);
  return Object.keys(lastingEnvironment(env))
    .filter((name) => names(text, name))
    .toSorted();
}

/** What a run's steps may see of it: the keys of models only where its plan names the variable. */
export function withoutModelKeys(env: Env, plan: Plan | null): Env {
  const text = JSON.stringify(plan ?? {});
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !modelKeyVariables.has(name) || names(text, name)),
  );
}

/**
 * What the calls of a conversation may see of it: nothing that looks like a secret, but what the person has named in their own
 * words. What a model is told to send away by a text that it reads is then not there to be sent.
 */
export const withoutSecrets = (env: Env, said: string): Env =>
  Object.fromEntries(
    Object.entries(withoutModelKeys(env, null)).filter(
      ([name, value]) => secretValues({ [name]: value }).length === 0 || names(said, name),
    ),
  );

const names = (text: string, name: string): boolean =>
  new RegExp(`(?<![A-Za-z0-9_])${name}(?![A-Za-z0-9_])`).test(text);
