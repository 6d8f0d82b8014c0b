import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { keyName } from '../../../core/contract/index.ts';
import type { ModelEnv } from '../settings.ts';
import type { ProviderFacts } from './catalogue.ts';

const KeyFile = z.record(z.string(), z.string());

export type FoundKey =
  | { ok: true; key: string; from: string }
  /** There is none. */
  | { ok: false; message: string };

/**
 * The key of a provider, looked up anew for each call, so that a change holds at once: from the environment, or from
 * the key file, which only its owner may be able to read. There `NAME@HOST` is a key for that host alone, and `NAME` is one
 * for wherever it answers. Never throws, and no key is in a message.
 */
export function findKey(
  name: string,
  facts: ProviderFacts,
  env: ModelEnv,
  keyFile: string,
  host: string,
): FoundKey {
  for (const variable of facts.keyVariables) {
    const key = env[variable]?.trim();
    if (key) return { ok: true, key, from: variable };
  }
  const file = readKeyFile(keyFile);
  if ('problem' in file) return { ok: false, message: file.problem };
  for (const entry of [keyName(name, host), name]) {
    const key = Object.hasOwn(file.keys, entry) ? file.keys[entry]?.trim() : undefined;
    if (key) return { ok: true, key, from: keyFile };
  }
  return {
    ok: false,
    message: `set ${facts.keyVariables[0] ?? 'its key'}, or put "${name}" into ${keyFile}`,
  };
}

type ReadKeys = { keys: Record<string, string> } | { problem: string };

function readKeyFile(path: string): ReadKeys {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { keys: {} }
      : { problem: `${path} cannot be read (${code})` };
  }
  try {
    // Of the open file, so that what was looked at is what is read.
    const { mode, uid } = fstatSync(file);
    if ((mode & 0o077) !== 0)
      return { problem: `others can read ${path}, so it is not used: chmod 600 ${path}` };
    if (process.getuid !== undefined && uid !== process.getuid() && uid !== 0)
      return { problem: `${path} belongs to somebody else, so it is not used` };
    const parsed = KeyFile.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? { keys: parsed.data } : { problem: `${path} is not {"PROVIDER": "KEY"}` };
  } catch {
    // What JSON.parse says may quote the text, and with it a key.
    return { problem: `${path} is not {"PROVIDER": "KEY"}` };
  } finally {
    closeSync(file);
  }
}
