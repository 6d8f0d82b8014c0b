import type { Blocks } from '../../../core/contract/index.ts';
import {
  afterTurn,
  firstTurn,
  type InTurn,
  type JudgeContext,
  type Performed,
  resolvePath,
  type Written,
} from '../../../core/risk/index.ts';
import type { RealPaths } from './real-paths.ts';

/** How far the steps of one run were followed. */
interface Followed {
  steps: Blocks<Performed>;
  context: string;
  turn: InTurn;
  /** By the paths that were named, and by where those really were when they were first looked at. */
  found: Written;
}

/** By the first step: a run is followed on from where it was, however long it is, and not again from its beginning. */
const followed = new WeakMap<Performed, Followed>();

/** What earlier steps wrote, by the paths they named and by where those really are. */
export function writtenBefore(
  earlier: Blocks<Performed>,
  context: JudgeContext,
  real: RealPaths,
): { written?: Written } {
  const first = earlier.find((block) => block.length > 0)?.[0];
  if (first === undefined) return {};
  const at = (path: string): string => {
    const full = path.startsWith('~/') ? `${context.home}${path.slice(1)}` : path;
    return full.startsWith('/') ? resolvePath(real.find(full, true).path, { context, cwd: undefined }) : path;
  };
  const key = JSON.stringify(context);
  const known = followed.get(first);
  const more = known?.context === key ? since(known.steps, earlier) : null;
  let turn = more === null ? firstTurn(context) : known!.turn;
  const before = turn.written;
  for (const step of more ?? earlier.flat()) turn = afterTurn(turn, step, context);
  const found =
    more === null
      ? located(turn.written, null, at)
      : located(turn.written, { before, found: known!.found }, at);
  followed.set(first, { steps: earlier, context: key, turn, found });
  return { written: found };
}

/** The steps that came after those; null where those are not the first of these. */
function since(known: Blocks<Performed>, steps: Blocks<Performed>): readonly Performed[] | null {
  const same = steps.findIndex((block, index) => block !== known[index]);
  if (same === -1) return known.length === steps.length ? [] : null;
  const old = known.slice(same).flat();
  const all = steps.slice(same).flat();
  return old.length <= all.length && old.every((step, index) => step === all[index])
    ? all.slice(old.length)
    : null;
}

/** Adds where the paths really are; of those that were known before it was found already. */
function located(
  written: Written,
  known: { before: Written; found: Written } | null,
  at: (path: string) => string,
): Written {
  if (written === known?.before) return known.found;
  const files = new Map(known?.found.files);
  const folders = new Set(known?.found.folders);
  for (const [path, origin] of written.files) {
    if (known !== null && known.before.files.get(path) === origin) continue;
    files.set(path, origin).set(at(path), origin);
  }
  for (const folder of written.folders) {
    if (!known?.before.folders.has(folder)) folders.add(folder).add(at(folder));
  }
  return { files, folders };
}
