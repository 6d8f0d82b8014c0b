import type { Actor } from '../../src/core/contract/index.ts';
import type { Asker } from '../../src/doors/app/asker.ts';

/** Somebody who may decide. */
export const ana: Actor = { person: 'ana', door: 'library' };
export const someone: Asker = { actor: ana, scope: 'decide' };
