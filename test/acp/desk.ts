import { readFileSync, realpathSync } from 'node:fs';
import type { ClientCapabilities } from '@agentclientprotocol/sdk';
import { expect, vi } from 'vitest';
import { openApp } from '../../src/doors/app/app.ts';
import { type Bench, openBench } from '../support/cli.ts';
import { type Behaviour, startOpenAi, type WireServer } from '../wire/index.ts';
import { type Editor, openEditor } from './editor.ts';

/** A folder, a home, models that say what they are told to, and editors that are opened in it. */
export interface EditorDesk {
  bench: Bench;
  server: WireServer;
  /** A real path. */
  cwd: string;
  /** What the talking model says, one after the other; the last stays. */
  answers: Behaviour[];
  /** The actions of the plan that the planner makes. */
  steps: string[];
  open(capabilities?: ClientCapabilities, env?: NodeJS.ProcessEnv): Promise<Editor>;
  /** Names the editors in which a person decides. */
  name(clients: string | null): Promise<unknown>;
  /** What the journal holds of a stream. */
  journal(stream: string): Promise<Record<string, unknown>[]>;
  types(stream: string): Promise<unknown[]>;
  /** What a step has written into a file of the folder, as soon as it has. */
  numberIn(name: string): Promise<number>;
  close(): Promise<void>;
}

export async function openDesk(): Promise<EditorDesk> {
  const bench = openBench({ here: true });
  const cwd = realpathSync(bench.workspace);
  const server = await startOpenAi((request) => {
    const model = request.body['model'];
    const { answers, steps } = desk;
    if (model === 'talker')
      return (answers.length > 1 ? answers.shift() : answers[0]) ?? { text: 'Nothing.' };
    if (model === 'planner') return { text: planText(steps) };
    return { text: 'WHO: a person\nWHAT: it\nWHEN: now\nWHERE: here\nWHY: because' };
  });
  const { CI: _ci, FORCE_COLOR: _color, ...inherited } = process.env;
  const env = {
    ...inherited,
    PLANWRIGHT_HOME: bench.home,
    PLANWRIGHT_MODELS_URL: server.url,
    PLANWRIGHT_MODELS_CHAT: 'compatible/talker',
    PLANWRIGHT_MODELS_PLANNER: 'compatible/planner',
    PLANWRIGHT_MODELS_FAST: 'compatible/fast',
    PLANWRIGHT_SANDBOX: 'off',
    OLLAMA_HOST: 'http://127.0.0.1:9',
  };
  const desk: EditorDesk = {
    ...{ bench, server, cwd, answers: [], steps: [] },
    open: (capabilities = {}, more = {}) => openEditor({ ...env, ...more }, { cwd, capabilities }),
    async journal(stream) {
      const app = await openApp({ env, cwd });
      try {
        return (await app.streams.read(stream, 0)).map(
          ({ event }) => event as unknown as Record<string, unknown>,
        );
      } finally {
        await app.close();
      }
    },
    types: async (stream) => (await desk.journal(stream)).map(({ type }) => type),
    numberIn: (name) =>
      vi.waitFor(() => {
        const found = Number(readFileSync(bench.path(name), 'utf8'));
        expect(found).toBeGreaterThan(1);
        return found;
      }, 50_000),
    name: (clients) =>
      bench.run([
        'config',
        ...(clients === null ? ['unset', 'clients.decide'] : ['set', 'clients.decide', clients]),
      ]),
    async close() {
      await server.close();
      bench.clean();
    },
  };
  await desk.name('another, test-editor');
  return desk;
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const planText = (actions: readonly string[]): string =>
  `<json>${JSON.stringify({
    goal: 'g',
    thinking_summary: 'It is simple.',
    reflection: 'Nothing can go wrong.',
    ready: true,
    plan: actions.map((action, at) => ({ step: `Step ${at + 1}`, action, expects: 'exit 0' })),
  })}</json>`;
