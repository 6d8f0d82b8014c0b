import { keptGuards } from '../../../core/guard/kept.ts';
import { foldVersion } from '../../../world/store/index.ts';
import { AppError } from '../errors.ts';
import type { Drivable } from '../streams.ts';

/** Sessions under the guard, as this program knows them. Nothing is ever due in one: the guard has written all there is. */
export const drivableGuards: Drivable = {
  kind: keptGuards,
  foldVersion,
  async open(id) {
    throw new AppError('usage', `${id} is a session of another agent: nobody drives it`);
  },
};
