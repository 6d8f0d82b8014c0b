import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { getSystemErrorName } from 'node:util';
import { type Child, type Exit, exitOf } from '../child.ts';
import { helperEnvironment } from '../environment.ts';
import { processStartTime } from '../identity.ts';
import { REPORT_LIMIT } from '../report.ts';
import { FIRST_WAY, SPAWNER, WAY_ENDS } from './program.ts';

/** What is to be started: a session of its own, nothing to read, pipes for the rest. */
export interface Spawn {
  file: string;
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/**
 *   loading ──R──▶ ready ──all its ways are given away, or nobody needs it──▶ retired ──all have ended──▶ gone
 *      └───────────────┴──it ends, or cannot be reached──▶ lost: what it started is seen by nobody
 */
export interface Batch {
  isReady(): boolean;
  isLost(): boolean;
  /** Ways that are still to be given away. */
  left(): number;
  /** Rejects with what the system said, as `spawn` would. Null where the batch was lost before anything ran. */
  start(what: Spawn): Promise<Child | null>;
  /** Starts nothing more. */
  retire(): void;
}

/** A letter and three numbers. */
const ANSWER_BYTES = 13;

interface Started {
  answered: PromiseWithResolvers<{ pid: number } | { errno: number } | null>;
  exited: PromiseWithResolvers<Exit>;
  sockets: Socket[];
  report: PassThrough;
  isOver: boolean;
}

/** A spawner with so many ways: each is the streams of one process. Keeps nothing alive by itself. Throws as `spawn` does. */
export function openBatch(perl: string, ways: number): Batch {
  const child = spawn(perl, ['-e', SPAWNER, ...[FIRST_WAY, WAY_ENDS, ways, REPORT_LIMIT].map(String)], {
    cwd: '/',
    detached: true,
    env: helperEnvironment({ LC_ALL: 'C' }) as Record<string, string>,
    stdio: [
      'pipe',
      'pipe',
      'ignore',
      ...Array<'ignore'>(FIRST_WAY - 3).fill('ignore'),
      ...Array<'pipe'>(ways * WAY_ENDS).fill('pipe'),
    ],
  });
  const ends = child.stdio as unknown as (Socket | null)[];
  const [asking, answers] = [ends[0]!, ends[1]!];
  const started: Started[] = [];
  let state: 'loading' | 'ready' | 'retired' | 'lost' = 'loading';
  let living = 0;
  /** Those for which this process is kept alive. */
  const held = new Set<Started>();

  child.on('error', () => lose());
  child.unref();
  for (const end of ends) end?.on('error', () => {}).unref();

  const wayOf = (n: number): Socket[] =>
    ends.slice(FIRST_WAY + n * WAY_ENDS, FIRST_WAY + (n + 1) * WAY_ENDS) as Socket[];
  const unused = (): Socket[] =>
    Array.from({ length: ways - started.length }, (_, n) => wayOf(started.length + n)).flat();
  const hold = (one: Started, isHeld: boolean): void => {
    if (isHeld && !one.isOver) held.add(one);
    else held.delete(one);
    for (const socket of one.sockets) isHeld ? socket.ref() : socket.unref();
    if (held.size > 0) answers.ref();
    else answers.unref();
  };
  const settle = (one: Started, exit: Exit, report?: Buffer): void => {
    if (one.isOver) return;
    one.isOver = true;
    one.report.end(report);
    living -= 1;
    hold(one, false);
    one.exited.resolve(exit);
    if (state === 'retired' && living === 0) asking.end();
  };
  const lose = (): void => {
    if (state === 'lost') return;
    state = 'lost';
    for (const socket of unused()) socket.destroy();
    for (const one of started) {
      one.answered.resolve(null);
      settle(one, { exitCode: null, signal: null });
    }
  };
  const retire = (): void => {
    if (state === 'retired' || state === 'lost') return;
    state = 'retired';
    for (const socket of unused()) socket.destroy();
    if (living === 0) asking.end();
  };

  let said: Buffer = Buffer.alloc(0);
  answers.on('data', (bytes: Buffer) => {
    said = said.length === 0 ? bytes : Buffer.concat([said, bytes]);
    while (said.length >= ANSWER_BYTES) {
      const end = ANSWER_BYTES + said.readUInt32BE(9);
      if (said.length < end) return;
      hear(
        String.fromCharCode(said[0]!),
        said.readUInt32BE(1),
        said.readUInt32BE(5),
        said.subarray(ANSWER_BYTES, end),
      );
      said = said.subarray(end);
    }
  });
  const hear = (letter: string, way: number, value: number, report: Buffer): void => {
    const one = started[way];
    if (letter === 'R' && state === 'loading') state = 'ready';
    if (letter === 'S') one?.answered.resolve({ pid: value });
    if (letter === 'F') one?.answered.resolve({ errno: value });
    if (letter === 'X') one?.answered.resolve(null);
    if (letter === 'X' && one) settle(one, exitOf(value), report);
    // Too late for an answer: it has ended without having become what it should.
    if (letter === 'F' && one) settle(one, { exitCode: null, signal: null });
  };
  answers.on('close', lose);

  return {
    isReady: () => state === 'ready',
    isLost: () => state === 'lost',
    left: () => ways - started.length,
    retire,
    async start({ file, argv, cwd, env }) {
      if (state !== 'ready') return null;
      const [way, sockets] = [started.length, wayOf(started.length)];
      const one: Started = {
        answered: Promise.withResolvers(),
        exited: Promise.withResolvers(),
        sockets,
        report: new PassThrough(),
        isOver: false,
      };
      started.push(one);
      living += 1;
      hold(one, true);
      const named = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      const text = Buffer.from([way, cwd, file, argv.length, ...argv, ...named].join('\0'));
      const length = Buffer.alloc(4);
      length.writeUInt32BE(text.length);
      asking.write(Buffer.concat([length, text]));
      const answer = await one.answered.promise;
      if (answer !== null && 'pid' in answer) return childAt(answer.pid, one, (isHeld) => hold(one, isHeld));
      settle(one, { exitCode: null, signal: null });
      for (const socket of sockets) socket.destroy();
      if (answer === null) return null;
      const code = getSystemErrorName(-answer.errno);
      throw Object.assign(new Error(`spawn ${file} ${code}`), { code });
    },
  };
}

function childAt(pid: number, one: Started, hold: (isHeld: boolean) => void): Child {
  const [gate, out, err] = one.sockets as [Socket, Socket, Socket];
  const startTime = processStartTime(pid) ?? '';
  return {
    pid,
    startTime,
    stdio: [null, out, err, gate],
    report: one.report,
    exited: one.exited.promise,
    hasExited: () => one.isOver,
    kill: (signal) => {
      // The spawner reaps it before we hear of it: the number may be another's by now.
      if (one.isOver || processStartTime(pid) !== startTime) return;
      try {
        process.kill(pid, signal);
      } catch {
        // Gone in the meantime.
      }
    },
    unref: () => hold(false),
    ref: () => hold(true),
  };
}
