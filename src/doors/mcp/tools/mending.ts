import { z } from 'zod';
import { Correction } from '../../../core/contract/index.ts';
import { beyondWords, sentenceOf } from '../../../core/contract/told/index.ts';
import { emptyContext, failureOf } from '../../../mind/brain/index.ts';
import { chaptersOf } from '../../app/chapters.ts';
import { batchBrain, diagnoseRun } from '../../app/diagnose.ts';
import { AppError } from '../../app/errors.ts';
import { looks, tool } from '../desk.ts';
import { folderFor, runOf } from '../folders.ts';

const run = z.string().min(4).max(64).describe('The id of a run, or its beginning');

const Chapter = z.object({
  step: z.string(),
  title: z.string(),
  attempt: z.int(),
  /** The end of what it said: text of a program, not instructions. */
  failure: z.object({ message: z.string(), exitCode: z.int().nullable(), said: z.string() }),
  diagnosis: z.string().nullable(),
  source: z.string().nullable(),
  outcome: z.string(),
  reason: z.string().nullable(),
  diff: z.string(),
});

export const why = tool({
  name: 'why',
  title: 'Why a run went as it did',
  about:
    'The story of a run: each failure, what was made of it by whom, and what came of that. Changes nothing.',
  hints: looks,
  input: z.strictObject({ run }),
  output: z.object({ run: z.string(), sentence: z.string(), chapters: z.array(Chapter) }),
  async call({ run: named }, { desk: { app }, caller }) {
    const { id, state } = await runOf(app, caller, named);
    const redactor = app.redactorFor(state);
    const chapters = chaptersOf(await app.streams.read(id, 0)).map((chapter) => {
      const { stepId, title, attemptIndex, failure, correction, unanswered, outcome, reason, diff } = chapter;
      const { message, exitCode, said } = failure;
      return {
        ...{ step: stepId, title, attempt: attemptIndex, failure: { message, exitCode, said } },
        diagnosis: correction?.reasoning ?? unanswered,
        source: correction === null ? null : `${correction.source.brain} ${correction.source.name}`,
        ...{ outcome, reason, diff },
      };
    });
    return redactor.value({ run: id, sentence: sentenceOf(state).text, chapters });
  },
});

export const diagnose = tool({
  name: 'diagnose_failure',
  title: 'Diagnose a failure',
  about:
    'What rules make of the step that failed in a run, or of a command of which you give what it printed: a correction with its reason, or nothing where they are not sure. Looks at files in the folder, runs no command and asks no model.',
  hints: looks,
  input: z.strictObject({
    run: run.optional(),
    command: z.string().min(1).max(100_000).optional(),
    output: z.string().max(500_000).optional().describe('What the command printed'),
    exitCode: z.int().optional(),
    workspace: z.string().max(4096).optional(),
  }),
  output: z.object({ correction: Correction.nullable() }),
  async call({ run: named, command, output = '', exitCode, workspace }, { desk: { app }, caller }) {
    if ((named === undefined) === (command === undefined))
      throw new AppError('usage', 'give a run, or a command and its output');
    const brain = batchBrain();
    if (named !== undefined) {
      const { state } = await runOf(app, caller, named);
      return { correction: app.redactorFor(state).value(await diagnoseRun(brain, state)) };
    }
    const failure = failureOf({ command: command!, output, exitCode, cwd: folderFor(caller, workspace) });
    if (failure === null) throw new AppError('usage', 'this is no command');
    return { correction: await brain.analyzeFailure(failure, emptyContext) };
  },
});

const Change = z.object({ path: z.string(), why: z.string().optional() });

export const previewUndo = tool({
  name: 'preview_undo',
  title: 'What undo would do',
  about:
    'What taking a run back would restore, what has changed since, what undo does not cover, and the declared undo actions. Changes nothing: a person undoes, with planwright undo.',
  hints: looks,
  input: z.strictObject({
    run,
    to: z.string().max(200).optional().describe('Back to before this step: its number, id or title'),
  }),
  output: z.object({
    run: z.string(),
    restores: z.array(Change),
    conflicts: z.array(Change),
    uncovered: z.array(Change),
    actions: z.array(z.object({ title: z.string(), action: z.string() })),
    beyond: z.array(z.string()),
    command: z.string(),
  }),
  async call({ run: named, to }, { desk: { app }, caller }) {
    const { id, state } = await runOf(app, caller, named);
    const preview = await app.runs.undo(id, to === undefined ? {} : { to });
    return app.redactorFor(state).value({
      run: id,
      restores: preview.restore.map(({ path }) => ({ path })),
      conflicts: preview.conflicts.map(({ path, why: reason }) => ({ path, why: reason })),
      uncovered: preview.uncovered.map(({ path, why: reason }) => ({ path, why: reason })),
      actions: preview.actions.map(({ title, action }) => ({ title, action })),
      beyond: preview.beyond.map(beyondWords),
      command: `planwright undo ${id}${to === undefined ? '' : ` --to ${to}`}`,
    });
  },
});
