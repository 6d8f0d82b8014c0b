import type { Session } from '../../../core/contract/index.ts';
import type { Environment } from '../../process/environment.ts';

/** The PATH of a shell in this session. */
export const pathOf = (base: Environment, env: Session['env']): string | undefined =>
  (Object.hasOwn(env, 'PATH') ? env['PATH'] : base['PATH']) ?? undefined;
