import { type Context, isCi } from '../context.ts';
import { isLiveTerminal } from '../render/style.ts';
import { createGithubView } from './github.ts';
import { createJsonView } from './json.ts';
import { createLive } from './live.ts';
import { withPatience } from './patience.ts';
import { createPlainView } from './plain.ts';
import { withReport } from './report.ts';
import type { RunScreen } from './run-view.ts';

export { checkReport } from './report.ts';
export { type RunScreen, silentView } from './run-view.ts';

/** The view that fits where the output goes. */
export function chooseView(
  context: Context,
  { id, json, expand = false, report, verbose = false }: ViewChoice,
): RunScreen {
  const view = json ? createJsonView(context, id, expand) : forPeople(context, id, verbose);
  return report === undefined ? view : withReport(context, view, report);
}

export interface ViewChoice {
  id: string;
  json: boolean;
  /** With whole plans. */
  expand?: boolean;
  /** `junit=FILE`. */
  report?: string | undefined;
  /** With the differences between drafts. */
  verbose?: boolean;
}

function forPeople(context: Context, id: string, verbose: boolean): RunScreen {
  const { env, stderr } = context;
  if (env['GITHUB_ACTIONS'] === 'true') return withPatience(createGithubView(context, id));
  const isLive = isLiveTerminal({ env, isTTY: stderr.isTTY }) && !isCi(env);
  return isLive ? createLive(context, id, verbose) : withPatience(createPlainView(context, id, verbose));
}
