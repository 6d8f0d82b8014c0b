import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import {
  defaultOptions,
  type FactBody,
  hashPlan,
  noSpending,
  type RunEvent,
} from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { type CallLedger, createLedger, kindsOf } from '../../src/core/stream/index.ts';
import { openModels } from '../../src/world/models/index.ts';
import { openStore, systemClock } from '../../src/world/store/index.ts';
import { startAnthropic, startOllama, startOpenAi, type WireServer } from '../../test/wire/index.ts';
import { median, type Row } from '../row.ts';

const calls = 150;
const text = JSON.stringify({
  action: 'modify',
  reasoning: 'There is no lock file, so npm ci cannot work; npm install makes one.',
  modifiedCommand: 'npm install --no-audit --no-fund',
  confidence: 0.9,
});
const schema = z.object({
  action: z.string(),
  reasoning: z.string(),
  modifiedCommand: z.string(),
  confidence: z.number(),
});
const request = {
  system: 'You are a repair agent. '.repeat(80),
  messages: [{ role: 'user' as const, content: 'npm error code EUSAGE\n'.repeat(200) }],
  purpose: 'mend it',
  signal: new AbortController().signal,
};

const servers = {
  'openai-chat': startOpenAi,
  'openai-responses': startOpenAi,
  anthropic: startAnthropic,
  ollama: startOllama,
};

/**
 * What a call of a model costs besides the model: the request built, the stream read, the answer extracted and checked,
 * two events made durable. Beside it the same request and stream by a bare fetch.
 */
export async function benchModelCall(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [provider, start] of Object.entries(servers)) {
    const server = await start({ text, pieces: 40 });
    const folder = mkdtempSync(join(tmpdir(), 'pw-bench-models-'));
    try {
      const { ledger, close } = await journalIn(folder);
      rows.push(...(await measure(provider, server, ledger)));
      await close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
      await server.close();
    }
  }
  return rows;
}

async function measure(provider: string, server: WireServer, ledger: CallLedger): Promise<Row[]> {
  const env = {
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: server.url,
    OLLAMA_HOST: server.url,
  };
  const chains = { brain: [{ provider, model: 'm' }] };
  const settings = () => ({ chains, url: null, timeoutMs: 60_000 });
  const brain = openModels({ env, settings, keyFile: join(tmpdir(), 'no-keys'), clock: systemClock }).forRole(
    'brain',
  );
  const ask = async () => {
    const answer = await brain.callStructured({ ...request, schema }, ledger);
    if (!answer.ok) throw new Error(answer.message);
  };
  await ask();
  const { path, body } = server.requests[0]!;
  const url = new URL(path, server.url);
  const bare = async () => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    for await (const _ of response.body!);
  };
  const journal = async () => {
    const callId = crypto.randomUUID();
    const call = { callId, role: 'brain' as const, purpose: 'p', provider, model: 'm' };
    await ledger.reserve({ ...call, reserved: { usd: null, tokens: 1 } });
    await ledger.settle({ callId, outcome: 'ok', usage: null, usd: null, durationMs: 1 });
  };
  // In turns, so that whatever else the machine does falls on all.
  const times = { ours: [] as number[], bare: [] as number[], journal: [] as number[] };
  for (let n = 0; n < calls; n++) {
    times.ours.push(await timed(ask));
    times.bare.push(await timed(bare));
    times.journal.push(await timed(journal));
  }
  const [whole, fetched, written] = [median(times.ours), median(times.bare), median(times.journal)];
  const note = `${whole.toFixed(1)} ms; a bare fetch ${fetched.toFixed(1)} ms; of it the journal's disk ${written.toFixed(1)} ms; in the quietest tenth ${quietest(times).toFixed(1)} ms`;
  return [
    { name: `overhead of a call, ${provider}`, value: whole - fetched, unit: 'ms', target: '< 5', note },
  ];
}

/** What is left of it where nothing else runs on the machine. */
function quietest({ ours, bare }: { ours: number[]; bare: number[] }): number {
  const tenth = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)]!;
  return tenth(ours) - tenth(bare);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A ledger whose facts go to a real journal, synced. */
async function journalIn(dir: string): Promise<{ ledger: CallLedger; close(): Promise<void> }> {
  const store = await openStore<RunEvent>({
    kinds: kindsOf(runKind),
    dir,
    driver: { pid: process.pid, host: 'bench', boot: 'bench' },
  });
  const plan = { goal: 'g', shell: 'bash' as const, revision: 0, steps: [] };
  const stamp = (fact: FactBody) => ({ v: 1, at: Date.now(), ...fact }) as RunEvent;
  const created = stamp({
    type: 'plan-created',
    plan,
    hash: hashPlan(plan),
    place: { host: 'bench', boot: 'bench', workspace: dir },
    options: defaultOptions,
  });
  await store.begin('run', { kind: 'run', id: 'first', events: [created] });
  let n = 0;
  const record = async (facts: FactBody[]) => {
    n += 1;
    return (await store.append('run', { id: `a${n}`, events: facts.map(stamp) })).ok;
  };
  const limits = { money: 1e9, tokens: 1e12 };
  return { ledger: createLedger({ record, spending: noSpending, limits }), close: () => store.close() };
}
