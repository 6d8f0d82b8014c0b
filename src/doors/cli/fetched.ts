import { startedHere } from '../app/asker.ts';
import { AppError, exitCodes } from '../app/errors.ts';
import { type FetchedText, fetchPlan, shownAddress } from '../app/fetch-plan.ts';
import { findPlaces } from '../app/places.ts';
import type { Given } from './command.ts';
import { type Context, isAttended, note } from './context.ts';

/**
 * The text at an address, for somebody to agree on. Anybody may have changed it since it was looked at, so it is run for a
 * person who is shown its steps and asked, or by its hash. Throws an AppError where neither is so, or it cannot be had.
 */
export async function fetchedText(context: Context, given: Given, named: string): Promise<FetchedText> {
  const wanted = hashIn(given);
  const { data } = findPlaces(context.env);
  if (startedHere(data) !== null)
    throw new AppError('not-allowed', 'a run started this one, and runs fetch no plans: fetch it yourself');
  const isAsked = isAttended(context) && !given.flag('json') && !given.flag('yes');
  if (wanted === undefined && !isAsked && !given.flag('dry-run')) {
    const from = URL.parse(named);
    const why = `nobody has seen what ${from === null ? 'it' : shownAddress(from)} says: look at it with --dry-run, which says its hash, and give that as --sha256`;
    throw new AppError('usage', why, { exitCode: exitCodes.needsPerson });
  }
  const fetched = await fetchPlan(named);
  const { address, sha256, bytes } = fetched;
  if (wanted !== undefined && wanted !== sha256)
    throw new AppError(
      'not-allowed',
      `${address} is not what was agreed on: its sha256 is ${sha256}, not ${wanted}. Look at it with --dry-run`,
    );
  note(context, `Fetched ${address}: ${bytes.length} bytes, sha256 ${sha256}`);
  return fetched;
}

function hashIn(given: Given): string | undefined {
  const wanted = given.text('sha256')?.toLowerCase();
  if (wanted !== undefined && !/^[0-9a-f]{64}$/.test(wanted))
    throw new AppError('usage', `--sha256 takes 64 digits from 0 to f, not ${JSON.stringify(wanted)}`);
  return wanted;
}
