import {
  chmodSync,
  existsSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type GuardedAgent, guardedAgents } from '../../../core/contract/guard/index.ts';
import {
  checkpointsIn,
  type HookProgram,
  hasGuard,
  hasHookTables,
  settingsOf,
  withGuard,
  withoutGuard,
} from '../../../core/guard/settings/index.ts';
import { makeFolder } from '../../../world/store/folder.ts';
import { agreeAtFirst, mustBePerson } from '../agreed.ts';
import { AppError } from '../errors.ts';
import { readIfThere, writePrivate } from '../files.ts';
import { type Env, homeOf, type Places } from '../places.ts';

export interface InstallQuery {
  places: Places;
  env: Env;
  /** The project, where it is for one; a real path. */
  workspace: string;
  scope: 'user' | 'project';
}

/** A change of one settings file, as it would be made. `after` null: the file goes. */
export interface SettingsEdit {
  agent: GuardedAgent;
  file: string;
  before: string | null;
  after: string | null;
}

/** What was there before an installation, so that it can be taken back to the byte. */
const Installed = z.object({
  agent: z.enum(guardedAgents),
  before: z.string().nullable(),
  after: z.string(),
  /** Folders that were made for it, the innermost first. */
  made: z.array(z.string()),
});
type Installed = z.infer<typeof Installed>;

const recordOf = ({ data }: Places): string => join(data, 'guard.json');

/** By file. What is damaged is not known: then what is ours is taken out, and nothing put back. */
function readRecord(places: Places): Record<string, Installed> {
  try {
    const all = z.record(z.string(), z.unknown()).parse(JSON.parse(readIfThere(recordOf(places)) ?? '{}'));
    return Object.fromEntries(
      Object.entries(all).flatMap(([file, value]) => {
        const { data } = Installed.safeParse(value);
        return data === undefined ? [] : [[file, data]];
      }),
    );
  } catch {
    return {};
  }
}

const keepRecord = (places: Places, record: Record<string, Installed>): void =>
  writePrivate(recordOf(places), `${JSON.stringify(record, null, 2)}\n`);

/** The file that is edited: Codex reads two, and warns where both have hooks. */
export function settingsFile(agent: GuardedAgent, { env, workspace, scope }: InstallQuery): string {
  const file = settingsOf(agent, homeOf(env), workspace, env)[scope];
  if (agent !== 'codex' || existsSync(file)) return file;
  const toml = join(dirname(file), 'config.toml');
  return hasHookTables(readIfThere(toml) ?? '') ? toml : file;
}

/** What is to be called; `checkpoints` null: as it is installed already, else where the folder is trusted. */
export type WantedProgram = Omit<HookProgram, 'checkpoints'> & { checkpoints: string | null };

/** What an installation calls, given what is there. */
export function programFor(agent: GuardedAgent, query: InstallQuery, wanted: WantedProgram): HookProgram {
  const { checkpoints } = wanted;
  const there = checkpoints === null ? (readIfThere(settingsFile(agent, query)) ?? '') : '';
  return { ...wanted, checkpoints: checkpoints ?? checkpointsIn(there) ?? 'auto' };
}

/** Those that somebody uses here: their folder is there. */
export const agentsHere = (query: InstallQuery): GuardedAgent[] =>
  guardedAgents.filter((agent) => {
    const file = settingsOf(agent, homeOf(query.env), query.workspace, query.env).user;
    const below = agent === 'copilot' || agent === 'opencode' ? dirname(dirname(file)) : dirname(file);
    return existsSync(below);
  });

/** What installing would change; null where it is installed as it would be. Throws an AppError where it cannot be. */
export function planInstall(
  agent: GuardedAgent,
  query: InstallQuery,
  wanted: WantedProgram,
): SettingsEdit | null {
  const file = settingsFile(agent, query);
  const text = readIfThere(file);
  const before = readRecord(query.places)[file]?.before ?? null;
  const program = programFor(agent, query, wanted);
  const edited = withGuard(agent, { file, text: text ?? '', before }, program);
  if (!edited.ok) throw new AppError('config-invalid', `${file}: ${edited.problem}`);
  return edited.text === text ? null : { agent, file, before: text, after: edited.text };
}

