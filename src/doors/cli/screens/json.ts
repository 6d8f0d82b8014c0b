import type { Context } from '../context.ts';
import { type RunScreen, silentView } from './run-view.ts';

/** Every event as one line of JSON on stdout. */
export const createJsonView = ({ stdout }: Context, id: string): RunScreen => ({
  ...silentView,
  event: ({ seq, event }) => void stdout.write(`${JSON.stringify({ run: id, seq, ...event })}\n`),
});
