import type { ChangedFile, UndoConflict } from '../api/work.ts';
import { count } from './text.ts';

/** What taking a run back does, by name: a person is told of a deletion before it is one. */

export type UndoDeed = 'delete' | 'revert' | 'bring back';

/** What undoing it means for a path that a run changed so. */
const deeds: Record<ChangedFile['kind'], UndoDeed> = {
  added: 'delete',
  removed: 'bring back',
  modified: 'revert',
  mode: 'revert',
  'type-changed': 'revert',
};
export const undoDeed = (kind: ChangedFile['kind']): UndoDeed => deeds[kind];

const done: Record<UndoDeed, string> = {
  delete: 'deleted',
  revert: 'reverted',
  'bring back': 'brought back',
};
/** `deleted`: the same, afterwards. */
export const undoneWord = (kind: ChangedFile['kind']): string => done[deeds[kind]];

export interface UndoGroup {
  deed: UndoDeed;
  /** `Delete: they were not there before the run`. */
  title: string;
  paths: string[];
}

const titles: Record<UndoDeed, (who: string) => string> = {
  delete: (who) => `Delete: the ${who} made it`,
  revert: (who) => `Revert: the ${who} changed it`,
  'bring back': (who) => `Bring back: the ${who} deleted it`,
};
const order: readonly UndoDeed[] = ['delete', 'revert', 'bring back'];

/** Every path under what is done to it; what is lost comes first. `who` has changed them. */
export function undoGroups(changes: readonly ChangedFile[], who = 'run'): UndoGroup[] {
  const byDeed = Map.groupBy(changes, ({ kind }) => deeds[kind]);
  return order.flatMap((deed) => {
    const paths = byDeed.get(deed)?.map(({ path }) => path) ?? [];
    return paths.length === 0 ? [] : [{ deed, title: titles[deed](who), paths }];
  });
}

/** `delete 8 paths, revert 1, bring back 2`; empty where no path is touched. */
export function undoSummary(changes: readonly ChangedFile[], actions = 0): string {
  const groups = undoGroups(changes).map(({ deed, paths }, at) =>
    at === 0 ? `${deed} ${count(paths.length, 'path')}` : `${deed} ${paths.length}`,
  );
  return [...(actions === 0 ? [] : [`perform ${count(actions, 'undo action')}`]), ...groups].join(', ');
}

/** `8 paths deleted, 1 reverted`: what an undo did. */
export const undoneSummary = (changes: readonly ChangedFile[]): string =>
  undoGroups(changes)
    .map(({ deed, paths }, at) => `${at === 0 ? count(paths.length, 'path') : paths.length} ${done[deed]}`)
    .join(', ');

const conflicts: Record<UndoConflict, string> = {
  'changed-since': 'changed since',
  unknown: 'nobody knows who changed it last',
  blocked: 'a folder above it is something else now',
  'not-empty': 'something else is in it by now',
  between: 'somebody changed it between two steps: it goes back to what they made',
};
/** Why a path is left alone; what is no conflict is an error's own words. */
export const conflictWords = (why: string): string => (conflicts as Record<string, string>)[why] ?? why;

/** What a step did that no checkpoint holds; `undo` is the action that is declared to take it back. */
export interface Beyond {
  title: string;
  paths: readonly string[];
  needs: readonly string[];
  undo: string | null;
}
const few = 10;

export function beyondWords({ title, paths, needs, undo }: Beyond): string {
  const did = [
    ...(paths.length === 0
      ? []
      : [`names ${paths.slice(0, few).join(', ')}${paths.length > few ? ', …' : ''}`]),
    ...(needs.includes('network') ? ['uses the network'] : []),
    ...(needs.includes('privilege') ? ['has privilege'] : []),
  ];
  const back = undo === null ? 'irreversible here, no undo is declared' : `its undo is ${undo}`;
  return `Beyond the workspace: ${title} ${did.join(', ')}; ${back}.`;
}
