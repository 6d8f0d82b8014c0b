import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { canonical, type ModelName, Usage } from '../../core/contract/index.ts';
import type { Message, OfferedTool } from './types.ts';

/** What a model said, or how it failed. What it was asked is in the key alone. */
export const Recorded = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    text: z.string(),
    calls: z.array(z.strictObject({ id: z.string(), name: z.string(), args: z.unknown() })).optional(),
    cutOff: z.boolean(),
    usage: Usage.nullable(),
  }),
  z.strictObject({
    ok: z.literal(false),
    outcome: z.enum(['refused', 'error', 'unauthorised', 'rate-limited', 'timeout']),
    message: z.string(),
  }),
]);
export type Recorded = z.infer<typeof Recorded>;

/** Where answers are kept. In `replay` nothing is sent, and a call that was never recorded fails. */
export interface Recordings {
  readonly mode: 'record' | 'replay';
  get(key: string): Promise<Recorded | null>;
  put(key: string, recorded: Recorded): Promise<void>;
}

interface Question {
  system: string;
  messages: readonly Message[];
  schema?: unknown;
  tools?: readonly OfferedTool[] | undefined;
}

/** The same question to the same model has the same key, whenever and wherever it is asked. */
export function recordingKey(
  { provider, model }: ModelName,
  { system, messages, schema, tools }: Question,
): string {
  const asked = {
    provider,
    model,
    system,
    messages: messages.map(({ role, content, pictures, calls, results }) => ({
      role,
      content,
      ...(pictures === undefined ? {} : { pictures: pictures.map(({ hash }) => hash) }),
      ...(calls === undefined ? {} : { calls }),
      ...(results === undefined ? {} : { results }),
    })),
    schema,
    ...(tools === undefined ? {} : { tools }),
  };
  return createHash('sha256').update(canonical(asked)).digest('hex');
}

/** One file for each call, for their owner only. */
export function createFileRecordings(folder: string, mode: Recordings['mode']): Recordings {
  const fileOf = (key: string) => join(folder, key.slice(0, 2), `${key}.json`);
  return {
    mode,
    async get(key) {
      const text = await readFile(fileOf(key), 'utf8').catch(() => null);
      if (text === null) return null;
      try {
        return Recorded.parse(JSON.parse(text));
      } catch {
        return null;
      }
    },
    async put(key, recorded) {
      await mkdir(join(folder, key.slice(0, 2)), { recursive: true, mode: 0o700 });
      const next = `${fileOf(key)}.${process.pid}.tmp`;
      await writeFile(next, `${JSON.stringify(recorded)}\n`, { mode: 0o600 });
      await rename(next, fileOf(key));
    },
  };
}
