import { z } from 'zod';

/**
 * A host is written `laptop~3f9a0c51e8d2b746`: what people call it, and what tells it from every other whatever it is
 * called. Where the machine has nothing of that kind, its name has to do.
 */
export const hostId = (host: string): string => host.slice(host.lastIndexOf('~') + 1);

/** What people call it. */
export const hostName = (host: string): string => {
  const at = host.lastIndexOf('~');
  return at > 0 ? host.slice(0, at) : host;
};

export const isSameHost = (one: string, other: string): boolean =>
  one === other || hostId(one) === hostId(other);

/** Where something lives: one machine, as it was started, and a folder on it. */
export const Place = z.strictObject({
  host: z.string(),
  /** Names the time since the machine was last started. */
  boot: z.string(),
  /** A real path. */
  workspace: z.string(),
  /** The linked worktree of git that the workspace lies in, where it does. */
  worktree: z.string().optional(),
});
export type Place = z.infer<typeof Place>;

/** Of what any machine may take up, before one has. */
export const nowhere: Place = { host: '', boot: '', workspace: '' };

export const isNowhere = ({ host }: Place): boolean => host === '';

/** For people on `here` who ask for what is not there; null where it is. A folder of the same name is not the folder. */
export const elsewhere = (place: Place, here: string): string | null => {
  const { workspace, host } = place;
  if (isSameHost(host, here)) return null;
  return isNowhere(place)
    ? 'this run has no folder yet: a worker takes it up once its plan is agreed on'
    : `this run works in ${workspace} on host ${host}: its processes, output and checkpoints are there, and it goes on there`;
};
