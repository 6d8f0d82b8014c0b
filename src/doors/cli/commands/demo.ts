import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunState } from '../../../core/contract/index.ts';
import { quoteWord } from '../../../core/shell/index.ts';
import { findProgram } from '../../../world/process/index.ts';
import { type App, openApp } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import { checkDemo, demoSettings, makeDemo, takePort } from '../../app/demo/make.ts';
import { usualNames } from '../../app/demo/sample.ts';
import { type ExitCode, exitCodes } from '../../app/errors.ts';
import { loadPlan } from '../../app/plans.ts';
import type { RunningServer } from '../../server/index.ts';
import { attend } from '../attend.ts';
import { openBrowser } from '../browser.ts';
import { atMost, type CommandCode, type Given } from '../command.ts';
import { type Context, isAttended, note } from '../context.ts';
import { firstSignal, servePage, untilLooked } from '../page.ts';
import { chooseView } from '../screens/index.ts';
import { startAndAttend } from './run.ts';

export const command: CommandCode = {
  async run(context, given) {
    atMost(given, 0);
    const taken = await takePort(usualNames.port);
    try {
      return await demo(context, given, taken.port);
    } finally {
      taken.release();
    }
  },
};

async function demo(context: Context, given: Given, port: number): Promise<ExitCode> {
  const workspace = mkdtempSync(join(tmpdir(), 'planwright-demo-'));
  makeDemo(workspace, { ...usualNames, port });
  const { env } = context;
  const loaded = await loadPlan({ path: 'RUNBOOK.md', cwd: workspace, env, workspace });
  if (!loaded.ok) throw new Error('the sample runbook is not valid');
  const { flags, said } = await demoSettings();
  if (said !== null) note(context, said);
  const app = await openApp({ env, cwd: workspace, flags });
  const attended = isAttended(context);
  let page: RunningServer | null = null;
  try {
    if (given.flag('page')) page = await openPage(app, context);
    const choice = { attended, excluded: [], inputs: {}, mode: 'agentic' as const };
    const onAsk = attended ? {} : { onAsk: 'deny' as const };
    const onCreated = async (id: string) => {
      if (page !== null) await showPage(context, page, id, attended);
    };
    const code = await startAndAttend(app, context, loaded.plan, { ...choice, ...onAsk }, given, {
      onCreated,
    });
    const end = await conclude(app, context, given, workspace, code);
    const stays = code !== exitCodes.interrupted && (attended || given.flag('stay'));
    if (page !== null && stays) {
      note(context, `The page stays at ${page.url} until Ctrl-C.`);
      await firstSignal();
    }
    return end;
  } finally {
    await page?.close();
    await app.close();
  }
}

/** The web app beside the terminal: both look at the same run, and either can decide. */
async function openPage(app: App, context: Context): Promise<RunningServer | null> {
  const started = await servePage(context, app, { env: context.env });
  if (!started.ok) {
    note(context, `A server is running already at ${started.other.url}: planwright serve opens it.`);
    return null;
  }
  return started.server;
}

/** How long a browser may take to start. */
const MAX_START_MS = 15_000;

/** The run itself, not a list to find it in. Where a browser is opened, the run begins when the page is there. */
async function showPage(context: Context, page: RunningServer, id: string, attended: boolean): Promise<void> {
  note(context, `Watch it in your browser: ${await page.addressOnce(10, `/runs/${id}`)}`);
  if (!attended || !openBrowser(context.env, await page.addressOnce(1, `/runs/${id}`))) return;
  note(context, 'It begins when the page is there.');
  await untilLooked(page.streams, MAX_START_MS);
}

/** After a "no" the dangerous step is left out, and the runbook has a gentler one behind it. */
async function conclude(
  app: App,
  context: Context,
  given: Given,
  workspace: string,
  first: ExitCode,
): Promise<ExitCode> {
  const [row] = await app.runs.list({ workspace: app.workspace, limit: 1 });
  if (row === undefined) return first;
  let code = first;
  if (row.stopReason === 'approval-denied') {
    note(context, 'The drafts are not deleted, then: that step is left out, and they are put aside instead.');
    code = await leaveOut(app, context, given, row.id);
  }
  const state = await app.runs.state(row.id);
  if (code !== exitCodes.done) return code;
  const wrong = checkDemo(workspace, usualNames);
  for (const problem of wrong) note(context, `Not as it should be: ${problem}.`);
  if (wrong.length > 0) return exitCodes.failed;
  note(context, `${told(state)} The site was built, served and fetched: ${workspace}`);
  note(context, `How it was mended: planwright why ${row.id}`);
  const program = howToCall(context.env['PATH']);
  if (program !== null) note(context, `It is not on your PATH: here planwright is ${program}`);
  return code;
}

/** The program as it was called; null where its name is enough. */
function howToCall(path: string | undefined): string | null {
  const [node, program] = process.argv;
  if (node === undefined || program === undefined || findProgram('planwright', path) !== null) return null;
  return [node, program].map((word) => quoteWord(word)).join(' ');
}

async function leaveOut(app: App, context: Context, given: Given, id: string): Promise<ExitCode> {
  const state = await app.runs.state(id);
  const denied = state.steps.find(({ status }) => status === 'failed');
  if (denied === undefined) return exitCodes.failed;
  const reason = 'nobody agreed to it';
  const asked = await app.runs.request(
    id,
    { type: 'skip-requested', stepId: denied.id, reason },
    { by: ownerAt('terminal') },
  );
  const again = { type: 'resume-requested', onAsk: 'deny' } as const;
  await app.runs.request(id, again, { by: ownerAt('terminal') });
  const json = given.flag('json');
  const view = chooseView(context, { id, json });
  return attend({ app, id, context, view, attended: isAttended(context) && !json, after: asked - 1 });
}

function told(state: RunState): string {
  const mended = new Set(
    state.corrections.filter(({ status }) => status === 'succeeded').map(({ stepId }) => stepId),
  );
  return `${mended.size} steps failed and were mended, without a key and without a network.`;
}
