import { CheckpointError } from './errors.ts';
import { ended, type GitPlace, startGit } from './git.ts';

/** Reads objects one after the other by one process, which is started with the first. */
export interface ObjectReader {
  /** Rejects where the private repository does not have it. */
  read(oid: string): Promise<Buffer>;
  close(): Promise<void>;
}

export function openObjectReader(place: GitPlace): ObjectReader {
  let child: ReturnType<typeof startGit> | null = null;
  let end: Promise<unknown> = Promise.resolve();
  let chunks: AsyncIterator<Buffer>;
  let rest: Buffer[] = [];

  const start = () => {
    child = startGit(place, ['cat-file', '--batch']);
    end = ended(child, 'cat-file');
    end.catch(() => {});
    chunks = child.stdout[Symbol.asyncIterator]();
    return child;
  };
  /** Takes as many bytes as `enough` wants of what has come; undefined: more must come. */
  const take = async (enough: (soFar: Buffer) => number | undefined, least: number): Promise<Buffer> => {
    for (let length = rest.reduce((sum, { byteLength }) => sum + byteLength, 0); ; ) {
      if (length >= least) {
        const soFar = Buffer.concat(rest);
        const size = enough(soFar);
        rest = [soFar];
        if (size !== undefined) {
          rest = [soFar.subarray(size)];
          return soFar.subarray(0, size);
        }
      }
      const next = await chunks.next();
      if (next.done === true) throw new CheckpointError('git-failed', 'git cat-file ended too early.');
      rest.push(next.value);
      length += next.value.length;
    }
  };
  const toLineEnd = (soFar: Buffer): number | undefined => {
    const at = soFar.indexOf(10);
    return at === -1 ? undefined : at + 1;
  };
  return {
    read: async (oid) => {
      (child ?? start()).stdin.write(`${oid}\n`);
      const header = (await take(toLineEnd, 1)).toString();
      const size = /^[0-9a-f]{40} \w+ (\d+)\n$/.exec(header)?.[1];
      if (size === undefined)
        throw new CheckpointError(
          'checkpoint-unknown',
          `The contents ${oid} are not in the private repository (any more).`,
        );
      const whole = Number(size) + 1;
      return (await take(() => whole, whole)).subarray(0, -1);
    },
    close: async () => {
      child?.stdin.end();
      rest = [];
      child?.stdout.resume();
      await end;
    },
  };
}
