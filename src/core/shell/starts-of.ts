import { carrierNames, readCarrier } from './carriers.ts';
import { readGit } from './git.ts';
import { isShell, shellCall } from './interpreters.ts';
import { many } from './many.ts';
import { remote } from './remote.ts';
import { programName, type Reader, type Starts, starts, text, type Words } from './started.ts';
import { isPlainWrapper, readWrapper, wrapperNames, wrapsElsewhere } from './wrappers.ts';

const readShell: Reader = (words) => {
  const call = shellCall(words);
  if (call.dry) return starts({});
  if (call.script !== undefined)
    return starts({ started: [text(call.script, call.script + 1, call.skip)], clear: call.plain });
  return starts({ reads: !call.command && call.file === undefined });
};

const readers = new Map<string, Reader>([
  ...carrierNames.map((name) => [name, (words: Words) => readCarrier(name, words)] as const),
  ...wrapperNames.map((name) => [name, (words: Words) => readWrapper(name, words)] as const),
  ['git', readGit],
  ...Object.entries(remote),
  ...Object.entries(many),
]);

/** A program that may run a command which is among its words. */
export const isWrapper = (name: string): boolean => isShell(name) || readers.has(name);

/** A program whose words may be a command, wherever among them it begins. */
export const takesCommand = (name: string): boolean =>
  isPlainWrapper(name) || Object.hasOwn(many, name) || Object.hasOwn(remote, name);

/** Its words name paths of another machine, or below another root. */
export const startsElsewhere = (name: string): boolean =>
  Object.hasOwn(remote, name) || wrapsElsewhere(name) || name === 'adb';

/**
 * What a command starts, as its words say; undefined where it is none that starts others. The one place that knows:
 * judge, resolver, substitution, validator and brain all ask here.
 */
export function startsOf(words: Words): Starts | undefined {
  const name = programName(words[0] ?? '');
  return isShell(name) ? readShell(words) : readers.get(name)?.(words);
}
