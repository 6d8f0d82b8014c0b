import { useQuery } from '@tanstack/react-query';
import type { AgentRunRow } from '@tasks';
import { useEffect, useMemo, useState } from 'react';
import { plainText } from '../model/ansi.ts';
import { client } from './client.ts';
import { seen } from './seen.ts';

/** Agent runs that have not ended, by name. */
export function useLiveRuns(): ReadonlyMap<string, AgentRunRow> {
  const { data } = useQuery({
    queryKey: ['agent-runs'],
    queryFn: async () => {
      const { streams } = await client.listStreams({
        kind: 'agent-run',
        state: 'preparing,running,waiting,validating',
        limit: 200,
      });
      return streams as unknown as AgentRunRow[];
    },
  });
  return useMemo(() => new Map(data?.map((row) => [row.id, row])), [data]);
}

const PAUSE_MS = 1500;
const PART = 4096;
const LINES = 3;

interface Tail {
  text: string;
  next: number;
}

/**
 * The last lines that agents at work have said. One request after the other, and none while nobody looks: many may be at work,
 * and browsers allow six connections.
 */
export function useTails(runs: ReadonlyMap<string, AgentRunRow>): ReadonlyMap<string, readonly string[]> {
  const [tails, setTails] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const wanted = [...runs.values()]
    .filter(({ attempt }) => attempt > 0)
    .map(({ id, attempt }) => `${id}/${attempt}`)
    .toSorted()
    .join(' ');
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const known = new Map<string, Tail>();
    const read = async () => {
      while (!signal.aborted && wanted !== '') {
        await seen(signal);
        for (const name of wanted.split(' ')) {
          const [run, attempt] = name.split('/') as [string, string];
          await readOn(known, run, Number(attempt), signal).catch(() => undefined);
        }
        if (signal.aborted) return;
        const now = new Map([...known].map(([run, { text }]) => [run, lastLines(text)]));
        setTails((before) => (JSON.stringify([...before]) === JSON.stringify([...now]) ? before : now));
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    void read();
    return () => leaving.abort();
  }, [wanted]);
  return tails;
}

async function readOn(known: Map<string, Tail>, run: string, attempt: number, signal: AbortSignal) {
  const before = known.get(run);
  const from = async (offset: number) =>
    client.agentOutput(run, attempt, { offset, limit: PART }, { signal });
  let part = await from(before?.next ?? 0);
  // Of what is long, the end.
  if (part.next < part.size) part = await from(Math.max(0, part.size - PART));
  const text = (before?.text ?? '') + new TextDecoder().decode(part.bytes);
  known.set(run, { text: text.slice(-PART), next: part.next });
}

const lastLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => plainText(line).trimEnd())
    .filter((line) => line !== '')
    .slice(-LINES);
