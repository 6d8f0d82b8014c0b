import { canonical, sha256Hex } from '../../core/contract/index.ts';
import type { Fixes, FixRow } from '../../core/stream/index.ts';
import type { Generalised } from '../../mind/brain/index.ts';
import { type FixMemory, FORGET_AFTER, type RememberedFix } from '../../mind/brain/memory/memory.ts';
import { AppError } from './errors.ts';

/** Fixes that are kept for the user wherever they work. */
const USER = 'user';
const ID_LENGTH = 10;

/** The memories that a run consults and teaches: of its workspace, then of the user. */
export const memoriesFor = (fixes: Fixes, workspace: string): FixMemory[] =>
  [workspace, USER].map((scope) => createMemory(fixes, scope));

function createMemory(fixes: Fixes, scope: string): FixMemory {
  return {
    async find(key) {
      const [best] = await fixes.fixes({ scope, key });
      return best === undefined ? null : fixOf(best);
    },
    remember: async (general) =>
      fixOf(
        await fixes.keepFix({ id: idOf(general), scope, key: general.key, general: JSON.stringify(general) }),
      ),
    succeeded: (id) => fixes.fixHelped(scope, id),
    failed: (id) => fixes.fixFailed(scope, id, FORGET_AFTER),
  };
}

/** The same fix has the same id in every scope: how it fares is told to all of them. */
function idOf({ key, correction: { action, modifiedCommand, newSteps } }: Generalised): string {
  const actions = (newSteps ?? []).map((step) => step.action);
  return sha256Hex(canonical([key, action, modifiedCommand ?? null, actions])).slice(0, ID_LENGTH);
}

const fixOf = ({ id, general, successes, failures }: FixRow): RememberedFix => ({
  id,
  general: JSON.parse(general) as Generalised,
  successes,
  failures,
});

/** A remembered fix for people. `{1}` stands for the first word of the command that differs from use to use. */
export interface KnownFix {
  id: string;
  scope: 'user' | 'workspace';
  /** The command that failed, and the last line of what it said. */
  command: string;
  message: string;
  mends: string[];
  successes: number;
  failures: number;
  at: number;
}

/** Of this workspace and of the user, what was used last first. */
export async function listFixes(fixes: Fixes, workspace: string): Promise<KnownFix[]> {
  const rows = [...(await fixes.fixes({ scope: workspace })), ...(await fixes.fixes({ scope: USER }))];
  return rows.map(describe).sort((a, b) => b.at - a.at);
}

function describe({ id, scope, general, successes, failures, at }: FixRow): KnownFix {
  const { key, correction } = JSON.parse(general) as Generalised;
  const [command = '', , ...said] = key.split('\n');
  const first = (correction.newSteps ?? []).map((step) => step.action.replace(/^RUN_COMMAND /, ''));
  const mends = correction.modifiedCommand === undefined ? first : [...first, correction.modifiedCommand];
  const message =
    said.find((line) => /error|cannot|denied|not found|no such/i.test(line)) ?? said.at(-1) ?? '';
  const where = scope === USER ? 'user' : 'workspace';
  return { id, scope: where, command, message, mends, successes, failures, at };
}

/** Forgets the fixes whose id begins so, for this workspace and for the user. Throws where there is none. */
export async function forgetFix(fixes: Fixes, workspace: string, prefix: string): Promise<number> {
  const known = await listFixes(fixes, workspace);
  const ids = new Set(known.map(({ id }) => id).filter((id) => prefix !== '' && id.startsWith(prefix)));
  if (ids.size === 0)
    throw new AppError('usage', `there is no remembered fix ${prefix}; see planwright memory`);
  if (ids.size > 1) throw new AppError('usage', `${prefix} may be ${[...ids].join(', ')}: write more of it`);
  const [id] = ids;
  return forgetIn(fixes, workspace, id!);
}

/** Forgets all fixes of this workspace and of the user. */
export const forgetAll = (fixes: Fixes, workspace: string): Promise<number> => forgetIn(fixes, workspace);

async function forgetIn(fixes: Fixes, workspace: string, id?: string): Promise<number> {
  const one = id === undefined ? {} : { id };
  return (
    (await fixes.forgetFixes({ scope: workspace, ...one })) +
    (await fixes.forgetFixes({ scope: USER, ...one }))
  );
}
