import type { AgentRunRow, TaskEvent, TaskState } from '../../../core/contract/tasks/index.ts';
import { agentModes } from '../../../core/contract/tasks/index.ts';
import type { App } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import { exitCodes } from '../../app/errors.ts';
import { AGENT_LOG } from '../../app/tasks/index.ts';
import { type Context, note } from '../context.ts';
import { cleanOutput, onlyColours } from '../render/text/clean.ts';
import { withoutSecrets } from './hidden.ts';

/** Drives a task and tells what becomes of it, until it needs somebody or is over. */
export async function stayWithTask(
  app: App,
  context: Context,
  id: string,
  { after, json }: { after: number; json: boolean },
): Promise<TaskState> {
  const leaving = new AbortController();
  const following = new AbortController();
  const press = () => {
    if (leaving.signal.aborted) process.exit(exitCodes.interrupted);
    leaving.abort();
    note(context, 'Stopping the agent. Ctrl-C again leaves.');
    void app.tasks.ask(id, { type: 'stop-requested' }, { by: ownerAt('terminal') }).catch(() => {});
  };
  process.on('SIGINT', press);
  process.on('SIGTERM', press);
  const told = follow(app, context, id, after, json, following.signal);
  try {
    return await app.tasks.driveAll(id);
  } finally {
    process.off('SIGINT', press);
    process.off('SIGTERM', press);
    following.abort();
    await told;
  }
}

async function follow(
  app: App,
  context: Context,
  id: string,
  from: number,
  json: boolean,
  signal: AbortSignal,
) {
  let after = from;
  for (;;) {
    const isLast = signal.aborted;
    for (const exact of await app.streams.read(id, after)) {
      const stored = withoutSecrets(app, exact);
      after = stored.seq;
      const event = stored.event as unknown as TaskEvent;
      if (json) context.stdout.write(`${JSON.stringify(stored)}\n`);
      else for (const line of wordsOf(event)) note(context, line);
      if (!json && event.type === 'phase-begun') void tellOutput(app, context, event.run, signal);
    }
    if (isLast) return;
    await app.streams.changed(id, after, signal);
  }
}

/** What the agents of a run say, as they say it, until it is over. */
export async function tellOutput(
  app: App,
  context: Context,
  run: string,
  signal: AbortSignal,
): Promise<void> {
  const clean = onlyColours();
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    for await (const { bytes } of app.streams.output.follow(run, AGENT_LOG, attempt, signal))
      context.stdout.write(clean(bytes));
    const row = await app.streams.row<AgentRunRow>(run);
    if (row === null || row.endedAt !== null) return;
  }
}

function wordsOf(event: TaskEvent): string[] {
  switch (event.type) {
    case 'moved':
      return [`→ ${event.to.replaceAll('_', ' ')}`];
    case 'phase-begun':
      return [`${agentModes[event.mode].title}: ${event.agent} is at it`];
    case 'phase-ended':
      return [
        `${event.outcome.replaceAll('_', ' ')}${event.message === null ? '' : `: ${cleanOutput(event.message)}`}`,
      ];
    case 'outcome-unknown':
      return [`nothing is known about the outcome ${event.outcome}: move it by hand`];
    case 'merge-finished':
      return [cleanOutput(event.message), ...event.conflicts.map((path) => `  ${cleanOutput(path)}`)];
    default:
      return [];
  }
}
