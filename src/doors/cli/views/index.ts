import { type Context, isCi } from '../context.ts';
import { createJsonView } from './json.ts';
import { createLive } from './live.ts';
import { createPlainView } from './plain.ts';
import type { RunView } from './view.ts';

export { type RunView, silentView } from './view.ts';

/** The view that fits where the output goes. */
export function chooseView(context: Context, { id, json }: { id: string; json: boolean }): RunView {
  if (json) return createJsonView(context, id);
  const { env, stderr } = context;
  const live = stderr.isTTY && !isCi(env) && env['TERM'] !== 'dumb';
  return live ? createLive(context, id) : createPlainView(context, id);
}
