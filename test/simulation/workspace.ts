import type { Checkpoints } from '../../src/core/run/index.ts';
import type { Random } from './random.ts';

type Files = Map<string, string>;

/** A folder with a file for each step that ran, which people edit too; and the checkpoints of it. */
export class SimulatedWorkspace {
  readonly files: Files = new Map();
  readonly kept = new Map<string, Files>();
  /** Paths that somebody else than the run has changed. */
  readonly byPeople = new Set<string>();
  readonly #random: Random;
  #edits = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  edit(path: string): void {
    this.byPeople.add(path);
    this.files.set(path, `person ${++this.#edits}`);
  }

  isAs(checkpoint: string): boolean {
    return same(this.kept.get(checkpoint), this.files);
  }

  /** What one driver sees of them; `dies` ends its process, and nothing that it does afterwards is written. */
  port(reached: (kind: string) => void, isCalm: () => boolean, dies: () => void): Checkpoints {
    const happens = (chance: number) => !isCalm() && this.#random.chance(chance);
    return {
      take: async ({ last }) => {
        reached('checkpoint');
        if (happens(0.02)) return { ok: false, code: 'git-missing', message: 'there is no git' };
        if (happens(0.03)) return { ok: false, code: 'data-unwritable', message: 'the disk is full' };
        if (happens(0.02)) dies();
        const uncovered = { count: this.#random.int(2), shown: [] };
        if (last !== null && this.isAs(last)) return { ok: true, checkpoint: last, uncovered };
        const checkpoint = `c${this.kept.size + 1}`;
        this.kept.set(checkpoint, new Map(this.files));
        if (happens(0.02)) dies();
        return { ok: true, checkpoint, uncovered };
      },
      restore: async ({ ranges }, hooks) => {
        reached('rollback');
        if (!(await hooks.begun('c0'))) return { ok: false, code: 'lost', message: 'the claim was lost' };
        const restored: { path: string; kind: 'added' | 'modified' }[] = [];
        const left: { path: string; why: string }[] = [];
        for (const { before, after, unsure } of ranges.toReversed()) {
          const [was, became] = [this.kept.get(before)!, this.kept.get(after)!];
          for (const path of new Set([...was.keys(), ...became.keys()])) {
            if (was.get(path) === became.get(path) || this.files.get(path) === was.get(path)) continue;
            if (unsure || this.files.get(path) !== became.get(path)) left.push({ path, why: 'changed' });
            else {
              restored.push({ path, kind: was.has(path) ? 'modified' : 'added' });
              if (was.has(path)) this.files.set(path, was.get(path)!);
              else this.files.delete(path);
            }
            if (happens(0.1)) {
              dies();
              return { ok: false, code: 'dead', message: 'nobody hears this' };
            }
          }
        }
        const count = { leftCount: left.length, failedCount: 0, stopped: false };
        return { ok: true, after: 'c0', restored, left, ...count };
      },
    };
  }
}

const same = (one: Files | undefined, other: Files): boolean =>
  one?.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
