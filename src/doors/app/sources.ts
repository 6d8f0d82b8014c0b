import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  type Config,
  type GitSource,
  isSameHost,
  type Place,
  type RunState,
} from '../../core/contract/index.ts';
import type { SourcePort } from '../../core/run/index.ts';
import type { Output } from '../../core/stream/index.ts';
import { systemClock } from '../../world/store/index.ts';
import type { Caching, Protocol } from '../../world/worktrees/source/index.ts';
import { AppError } from './errors.ts';
import type { Env, Places } from './places.ts';

/** Runs that come from a git source, as this machine has them. */
export interface Sources {
  /** Whether there are other machines that could go on with something. */
  isFleet: boolean;
  /** How git is used for them here. */
  around(signal?: AbortSignal): Caching;
  /** Where this machine keeps their repositories and folders. */
  cache: string;
  /** The commit that `URL[#ref]` stands for now. Rejects with an AppError. */
  resolve(text: string): Promise<GitSource>;
  /** The folder of a run that is just being made. Rejects with an AppError. */
  place(run: string, source: GitSource): Promise<Place>;
  /** Told of each place that is taken, before anything is done there. */
  portFor(run: string, onTaken: (place: Place) => Promise<void>): SourcePort;
}

interface SourcesOptions {
  places: Places;
  config: Config;
  env: Env;
  output: Output;
  /** Which store it is: two of them know nothing of each other's runs. */
  where: string;
  /** Whether there are other machines that could go on with a run. */
  isFleet: boolean;
}

/** What this machine keeps for the runs of one store. */
const cacheOf = (places: Places, where: string): string =>
  join(places.cache, 'sources', createHash('sha256').update(where).digest('hex').slice(0, 16));

/** The machine that a run lives on has the first try; after so long any other may take it up. */
const HOME_FIRST_MS = 15_000;
export const homeFirst = (leaseMs = HOME_FIRST_MS): number => Math.min(leaseMs, HOME_FIRST_MS);

/** Asked with the claim in hand: nobody drives it. */
export const mayTake = (
  { place, updatedAt }: { place: Place; updatedAt: number },
  here: string,
  leaseMs?: number,
): boolean => !isSameHost(place.host, here) && systemClock.now() - updatedAt >= homeFirst(leaseMs);

const parcels = () => import('./parcels.ts');
const git = () => import('../../world/worktrees/source/index.ts');
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function createSources({ places, config, env, output, where, isFleet }: SourcesOptions): Sources {
  const cache = cacheOf(places, where);
  const around = (signal?: AbortSignal): Caching => ({
    env,
    signal,
    cache,
    protocols: config['source.protocols'].split(',') as Protocol[],
  });
  const folderOf = async (
    run: string,
    { source, carried }: { source: GitSource; carried: RunState['carried'] },
    signal?: AbortSignal,
  ): Promise<Place> => {
    const [{ makeFolder }, { placeOf }] = await Promise.all([
      git(),
      import('../../world/workspace/index.ts'),
    ]);
    const parcel = async (name: string) => (await parcels()).readParcel(output, run, name);
    return placeOf(await makeFolder({ run, source, carried, parcel }, around(signal)));
  };
  const asked = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw new AppError('usage', messageOf(error), { cause: error });
    }
  };
  return {
    isFleet,
    around,
    cache,
    resolve: async (text) => asked((await git()).resolveSource(text, around())),
    place: (run, source) => asked(folderOf(run, { source, carried: null })),
    portFor: (run, onTaken) => ({
      async take({ gitSource: source, carried }, signal) {
        if (source === null) return { ok: false, message: 'it comes from no git source' };
        try {
          const place = await folderOf(run, { source, carried }, signal);
          await onTaken(place);
          return { ok: true, place };
        } catch (error) {
          return { ok: false, message: messageOf(error) };
        }
      },
      ...(isFleet ? { carry: (state: RunState) => carry(run, state) } : {}),
    }),
  };

  async function carry(run: string, state: RunState): ReturnType<NonNullable<SourcePort['carry']>> {
    const { gitSource: source, carried, workspace: folder } = state;
    if (source === null) return null;
    try {
      const packed = await (await git()).packWork({ run, source, carried, folder }, around());
      if (packed === null) return null;
      // First the bytes, then the fact that names them.
      await (await parcels()).keepParcel(output, run, packed.parcel.name, packed.bytes);
      return { ok: true, parcel: packed.parcel };
    } catch (error) {
      return { ok: false, message: messageOf(error) };
    }
  }
}
