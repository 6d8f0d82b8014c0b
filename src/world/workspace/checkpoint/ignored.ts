import { CheckpointError } from './errors.ts';
import { ended, type GitPlace, startGit } from './git.ts';
import { fromBytes, joinZ } from './path-bytes.ts';

/** So long a process waits for the next question. */
const IDLE_MS = 10_000;

/** Asks git which paths its ignore files name. One process answers many questions; none is started for none. */
export interface IgnoreOracle {
  /** Those of the paths (relative to `top`) that are ignored. */
  ignored(paths: string[]): Promise<Set<string>>;
  /** What git may have read before this walk is read again: a folder has come that has rules. */
  forget(): Promise<void>;
}

/** Keeps the process from one walk to the next, as long as the rules are those that it has read. */
export interface KeptOracle {
  /** `rulesHold`: no ignore file that is known has changed since the last one was asked for. */
  at(place: GitPlace, rulesHold: boolean): Promise<IgnoreOracle>;
  /** Ends the process. Rejects where git had failed. */
  close(): Promise<void>;
}

/** A path that begins with a colon would be taken for more than a path. */
const plain = (path: string): string => (path.startsWith(':') ? `./${path}` : path);

export function keepIgnoreOracle(): KeptOracle {
  let kept: { asker: Asker; where: string } | null = null;
  const close = async (): Promise<void> => {
    const last = kept;
    kept = null;
    await last?.asker.close();
  };
  return {
    at: async (place, rulesHold) => {
      const where = JSON.stringify([place.gitDir, place.top, place.exclude]);
      let isOld = kept !== null && rulesHold && kept.where === where && kept.asker.isAlive();
      if (!isOld) await close().catch(() => {});
      const open = () => {
        kept ??= { asker: startAsker(place), where };
        return kept.asker;
      };
      return {
        ignored: async (paths) => (paths.length === 0 ? new Set() : open().ask(paths, place.signal)),
        forget: async () => {
          if (isOld) await close().catch(() => {});
          isOld = false;
        },
      };
    },
    close,
  };
}

interface Asker {
  ask(paths: string[], signal: AbortSignal | undefined): Promise<Set<string>>;
  isAlive(): boolean;
  close(): Promise<void>;
}

function startAsker(place: GitPlace): Asker {
  // The user's index is not asked: what it tracks is added by name (`trackedIgnored`).
  const args = ['check-ignore', '--no-index', '--verbose', '--non-matching', '-z', '--stdin'];
  const child = startGit({ ...place, signal: undefined }, args, { magic: true });
  const end = ended(child, 'check-ignore', [1]);
  let pending: Buffer[] = [];
  let missing = 0;
  let answered: () => void = () => {};
  let isAlive = true;
  end
    .catch(() => {})
    .finally(() => {
      isAlive = false;
    });
  /** Each answer has four fields: file, line and pattern of the rule, and the path. */
  child.stdout.on('data', (chunk: Buffer) => {
    pending.push(chunk);
    for (const byte of chunk) if (byte === 0) missing -= 1;
    if (missing === 0) answered();
  });
  /** From here on it is asked nothing more, whether it has ended yet or not. */
  const dismiss = (): void => {
    isAlive = false;
    child.stdin.end();
  };
  let idle: NodeJS.Timeout | undefined;
  /** Nobody waits for a process that is not asked anything. */
  const hold = (isAsked: boolean): void => {
    clearTimeout(idle);
    for (const each of [child, ...(child.stdio as { ref?(): void; unref?(): void }[])])
      if (isAsked) each.ref?.();
      else each.unref?.();
    if (!isAsked) idle = setTimeout(dismiss, IDLE_MS).unref();
  };
  return {
    ask: async (paths, signal) => {
      const stop = () => child.kill();
      signal?.addEventListener('abort', stop, { once: true });
      hold(true);
      try {
        pending = [];
        missing = paths.length * 4;
        const whole = new Promise<void>((resolve) => {
          answered = resolve;
        });
        child.stdin.write(joinZ(paths.map(plain)));
        await Promise.race([whole, end]);
        if (missing > 0)
          throw new CheckpointError('git-failed', 'git check-ignore ended before it had answered.');
        return ignoredIn(Buffer.concat(pending));
      } finally {
        signal?.removeEventListener('abort', stop);
        hold(false);
      }
    },
    isAlive: () => isAlive,
    close: async () => {
      hold(true);
      dismiss();
      await end;
    },
  };
}

function ignoredIn(answer: Buffer): Set<string> {
  const fields = fromBytes(answer).split('\0');
  const found = new Set<string>();
  for (let at = 3; at < fields.length; at += 4) {
    const pattern = fields[at - 1]!;
    if (pattern !== '' && !pattern.startsWith('!')) found.add(fields[at]!.replace(/^\.\//, ''));
  }
  return found;
}
