import {
  CheckpointPolicy,
  type ModelName,
  OnAskPolicy,
  parseModelName,
  type RequestBody,
} from '../../../core/contract/index.ts';
import { ownerAt } from '../../app/asker.ts';
import { changedPlanFile } from '../../app/changed-file.ts';
import { AppError } from '../../app/errors.ts';
import { asking } from '../../app/options.ts';
import { attend } from '../attend.ts';
import { atMost, type CommandCode, oneOf } from '../command.ts';
import { isAttended, note } from '../context.ts';
import { meantRun } from '../meant-run.ts';
import { chooseView } from '../screens/index.ts';
import { withApp } from '../with-app.ts';
import { expandsPlan, limitsIn } from './run-choices.ts';

export const command: CommandCode = {
  async run(context, given) {
    const [prefix] = atMost(given, 1);
    const onAsk = oneOf(given, 'on-ask', OnAskPolicy.options);
    const onInterrupt = oneOf(given, 'on-interrupt', ['rerun', 'skip', 'stop'] as const);
    const limits = limitsIn(given);
    const brain = readModel(given.text('model'));
    const checkpoints = oneOf(given, 'checkpoints', CheckpointPolicy.options);
    return withApp(context, given, async (app) => {
      const row = await meantRun(app, context, given, prefix, 'resume');
      if (row.endedAt !== null) {
        note(context, `Run ${row.id} has ended: ${row.state}.`);
        throw new AppError('usage', `a run that has ended cannot go on; planwright show ${row.id}`);
      }
      const [undo] = await app.runs.undoneBy(row.id);
      if (undo !== undefined) note(context, `Run ${row.id} was undone by ${undo.id} (${undo.state}).`);
      const changed = await changedPlanFile(await app.runs.state(row.id), context);
      if (changed !== null) {
        const take = `planwright edit ${row.id} --plan ${changed}`;
        note(
          context,
          `${changed} has changed since: the run goes on as it was planned. ${take} takes the changes.`,
        );
      }
      const attended = isAttended(context) && !given.flag('json');
      const body: RequestBody = {
        type: 'resume-requested',
        // A question that waits stays open where nobody is there to take it back.
        ...(row.state === 'waiting' && !attended && onAsk === undefined
          ? {}
          : asking(app.config.values, { attended, onAsk, onInterrupt })),
        ...(checkpoints === undefined ? {} : { checkpoints }),
        ...(Object.keys(limits).length === 0 ? {} : { limits }),
        ...(brain === undefined ? {} : { brain }),
      };
      const asked = await app.runs.request(row.id, body, { by: ownerAt('terminal') });
      const view = chooseView(context, { id: row.id, json: given.flag('json'), expand: expandsPlan(given) });
      const agreement = given.flag('yes') ? 'safe' : attended ? 'ask' : undefined;
      return attend({ app, id: row.id, context, view, attended, after: asked - 1, asked, agreement });
    });
  },
};

function readModel(text: string | undefined): ModelName | undefined {
  if (text === undefined) return undefined;
  const name = parseModelName(text);
  if (name === null) throw new AppError('usage', `--model takes PROVIDER/MODEL, not ${text}`);
  return name;
}
