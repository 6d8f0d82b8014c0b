import { HttpError } from '../http/errors.ts';
import type { Desk, Handlers } from './handler.ts';

type Names = 'getModels' | 'testModel' | 'getMemory' | 'forget';

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
  };
}
