import { ended, type GitPlace, startGit } from './git.ts';
import { fromBytes, joinZ } from './path-bytes.ts';

/** Asks git which paths its ignore files name. One process answers many questions; none is started for none. */
export interface IgnoreOracle {
  /** Those of the paths (relative to `top`) that are ignored. */
  ignored(paths: string[]): Promise<Set<string>>;
  /** Ends the process. Rejects where git had failed. */
  close(): Promise<void>;
}

/** A path that begins with a colon would be taken for more than a path. */
const plain = (path: string): string => (path.startsWith(':') ? `./${path}` : path);

export function openIgnoreOracle(place: GitPlace): IgnoreOracle {
  let child: ReturnType<typeof startGit> | null = null;
  let end: Promise<unknown> = Promise.resolve();
  let pending: Buffer[] = [];
  let missing = 0;
  let answered: () => void = () => {};

  /** Each answer has four fields: file, line and pattern of the rule, and the path. */
  const onData = (chunk: Buffer): void => {
    pending.push(chunk);
    for (const byte of chunk) if (byte === 0) missing -= 1;
    if (missing === 0) answered();
  };
  const start = () => {
    // The user's index is not asked: what it tracks is added by name (tracked-ignored.ts).
    const args = ['check-ignore', '--no-index', '--verbose', '--non-matching', '-z', '--stdin'];
    child = startGit(place, args, { magic: true });
    child.stdout.on('data', onData);
    end = ended(child, 'check-ignore', [1]);
    end.catch(() => {});
    return child;
  };
  return {
    ignored: async (paths) => {
      if (paths.length === 0) return new Set();
      const { stdin } = child ?? start();
      pending = [];
      missing = paths.length * 4;
      const whole = new Promise<void>((resolve) => {
        answered = resolve;
      });
      stdin.write(joinZ(paths.map(plain)));
      await Promise.race([whole, end]);
      if (missing > 0) await end;
      const fields = fromBytes(Buffer.concat(pending)).split('\0');
      const found = new Set<string>();
      for (let at = 3; at < fields.length; at += 4) {
        const pattern = fields[at - 1]!;
        if (pattern !== '' && !pattern.startsWith('!')) found.add(fields[at]!.replace(/^\.\//, ''));
      }
      return found;
    },
    close: async () => {
      child?.stdin.end();
      await end;
    },
  };
}
