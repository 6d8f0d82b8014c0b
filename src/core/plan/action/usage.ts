import { ACTIONS, type ActionKind } from '../../contract/index.ts';
import { EXPECTS_FORMS } from '../expects/parse.ts';

export interface ActionUsage {
  kind: ActionKind;
  keyword: string;
  usage: string;
  means: string;
}

/** The action language as it is told to whoever is to write it. Only an undo writes a restore. */
export const actionUsages: readonly ActionUsage[] = (Object.keys(ACTIONS) as ActionKind[])
  .filter((kind) => kind !== 'restore')
  .map((kind) => {
    const { keyword, usage, means } = ACTIONS[kind];
    return { kind, keyword, usage, means };
  });

export const KEYWORDS: readonly string[] = actionUsages.map(({ keyword }) => keyword);

/** How the forms of `expects` that are checked are written, each once. */
export const expectsUsages: readonly string[] = [...new Set(EXPECTS_FORMS.map(({ usage }) => usage))];
