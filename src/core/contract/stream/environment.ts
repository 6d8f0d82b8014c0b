import { z } from 'zod';

/** The environment that a stream was given: each variable by its name, and its value by a name that does not tell it. */
export const GivenEnvironment = z.record(z.string(), z.string());
export type GivenEnvironment = z.infer<typeof GivenEnvironment>;

/** Values that must not be shown, as the store has sealed them. */
export const Sealed = z.array(z.string());

/** How an environment differs from the one that was given: names only. */
export const EnvironmentDifference = z.strictObject({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
});
export type EnvironmentDifference = z.infer<typeof EnvironmentDifference>;

/** Null where they are alike. */
export function differenceOf(given: GivenEnvironment, now: GivenEnvironment): EnvironmentDifference | null {
  const names = Object.keys(now).toSorted();
  const difference = {
    added: names.filter((name) => !Object.hasOwn(given, name)),
    removed: Object.keys(given)
      .filter((name) => !Object.hasOwn(now, name))
      .toSorted(),
    changed: names.filter((name) => Object.hasOwn(given, name) && given[name] !== now[name]),
  };
  return Object.values(difference).every(({ length }) => length === 0) ? null : difference;
}

/** `PATH is another; DEPLOY_TOKEN is missing`, for people. */
export function differenceWords({ added, removed, changed }: EnvironmentDifference): string {
  const say = (names: string[], one: string, many: string) =>
    names.length === 0 ? [] : [`${listed(names)} ${names.length === 1 ? one : many}`];
  return [
    ...say(changed, 'is another', 'are others'),
    ...say(removed, 'is missing', 'are missing'),
    ...say(added, 'is new', 'are new'),
  ].join('; ');
}

const SHOWN = 6;
const listed = (names: string[]): string =>
  names.length <= SHOWN
    ? names.join(', ')
    : `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`;
