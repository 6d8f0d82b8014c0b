import type { RunRow } from '../../core/contract/index.ts';
import type { Listing } from '../../core/stream/index.ts';
import { AppError } from './errors.ts';
import { foldersAbove } from './places.ts';

/** What a run is wanted for. It decides which one is meant where none is named. */
export type WantedFor = keyof typeof purposes;

interface Seen {
  row: RunRow;
  /** A living driver works on it. */
  isDriven: boolean;
}
type Fits = (seen: Seen) => boolean;

interface Wanted {
  /** The first of these that any run of the folder fits decides. */
  fits: readonly Fits[];
  /** The newest of those that fit is meant. Otherwise one that fits is, and several are asked about. */
  newest?: true;
  /** Nothing is asked of the run: one of another folder may be named by its beginning. */
  looks?: true;
  /** What no run here does, where none fits. */
  none: string;
  /** The command that lists what there is. */
  lists?: string;
}

const isAny: Fits = () => true;
const isDriven: Fits = (seen) => seen.isDriven;
const isOpen: Fits = ({ row }) => row.endedAt === null;
const isUndo: Fits = ({ row }) => row.undoes !== undefined;
const hasBegun: Fits = ({ row }) => row.currentStep !== null || row.stepsDone > 0;
const isResting: Fits = (seen) => isOpen(seen) && !seen.isDriven;
const isStuck: Fits = (seen) =>
  isResting(seen) && (seen.row.state === 'failed' || seen.row.state === 'paused');
const keepsServices: Fits = ({ row }) => row.services.length > 0;
const waits =
  (...what: RunRow['waitingFor'][]): Fits =>
  ({ row }) =>
    row.waitingFor !== null && what.includes(row.waitingFor);

const purposes = {
  look: { fits: [isAny], newest: true, looks: true, none: 'is there' },
  undo: {
    fits: [(seen) => !isUndo(seen) && hasBegun(seen), (seen) => !isUndo(seen)],
    newest: true,
    none: 'is there to take back',
  },
  cancel: { fits: [isDriven, isOpen, keepsServices], none: 'can be cancelled' },
  pause: { fits: [isDriven, isOpen], none: 'can be paused' },
  'change-mode': { fits: [isDriven, isOpen], none: 'is open' },
  resume: { fits: [isResting, isOpen], none: 'can go on' },
  mend: { fits: [isStuck, isOpen], none: 'can be mended' },
  approve: { fits: [waits('approval')], none: 'waits for an approval', lists: 'waiting' },
  answer: {
    fits: [waits('answer'), ({ row }) => row.state === 'planning'],
    none: 'waits for an answer',
    lists: 'waiting',
  },
  remove: { fits: [({ row }) => row.endedAt !== null], none: 'has ended' },
} satisfies Record<string, Wanted>;

/** A beginning of an id that is shorter is no name: a number of a step would be one. */
export const SHORTEST_BEGINNING = 4;

export interface Looking {
  listing: Pick<Listing, 'list' | 'row' | 'withPrefix' | 'due'>;
  /** The folder that the person is in; a real path. */
  workspace: string;
  home: string;
}

/**
 * The runs that could be meant, the newest first; more than one: the person has to say which. Never empty: throws an
 * AppError that says what there is instead.
 *
 * Without a name it is one of this folder, or of the nearest above it that has runs, and never of another. A beginning of
 * an id names a run of this folder; one of another folder has its whole id, unless it is only looked at.
 */
export async function runsMeant(
  named: string | undefined,
  purpose: WantedFor,
  looking: Looking,
): Promise<RunRow[]> {
  return named === undefined ? unnamed(purpose, looking) : namedSo(named.toLowerCase(), purpose, looking);
}

/** The folder whose runs are meant here: this one, or the nearest above it that has any; this one where none has. */
export async function folderMeant({ listing, workspace, home }: Looking): Promise<string> {
  for (const folder of foldersAbove(workspace, home)) {
    const [any] = await listing.list({ kind: 'run', workspace: folder, limit: 1 });
    if (any !== undefined) return folder;
  }
  return workspace;
}

async function unnamed(purpose: WantedFor, looking: Looking): Promise<RunRow[]> {
  const { listing } = looking;
  const wanted: Wanted = purposes[purpose];
  const folder = await folderMeant(looking);
  const rows = await listing.list<RunRow>({
    kind: 'run',
    workspace: folder,
    ...(wanted.looks ? { limit: 1 } : {}),
  });
  const seen = await asSeen(rows, looking);
  for (const fits of wanted.fits) {
    const fitting = seen.filter(fits).map(({ row }) => row);
    if (fitting.length > 0) return wanted.newest ? fitting.slice(0, 1) : fitting;
  }
  const [latest] = rows;
  if (latest === undefined) {
    const [any] = await listing.list<RunRow>({ kind: 'run', limit: 1 });
    const others =
      any === undefined ? 'there are no runs yet' : 'planwright runs --all lists those of others';
    throw new AppError('no-such-run', `no run is in ${folder}; ${others}`);
  }
  const which = `the latest, ${latest.id}, is ${latest.state}`;
  const see = `planwright ${wanted.lists ?? 'runs'}`;
  throw new AppError('no-such-run', `no run in ${folder} ${wanted.none}; ${which}: ${see}`);
}

async function namedSo(name: string, purpose: WantedFor, looking: Looking): Promise<RunRow[]> {
  const { listing } = looking;
  const whole = await listing.row<RunRow>(name);
  if (whole?.kind === 'run') return [whole];
  if (name.length < SHORTEST_BEGINNING) {
    throw new AppError(
      'no-such-run',
      `${JSON.stringify(name)} is too short for a run: give ${SHORTEST_BEGINNING} characters of its id or more`,
    );
  }
  const matches = await listing.withPrefix<RunRow>(name, 'run');
  if (matches.length === 0) throw new AppError('no-such-run', `there is no run ${JSON.stringify(name)}`);
  const folder = await folderMeant(looking);
  const here = matches.filter((row) => row.workspace === folder || row.workspace === looking.workspace);
  if (here.length > 0) return here;
  const wanted: Wanted = purposes[purpose];
  const [only] = matches;
  if (wanted.looks || matches.length > 1) return matches;
  throw new AppError(
    'ambiguous-run',
    `run ${only!.id} is of another folder, ${only!.workspace}: give its whole id`,
  );
}

async function asSeen(rows: readonly RunRow[], { listing }: Looking): Promise<Seen[]> {
  if (!rows.some(({ goesOn }) => goesOn)) return rows.map((row) => ({ row, isDriven: false }));
  // What goes on by itself is due unless a living driver has it.
  const due = await listing.due(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const undriven = new Set(due.map(({ id }) => id));
  return rows.map((row) => ({ row, isDriven: row.goesOn && !undriven.has(row.id) }));
}
