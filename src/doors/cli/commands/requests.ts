import {
  type Grants,
  isPlanning,
  Mode,
  type RequestBody,
  type RunState,
} from '../../../core/contract/index.ts';
import { openQuestion } from '../../../core/contract/told/index.ts';
import type { App } from '../../app/app.ts';
import { AppError } from '../../app/errors.ts';
import type { WantedFor } from '../../app/meant.ts';
import { atMost, type CommandCode, type Given } from '../command.ts';
import { type Context, note } from '../context.ts';
import { askAndAttend, askOfRun, openApproval, stepIdOf } from '../request.ts';

/** What a person wrote between the name and the flags, read into the run that it is about and the rest. */
type Words = (given: Given) => { run: string | undefined; word?: string | undefined };

const ofRun: Words = (given) => ({ run: atMost(given, 1)[0] });

/** Asks, and leaves the run at rest. */
const ask = (
  purpose: WantedFor,
  said: string,
  body: (given: Given, word?: string) => RequestBody,
  words = ofRun,
): CommandCode => ({
  run(context, given) {
    const { run, word } = words(given);
    return askOfRun(context, given, run, purpose, body(given, word), said);
  },
});

/** Asks what sets the run going again, and stays with it. The flags are read before anything is asked. */
const goOn = (
  purpose: WantedFor,
  read: (given: Given, word?: string) => (state: RunState) => RequestBody,
  words = ofRun,
  before?: (app: App, context: Context, id: string) => Promise<void>,
): CommandCode => ({
  run(context, given) {
    const { run, word } = words(given);
    return askAndAttend(context, given, run, purpose, read(given, word), before);
  },
});

/** What a flag says, as a field that is missing where the flag is. */
const field = <K extends string>(given: Given, name: K): { [key in K]?: string } => {
  const text = given.text(name);
  return text === undefined ? {} : ({ [name]: text } as { [key in K]?: string });
};

export const cancel = ask('cancel', 'Cancelled', (given) => ({
  type: 'cancel-requested',
  ...field(given, 'reason'),
}));

export const pause = ask('pause', 'Paused', (given) => {
  const until = given.text('until');
  if (until === undefined) return { type: 'pause-requested' };
  const at = Date.parse(until);
  if (Number.isNaN(at))
    throw new AppError('usage', `--until takes a time such as 2026-12-24T08:00, not ${until}`);
  return { type: 'pause-requested', until: at };
});

export const mode = ask(
  'change-mode',
  'Mode changed',
  (_given, word) => {
    const named = Mode.safeParse(word);
    if (!named.success) throw new AppError('usage', `a mode is one of ${Mode.options.join(', ')}`);
    return { type: 'mode-requested', mode: named.data };
  },
  (given) => {
    const [word, run] = atMost(given, 2);
    return { run, word };
  },
);

export const skip = goOn('mend', (given) => (state) => ({
  type: 'skip-requested',
  stepId: stepIdOf(state, given.text('step')),
  ...field(given, 'reason'),
}));

export const retry = goOn('mend', (given) => {
  const grants = readGrants(given.list('grant'));
  return (state) => ({
    type: 'retry-requested',
    stepId: stepIdOf(state, given.text('step')),
    ...(grants === undefined ? {} : { grants }),
  });
});

/** Rules read no words. Where no brain is asked at all, that is what is answered. */
async function saysWhoReads(app: App, context: Context, id: string): Promise<void> {
  if ((await app.runs.state(id)).options?.mode !== 'agentic') return;
  const models = await (await app.models()).chainOf('brain');
  if (models.length > 0 || app.config.values['brain-program'] !== null) return;
  const how = 'planwright models says how to set one up';
  note(
    context,
    `No model is set up, and rules read no hints: the step is looked at again without it; ${how}.`,
  );
}

export const hint = goOn(
  'mend',
  (given, text = '') =>
    (state) => ({ type: 'hint-requested', stepId: stepIdOf(state, given.text('step')), text }),
  (given) => {
    const [first, second, ...more] = given.positionals;
    if (first === undefined || more.length > 0) {
      throw new AppError('usage', `usage: planwright ${given.usage}`);
    }
    return second === undefined ? { run: undefined, word: first } : { run: first, word: second };
  },
  saysWhoReads,
);

export const approve = goOn('approve', (given) => (state) => {
  const approval = openApproval(state);
  const wanted = given.text('id');
  if (wanted !== undefined && wanted !== approval.id) {
    throw new AppError(
      'usage',
      `it does not wait for ${wanted} any more, but for ${approval.id}: look again`,
    );
  }
  return { type: 'approval-decided', approvalId: approval.id, decision: 'approve' };
});

export const deny = goOn('approve', (given) => (state) => ({
  type: 'approval-decided',
  approvalId: openApproval(state).id,
  decision: given.flag('abort') ? 'abort' : 'deny',
  ...field(given, 'reason'),
}));

export const answer = goOn('answer', (given) => (state) => {
  if (state.planning?.question != null && isPlanning(state)) {
    return { type: 'answer-given', ...field(given, 'value') };
  }
  const question = openQuestion(state);
  if (question?.kind !== 'ask' && question?.kind !== 'manual')
    throw new AppError('usage', 'nothing in this run waits for an answer; planwright waiting');
  return { type: 'answer-given', stepId: question.stepId, ...field(given, 'value') };
});

function readGrants(given: string[]): Grants | undefined {
  if (given.length === 0) return undefined;
  const isWrite = (grant: string) => grant.startsWith('write=/');
  const strange = given.find((grant) => grant !== 'network' && grant !== 'privilege' && !isWrite(grant));
  if (strange !== undefined) {
    throw new AppError(
      'usage',
      `--grant takes network, privilege or write=/AN/ABSOLUTE/PATH, not ${strange}`,
    );
  }
  const write = given.filter(isWrite).map((grant) => grant.slice('write='.length));
  return {
    ...(given.includes('network') ? { network: true } : {}),
    ...(given.includes('privilege') ? { privilege: true } : {}),
    ...(write.length > 0 ? { write } : {}),
  };
}
