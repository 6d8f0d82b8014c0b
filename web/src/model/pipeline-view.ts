import { type Pipeline, PREVIOUS, type TaskStatus, type Transition } from '@tasks';

export interface DiagramNode {
  name: string;
  title: string;
  kind: TaskStatus['kind'];
  /** Its middle. */
  x: number;
  y: number;
}
export interface DiagramEdge {
  from: string;
  to: string;
  /** A path of SVG. */
  d: string;
  /** It leads on from where the task is. */
  open: boolean;
}
export interface Diagram {
  width: number;
  height: number;
  nodes: readonly DiagramNode[];
  edges: readonly DiagramEdge[];
}

export const NODE = { width: 108, height: 26 };
const STEP = { x: 150, y: 48 };
const EDGE = 14;
/** How far from a lane what goes around it lies. */
const BEND = 11;

/**
 * A pipeline as a drawing. Statuses stand in columns by how many others lead to them at least by the longest way forward, and
 * the way to the first end that is not only a person's no lies in one line on top; detours lie below it, and those that
 * lead back where a task came from (a question, a failure) at the bottom.
 */
export function diagramOf(pipeline: Pipeline, status: string, previous: string): Diagram {
  const { statuses, transitions } = pipeline;
  const isSiding = (name: string) =>
    transitions.some(({ from, to }) => to === PREVIOUS && from.includes(name));
  const order = new Map(statuses.map(({ name }, at) => [name, at]));
  const steps = transitions.flatMap(({ from, to }) =>
    to === PREVIOUS ? [] : from.filter((one) => !isSiding(one)).map((one) => [one, to] as const),
  );
  const ranks = ranksOf(
    statuses,
    steps.filter(([from, to]) => order.get(from)! < order.get(to)!),
  );
  const main = mainWay(pipeline, steps, ranks);
  const places = placed(statuses, ranks, main, isSiding);
  const nodes = statuses.map(({ name, title, kind }) => {
    const { column, lane } = places.get(name)!;
    return {
      name,
      title,
      kind,
      x: EDGE + NODE.width / 2 + column * STEP.x,
      y: EDGE + NODE.height / 2 + lane * STEP.y,
    };
  });
  const columns = Math.max(...[...places.values()].map(({ column }) => column));
  const lanes = Math.max(...[...places.values()].map(({ lane }) => lane));
  return {
    width: 2 * EDGE + NODE.width + columns * STEP.x,
    height: 2 * EDGE + NODE.height + lanes * STEP.y,
    nodes,
    edges: edgesOf(transitions, nodes, places, { status, previous }),
  };
}

function ranksOf(statuses: readonly TaskStatus[], forward: readonly (readonly [string, string])[]) {
  const ranks = new Map(statuses.map(({ name }) => [name, 0]));
  // In their own order, forward steps only lead to later ones: once through is enough.
  for (const { name } of statuses)
    for (const [from, to] of forward)
      if (from === name) ranks.set(to, Math.max(ranks.get(to)!, ranks.get(name)! + 1));
  return ranks;
}

/** From the beginning to the end that something other than a person leads to, else to the first end. */
function mainWay(
  { statuses, transitions }: Pipeline,
  steps: readonly (readonly [string, string])[],
  ranks: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const ends = statuses.filter(({ kind }) => kind === 'ended').map(({ name }) => name);
  const isReachedByWork = (end: string) =>
    transitions.some(({ to, trigger }: Transition) => to === end && trigger.type !== 'manual');
  const way = new Set<string>();
  let at = ends.find(isReachedByWork) ?? ends[0];
  while (at !== undefined && !way.has(at)) {
    way.add(at);
    const rank: number = ranks.get(at)!;
    const here: string = at;
    at = statuses.find(({ name }) =>
      steps.some(([from, to]) => from === name && to === here && ranks.get(from) === rank - 1),
    )?.name;
  }
  return way;
}

interface Place {
  column: number;
  lane: number;
}

