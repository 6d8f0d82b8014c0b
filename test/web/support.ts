import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import { ensureWeb } from '../../scripts/build-web.ts';
import { type Client, createClient, type RunState } from '../../src/core/contract/index.ts';
import { type Bench, openBench } from '../support/cli.ts';
import { eventually, type Running } from '../support/processes.ts';
import { chromiumPath } from './browser.ts';
import { type Look, openPages } from './pages.ts';

/** Tests in a real browser. Without one they are left out, and scripts/setup-system.js has said so. */
export const describeWeb = describe.skipIf(chromiumPath === null && process.env['CI'] !== 'true');

export interface Served {
  url: string;
  address: string;
  client: Client;
  process: Running;
}

export interface Stage {
  bench: Bench;
  server: Served;
  /** The workspace of this test's runs. */
  folder: string;
  path(name: string): string;
  /** A page that has come in by the printed address. */
  open(path?: string, look?: Look): Promise<Page>;
  /** Starts a run whose steps are these, without agreeing on it first unless told. */
  begin(
    steps: readonly PlanStep[],
    options?: { goal?: string; mode?: Mode; agreed?: boolean },
  ): Promise<string>;
  until(id: string, holds: (state: RunState) => boolean): Promise<RunState>;
  /** Ends the server at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again where it was. */
  restart(): Promise<void>;
}
export type PlanStep = string | { step: string; action: string; expects?: string; undo?: string };
type Mode = 'teacher' | 'planner' | 'agentic';

async function serve(bench: Bench, env: NodeJS.ProcessEnv, port = 0): Promise<Served> {
  const token = 'a-token-that-is-long-enough-for-pages';
  const process = bench.start(['serve', '--no-open', '--port', String(port)], {
    PLANWRIGHT_TOKEN: token,
    ...env,
  });
  let said = '';
  process.child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await process.says('\n');
  const address = said.split('\n')[0]!;
  const { origin } = new URL(address);
  const client = createClient({ baseUrl: origin, fetch, token });
  return { url: origin, address, client, process };
}

/** One server and one home for a file; a workspace for each test. `envOf`: what the server is told. */
export function useStage(envOf: () => Promise<NodeJS.ProcessEnv> = async () => ({})): Stage {
  let env: NodeJS.ProcessEnv = {};
  const stage = {} as Stage;
  const pages = openPages(() => stage.server);
  beforeAll(async () => {
    await ensureWeb();
    stage.bench = openBench({ here: true });
    env = await envOf();
    stage.server = await serve(stage.bench, env);
  });
  afterAll(async () => {
    await pages.close();
    await stage.kill?.();
    stage.bench?.clean();
  });
  beforeEach(() => {
    stage.folder = mkdtempSync(join(stage.bench.workspace, 'test-'));
  });
  afterEach(() => pages.settle());
  stage.path = (name) => join(stage.folder, name);
  stage.open = (path = '/', look) => pages.open(path, look);
  stage.begin = async (steps, { goal = 'a plan', mode = 'planner', agreed = true } = {}) => {
    const plan = steps.map((step, n) =>
      typeof step === 'string' ? { step: `Step ${n + 1}`, action: `RUN_COMMAND ${step}` } : step,
    );
    const text = JSON.stringify({ goal, plan });
    const source = { text, kind: 'plan' as const, name: 'test.plan.json' };
    const { id } = await stage.server.client.createRun({
      source,
      mode,
      agreed,
      workspace: stage.folder,
    });
    return id;
  };
  stage.until = async (id, holds) => {
    let state: RunState | null = null;
    await eventually(async () => {
      ({ state } = await stage.server.client.getRun(id));
      return holds(state);
    }, `run ${id}`);
    return state as unknown as RunState;
  };
  stage.kill = async () => {
    stage.server.process.child.kill('SIGKILL');
    await stage.server.process.ended;
  };
  stage.restart = async () => {
    const port = Number(new URL(stage.server.url).port);
    stage.server = await serve(stage.bench, env, port);
    pages.forget();
  };
  return stage;
}
