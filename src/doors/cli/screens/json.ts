import { type StoredEvent, withWholePlan } from '../../../core/contract/index.ts';
import type { Context } from '../context.ts';
import { type RunScreen, silentView } from './run-view.ts';

/** Every event as one line of JSON on stdout; with `expand`, those that make or change the plan with all of it. */
export const createJsonView = ({ stdout }: Context, id: string, expand: boolean): RunScreen => ({
  ...silentView,
  event(stored, state) {
    const { seq, event } = expand ? (withWholePlan(stored, id, state) as StoredEvent) : stored;
    stdout.write(`${JSON.stringify({ run: id, seq, ...event })}\n`);
  },
});
