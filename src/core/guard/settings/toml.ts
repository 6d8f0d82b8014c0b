import type { Edited, EntriesByEvent } from './edit.ts';
import { MARK } from './line.ts';

/*
 * Tables can stand anywhere in a TOML file, so ours stand at its end, between two comments: nothing else is read or changed.
 */

const begin = `# ${MARK}: begin`;
const end = `# ${MARK}: end`;

/** A text in TOML, whatever is in it. */
const text = (value: string): string => JSON.stringify(value).replaceAll('\u007f', '\\u007f');

interface HookEntry {
  hooks: readonly { type: string; command: string; timeout: number }[];
}

/** The same entries as tables: each has one command. */
const tablesOf = (entries: EntriesByEvent): string[] =>
  Object.entries(entries).flatMap(([event, list]) =>
    (list as readonly HookEntry[]).flatMap(({ hooks: [hook] }) => [
      `[[hooks.${event}]]`,
      `[[hooks.${event}.hooks]]`,
      `type = ${text(hook!.type)}`,
      `command = ${text(hook!.command)}`,
      `timeout = ${hook!.timeout}`,
    ]),
  );

export const tables = (entries: EntriesByEvent): string => [begin, ...tablesOf(entries), end].join('\n');

export const hasHookTables = (toml: string): boolean => /^[ \t]*\[\[?[ \t]*hooks[ \t]*[.\]]/m.test(toml);

export function addTables(toml: string, entries: EntriesByEvent): Edited {
  const gap = toml === '' || toml.endsWith('\n') ? '' : '\n';
  return { ok: true, text: `${toml}${gap}${tables(entries)}\n` };
}

/** What was put in, and with it the line break that it needed where the file `before` ended without one. */
export function removeTables(toml: string, before: string | null): Edited {
  const from = toml.indexOf(begin);
  const to = toml.indexOf(end, from);
  if (from < 0 || to < 0) return { ok: true, text: toml };
  const head = toml.slice(0, from);
  const kept = before !== null && !before.endsWith('\n') && head === `${before}\n` ? before : head;
  return { ok: true, text: kept + toml.slice(to + end.length).replace(/^\r?\n/, '') };
}

export const hasTables = (toml: string): boolean => toml.includes(begin);
