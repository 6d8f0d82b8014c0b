import { resolvePath } from '../paths.ts';
import type { ShellScope } from '../scope.ts';
import type { SimpleCommand } from '../types.ts';
import type { SafeRow } from './table.ts';
import { archiveRows } from './tables/archives.ts';
import { cloudRows } from './tables/clouds.ts';
import { containerRows } from './tables/containers.ts';
import { dataRows } from './tables/data.ts';
import { gitRows } from './tables/git.ts';
import { asksGit, printsHelp } from './tables/help.ts';
import { macRows } from './tables/mac.ts';
import { networkRows } from './tables/network.ts';
import { packageRows } from './tables/packages.ts';
import { systemRows } from './tables/system.ts';
import { textRows } from './tables/text.ts';
import { addsNothing } from './tables/wrappers.ts';
import type { SafeCheck } from './types.ts';

/**
 * What is proven to only read. Every program that is called safe has a line in a table that says which options it may be
 * given, which of them take a value and of what kind, and what its operands may be; see spec.ts for how they are written.
 * Whatever is not on the line ends the proof.
 */
const checks = checksByName([
  ...textRows,
  ...systemRows,
  ...dataRows,
  ...archiveRows,
  ...networkRows,
  ...gitRows,
  ...packageRows,
  ...containerRows,
  ...cloudRows,
  ...macRows,
]);

function checksByName(rows: readonly SafeRow[]): ReadonlyMap<string, SafeCheck[]> {
  const found = new Map<string, SafeCheck[]>();
  for (const [name, check] of rows) found.set(name, [...(found.get(name) ?? []), check]);
  return found;
}

/** Every program that has a line. For documentation and tests. */
export const provenNames: readonly string[] = [...checks.keys()].toSorted();

/** Folders whose programs are those of the system. */
const systems = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/;

/** The name stands for the program that it is known for: by no path into the folder, function or variable of its own. */
const isItself = (command: SimpleCommand, scope: ShellScope): boolean =>
  command.env.length === 0 &&
  (!command.path.includes('/') || systems.test(resolvePath(command.path, scope))) &&
  !scope.functions.has(command.name);

/** Only shows how it is used; the rules about what it would do otherwise do not speak of it. */
export const onlyHelp = (command: SimpleCommand, scope: ShellScope): boolean =>
  asksGit(command) || printsHelp(command, scope);

/** True only where this command, as written, is known to read and print and nothing else. */
export const isHarmless = (command: SimpleCommand, scope: ShellScope): boolean =>
  isItself(command, scope) &&
  (printsHelp(command, scope) || (checks.get(command.name)?.some((check) => check(command, scope)) ?? false));

/** True only where this command is as safe as what it starts, which is judged by itself. */
export const isTransparent = (command: SimpleCommand, scope: ShellScope): boolean =>
  isItself(command, scope) && addsNothing(command, scope);