/** What uninstalling would change; null where there is nothing of ours. */
export function planUninstall(agent: GuardedAgent, query: InstallQuery): SettingsEdit | null {
  const file = settingsFile(agent, query);
  const text = readIfThere(file);
  if (text === null || !hasGuard(agent, file, text)) return null;
  const known = readRecord(query.places)[file];
  if (known !== undefined && known.after === text) return { agent, file, before: text, after: known.before };
  const edited = withoutGuard(agent, { file, text, before: known?.before ?? null });
  if (!edited.ok) throw new AppError('config-invalid', `${file}: ${edited.problem}`);
  return {
    agent,
    file,
    before: text,
    after: edited.text === '' && known?.before == null ? null : edited.text,
  };
}

/** Makes the change. Rejects with an AppError where a run or an agent started this process, or the file has changed since. */
export async function applyEdit(
  places: Places,
  edit: SettingsEdit,
  what: 'install' | 'uninstall',
): Promise<void> {
  await mustBePerson(places);
  await agreeAtFirst(places);
  const { agent, file, before, after } = edit;
  if (readIfThere(file) !== before)
    throw new AppError('config-invalid', `${file} has changed meanwhile: look at it, and try again`);
  const record = readRecord(places);
  const known = record[file];
  if (what === 'install') {
    const made = known?.made ?? missingAbove(file);
    record[file] = { agent, before: withoutOurs(edit, known), after: after ?? '', made };
    keepRecord(places, record);
    replaceText(file, after ?? '');
    return;
  }
  if (after === null) rmSync(file, { force: true });
  else replaceText(file, after);
  for (const folder of known?.made ?? []) removeIfEmpty(folder);
  delete record[file];
  keepRecord(places, record);
}

/** What would be there without the guard: what somebody has changed since an earlier installation is theirs, and stays. */
function withoutOurs({ agent, file, before }: SettingsEdit, known: Installed | undefined): string | null {
  if (known === undefined || before === null) return before;
  if (known.after === before) return known.before;
  const cleared = withoutGuard(agent, { file, text: before, before: known.before });
  if (!cleared.ok) return before;
  return cleared.text === '' && known.before === null ? null : cleared.text;
}

function missingAbove(file: string): string[] {
  const missing: string[] = [];
  for (let at = dirname(file); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.push(at);
  return missing;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody has put something there.
  }
}

/** Whole or not at all, with the mode that it had, and where it really is: settings are often links. */
function replaceText(file: string, text: string): void {
  try {
    makeFolder(dirname(file));
    const real = existsSync(file) ? realpathSync(file) : file;
    const mode = statSync(real, { throwIfNoEntry: false })?.mode;
    const next = `${real}.${process.pid}.tmp`;
    writeFileSync(next, text, mode === undefined ? {} : { mode });
    if (mode !== undefined) chmodSync(next, mode & 0o7777);
    renameSync(next, real);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('not-kept', `${file} could not be written: ${why}`, { cause });
  }
}

export interface GuardStatus {
  agent: GuardedAgent;
  scope: InstallQuery['scope'];
  file: string;
  /** `other`: it calls another program or another place than this one would install. */
  state: 'installed' | 'other' | 'absent' | 'damaged';
}

export function guardStatus(agent: GuardedAgent, query: InstallQuery, wanted: WantedProgram): GuardStatus {
  const file = settingsFile(agent, query);
  const text = readIfThere(file) ?? '';
  const common = { agent, scope: query.scope, file };
  const edited = withGuard(agent, { file, text, before: null }, programFor(agent, query, wanted));
  if (!edited.ok) return { ...common, state: 'damaged' };
  if (!hasGuard(agent, file, text)) return { ...common, state: 'absent' };
  return { ...common, state: edited.text === text ? 'installed' : 'other' };
}
