import { type ModelName, printModelName } from '../../core/contract/index.ts';
import type { Rate } from './types.ts';

/** With fewer answers than this, a rate says more about luck than about the model. */
const enough = 5;

/** Null where too little is known of the model. */
export function rateOf(model: ModelName, rates: ReadonlyMap<string, Rate>): Rate | null {
  const known = rates.get(printModelName(model));
  return known === undefined || known.asked < enough ? null : known;
}

/**
 * The models of a chain with the most reliable first. Only those whose rate is known change places, among themselves:
 * a model that was never tried stays where the person, or the default, has put it.
 */
export function orderByAcceptance(
  models: readonly ModelName[],
  rates: ReadonlyMap<string, Rate>,
): readonly ModelName[] {
  const rated = models.flatMap((model, at) => {
    const known = rateOf(model, rates);
    // One more of each: 5 of 5 is not yet certainty.
    return known === null ? [] : [{ model, at, rate: (known.accepted + 1) / (known.asked + 2) }];
  });
  const ordered = [...models];
  const best = rated.toSorted((a, b) => b.rate - a.rate);
  for (const [index, { at }] of rated.entries()) ordered[at] = best[index]!.model;
  return ordered;
}
