import { HttpError } from '../http/errors.ts';
import type { Desk, Handlers } from './handler.ts';

type Names = 'getModels' | 'testModel' | 'getMemory' | 'forget' | 'diffRun' | 'undoRun';

/** What needs rooms that this program is built without answers so, and says it. */
const missing = (what: string) => new HttpError(501, 'not-built', `${what} is not part of this build`);

export function mindRoutes(_desk: Desk): Handlers<Names> {
  return {
    getModels: () => ({ roles: [] }),
    testModel: () => ({
      ok: false,
      provider: null,
      model: null,
      message: 'no model is set up; runs go by plans, runbooks and rules',
      durationMs: null,
    }),
    getMemory: () => ({ fixes: [] }),
    forget: () => {
      throw new HttpError(404, 'no-such-fix', 'there is no such remembered fix');
    },
    diffRun: () => {
      throw missing('diff');
    },
    undoRun: () => {
      throw missing('undo');
    },
  };
}
