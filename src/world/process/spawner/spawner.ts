import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Child } from '../child.ts';
import { isProgram } from '../find-shell.ts';
import type { Batch, openBatch, Spawn } from './batch.ts';

/** So many commands are started without one: what is short is over before it is loaded. */
const WITHOUT = 2;
/** Processes that one is for; with so many left the next one is loaded. */
const WAYS = 64;
const FEW = 8;
/** So long what was made ready waits to be asked for, and so much of it is kept. */
const PREPARED_MS = 2_000;
const PREPARED = 4;
/** So long one waits for another command. */
const IDLE_MS = 10_000;

export interface Spawner {
  /**
   * Starts it in a small process, or answers null where there is none at hand: then nothing was started. Rejects with what
   * the system said, as `spawn` does.
   */
  start(what: Spawn): Promise<Child | null>;
  /**
   * It will probably be started soon: the shell is made ready at its gate meanwhile. One that nobody asks for is let go: its
   * gate is closed, and nothing has run.
   */
  prepare(what: Spawn): void;
  /** So many will probably be started: where that is worth it, one is loaded for them before the first. */
  expect(count: number): void;
  /** Lets go of what is idle. */
  close(): void;
}

interface Prepared {
  what: Spawn;
  child: Promise<Child | null>;
  timer: NodeJS.Timeout;
}

/** Where Perl is looked for: never on the PATH of a run. */
const PERLS = ['/usr/bin/perl', '/bin/perl', '/usr/local/bin/perl'];

/**
 * A spawner for this process, loaded when many commands are expected or while its first ones run, replaced while there is still room in it, and let go
 * when nobody needs it. Where fork is no matter of size (not on Linux), or where there is no Perl, it starts nothing.
 */
export function createSpawner({
  perl = process.platform === 'linux' ? PERLS.find(isProgram) : undefined,
  without = WITHOUT,
  ways = WAYS,
  open,
}: {
  perl?: string | undefined;
  without?: number;
  ways?: number;
  open?: typeof openBatch;
} = {}): Spawner {
  let asked = 0;
  let batches: Batch[] = [];
  let works = true;
  let idle: NodeJS.Timeout | undefined;
  let prepared: Prepared[] = [];

  const letGo = (one: Prepared): void => {
    prepared = prepared.filter((other) => other !== one);
    clearTimeout(one.timer);
    void one.child.then((child) => {
      child?.kill('SIGKILL');
      for (const socket of child?.stdio ?? []) socket?.destroy();
    });
  };
  const take = async (what: Spawn): Promise<Child | null> => {
    const one = prepared.find((other) => isDeepStrictEqual(other.what, what));
    if (one === undefined) return null;
    prepared = prepared.filter((other) => other !== one);
    clearTimeout(one.timer);
    const child = await one.child;
    if (child === null || child.hasExited()) return null;
    child.ref();
    return child;
  };
  const close = (): void => {
    for (const one of prepared) letGo(one);
    for (const batch of batches) batch.retire();
    batches = [];
    clearTimeout(idle);
  };
  const stay = (): void => {
    clearTimeout(idle);
    idle = setTimeout(close, IDLE_MS).unref();
  };
  let isLoading = false;
  const load = async (): Promise<void> => {
    if (perl === undefined || !works || isLoading) return;
    isLoading = true;
    try {
      // A short run never needs it.
      const opening = open ?? (await import('./batch.ts')).openBatch;
      batches.push(opening(perl, ways));
    } catch {
      works = false;
    }
    isLoading = false;
  };
  const current = (): Batch | undefined => {
    // One that does not last is not tried again and again.
    if (batches.some((batch) => batch.isLost())) works = false;
    batches = batches.filter((batch) => !batch.isLost());
    for (const batch of batches) if (batch.left() === 0) batch.retire();
    batches = batches.filter((batch) => batch.left() > 0);
    return batches.find((batch) => batch.isReady());
  };
  return {
    close,
    expect(count) {
      if (count <= without || current() !== undefined || batches.length > 0) return;
      stay();
      void load();
    },
    prepare(what) {
      const batch = current();
      if (batch === undefined || prepared.length >= PREPARED || !isSayable(what)) return;
      const child = batch.start(what).then(
        (made) => {
          made?.unref();
          return made;
        },
        () => null,
      );
      const one: Prepared = { what, child, timer: setTimeout(() => letGo(one), PREPARED_MS).unref() };
      prepared.push(one);
    },
    async start(what) {
      asked += 1;
      stay();
      const ready = await take(what);
      const batch = current();
      const left = batches.reduce((sum, one) => sum + one.left(), 0);
      if (asked >= without && left <= Math.min(FEW, ways / 2)) void load();
      if (ready !== null) return ready;
      return batch === undefined || !isSayable(what) ? null : batch.start(what);
    },
  };
}

/** A string of this length, or so much together, may be more than the system takes. */
const LONG = 128 * 1024;
const MUCH = 512 * 1024;

/**
 * What cannot be told, or may not be taken, is left to `spawn`, which says so before anything is recorded: a NUL, a
 * directory that is none, an environment that is too large.
 */
function isSayable({ file, argv, cwd, env }: Spawn): boolean {
  const texts = [file, cwd, ...argv, ...Object.keys(env), ...Object.values(env)];
  if (texts.some((text) => text.length * 3 >= LONG || text.includes('\0'))) return false;
  if (texts.reduce((sum, text) => sum + text.length * 3, 0) >= MUCH) return false;
  return statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true;
}
