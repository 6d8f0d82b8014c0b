import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { RunEvent } from '../../src/core/contract/index.ts';
import { runKind } from '../../src/core/run/index.ts';
import { kindsOf } from '../../src/core/stream/index.ts';
import { openStore } from '../../src/world/store/index.ts';

/**
 * One process of the multi-process tests. Speaks in lines of JSON on stdout; `go` on stdin starts it.
 *
 *   write DIR STREAM ENOUGH  appends as fast as it can, alternating intents and requests, until there is a file ENOUGH
 *   claim DIR STREAM WORKSPACE   claims, says how it went, and holds it
 *   tail DIR STREAM          says each event as it arrives
 */
const [mode, dir, stream, ...rest] = process.argv.slice(2) as [string, string, string, ...string[]];
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const boot =
  process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : 'boot';
const store = await openStore<RunEvent>({
  kinds: kindsOf(runKind),
  dir,
  driver: { pid: process.pid, host: hostname(), boot },
});
const note = (stepId: string): RunEvent => ({ v: 1, type: 'step-offered', at: Date.now(), stepId });

say({ ready: process.pid });
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.unref();

if (mode === 'write') {
  let last = 0;
  for (let n = 0; !existsSync(rest[0]!); n++) {
    const id = `${process.pid}-${n}`;
    const isIntent = n % 2 === 0;
    const events = [note(`${id}/1`), note(`${id}/2`)];
    const appended = await store.append(stream, { id, events, ...(isIntent ? { expectedSeq: last } : {}) });
    if (appended.ok) {
      last = appended.seq + 1;
      say({ id, seq: appended.seq });
    } else last = (await store.read(stream, last)).at(-1)?.seq ?? last;
  }
  await store.close();
} else if (mode === 'claim') {
  await store.begin(stream, { kind: 'run', id: 'begin', events: [note('begin')] });
  const claimed = await store.claim(stream);
  const held = claimed.ok ? await claimed.claim.hold({ host: 'host', path: rest[0]! }) : claimed;
  say(claimed.ok && held.ok ? { ok: true, epoch: claimed.claim.epoch } : held);
  setInterval(() => {}, 1000);
} else {
  setInterval(() => {}, 1000);
  for await (const { seq } of store.tail(stream, 0, new AbortController().signal)) say({ seq });
}