function placed(
  statuses: readonly TaskStatus[],
  ranks: ReadonlyMap<string, number>,
  main: ReadonlySet<string>,
  isSiding: (name: string) => boolean,
): Map<string, Place> {
  const places = new Map<string, Place>();
  const used = new Map<number, number>();
  const onWay = statuses.filter(({ name }) => !isSiding(name));
  for (const { name } of onWay.toSorted((a, b) => Number(main.has(b.name)) - Number(main.has(a.name)))) {
    const column = ranks.get(name)!;
    const lane = used.get(column) ?? (main.has(name) ? 0 : 1);
    used.set(column, lane + 1);
    places.set(name, { column, lane });
  }
  const below = Math.max(0, ...[...places.values()].map(({ lane }) => lane)) + 1;
  const sidings = statuses.filter(({ name }) => isSiding(name));
  const middle = Math.floor(Math.max(...[...places.values()].map(({ column }) => column), 0) / 2);
  // Between two columns, so that what leads there goes past those above.
  for (const [at, { name }] of sidings.entries())
    places.set(name, {
      column: Math.max(0, middle - Math.floor(sidings.length / 2) + at) + 0.5,
      lane: below,
    });
  return places;
}

/** Those between neighbours, and whatever leads on from where the task is; more would hide what they mean. */
function edgesOf(
  transitions: readonly Transition[],
  nodes: readonly DiagramNode[],
  places: ReadonlyMap<string, Place>,
  { status, previous }: { status: string; previous: string },
): DiagramEdge[] {
  const edges = new Map<string, DiagramEdge>();
  const node = (name: string) => nodes.find((one) => one.name === name);
  for (const { from: all, to: target, trigger } of transitions)
    for (const from of all) {
      const to = target === PREVIOUS ? (from === status ? previous : '') : target;
      const [a, b] = [node(from), node(to)];
      const [here, there] = [places.get(from), places.get(to)];
      if (a === undefined || b === undefined || here === undefined || there === undefined || a === b)
        continue;
      const open = from === status;
      const isNear =
        Number.isInteger(here.column) &&
        Number.isInteger(there.column) &&
        Math.abs(here.column - there.column) <= 1;
      const isEnd = b.kind === 'ended' && trigger.type === 'manual';
      if (!open && (!isNear || isEnd || target === PREVIOUS)) continue;
      const key = `${from} ${to}`;
      edges.set(key, { from, to, d: pathOf(a, b), open: open || (edges.get(key)?.open ?? false) });
    }
  return [...edges.values()];
}

/** Straight or in a curve between neighbours; else through the gaps between lanes, past what stands between them. */
function pathOf(a: DiagramNode, b: DiagramNode): string {
  const half = { x: NODE.width / 2, y: NODE.height / 2 };
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  if (dx === 0) return `M${a.x} ${a.y + Math.sign(dy) * half.y}V${b.y - Math.sign(dy) * half.y}`;
  const isNear = Math.abs(dx) <= STEP.x && Math.abs(dy) <= STEP.y;
  const right = Math.sign(dx);
  if (isNear) {
    const [x1, x2] = [a.x + right * half.x, b.x - right * half.x];
    const mid = (x1 + x2) / 2;
    return dy === 0 ? `M${x1} ${a.y}H${x2}` : `M${x1} ${a.y}C${mid} ${a.y} ${mid} ${b.y} ${x2} ${b.y}`;
  }
  // Downwards the gap is below the lane that is left, upwards below the one that is gone to; beside, above both.
  const gap = dy === 0 ? a.y - half.y - BEND : Math.min(a.y, b.y) + half.y + BEND;
  const [y1, y2] = [gap > a.y ? a.y + half.y : a.y - half.y, gap > b.y ? b.y + half.y : b.y - half.y];
  const [in1, in2] = [Math.sign(gap - y1), Math.sign(y2 - gap)];
  const bend = BEND - 2;
  return [
    `M${a.x} ${y1}V${gap - in1 * bend}Q${a.x} ${gap} ${a.x + right * bend} ${gap}`,
    `H${b.x - right * bend}Q${b.x} ${gap} ${b.x} ${gap + in2 * bend}V${y2}`,
  ].join('');
}
