import { isDeepStrictEqual } from 'node:util';
import { type ChatMachine, type ChatPorts, chatKind, createChatMachine } from '../../src/core/chat/index.ts';
import {
  type Actor,
  type CallState,
  type ChatEvent,
  type ChatFact,
  type ChatRequestBody,
  type ChatRow,
  type ChatState,
  callsOf,
  childEnded,
  committed,
  defaultLimits,
  noSpending,
  type RiskLevel,
  type RunEvent,
  type StoredChatEvent,
  type StreamRow,
  sha256Hex,
  toolReads,
} from '../../src/core/contract/index.ts';
import { failedResult, nothingToDo, type Performer } from '../../src/core/run/index.ts';
import { planOf } from '../../src/core/run/testing/play.ts';
import { projectRow, redeemPermit } from '../../src/core/stream/index.ts';
import { awaitsFrom } from '../../src/world/store/listing-rules.ts';
import { SimulatedJournal } from './journal.ts';
import { broken, promise, promiseSnapshots } from './promise.ts';
import { createRandom, type Random } from './random.ts';
import { driveLife, type Life, microtasks, randomFault, SimulatedTime } from './stage.ts';

/** Where a planted bug takes hold. */
export interface ChatMutant {
  name: string;
  machine?: (machine: ChatMachine) => ChatMachine;
  ports?: (ports: ChatPorts) => ChatPorts;
  append?: Parameters<typeof driveLife<ChatState, ChatEvent, ChatFact, never>>[0]['append'];
  /** The end of a plan is not told. */
  isDeaf?: boolean;
}

export interface ChatReport {
  seen: Set<string>;
  outcomes: Set<string>;
  crashes: number;
  conflicts: number;
  stale: number;
}

/** One seeded world of a conversation. Throws BrokenPromise where a promise does not hold. */
export async function simulateChat(seed: number, mutant: ChatMutant = { name: '' }): Promise<ChatReport> {
  const world = new ChatWorld(seed, mutant);
  await world.live();
  if (broken[0] !== undefined) throw broken[0];
  return world.report();
}

const people: Actor[] = ['ana', 'bo'].map((person) => ({ person, door: 'page' }));
const MONEY = 3;
const givenPlan = planOf(['true']);

interface Child {
  row: StreamRow;
  money: number;
}

class ChatWorld {
  readonly #random: Random;
  readonly #time = new SimulatedTime();
  readonly #mutant: ChatMutant;
  readonly #journal: SimulatedJournal<ChatEvent>;
  #state: ChatState = chatKind.initial;
  #row: ChatRow | null = null;
  #keys = 0;
  #crashes = 0;
  #calm = false;
  #isNested = false;
  /** Its model tries the same again and again. */
  readonly #isStubborn: boolean;
  /** By call: how often it was done in the world. */
  readonly #done = new Map<string, number>();
  readonly #children = new Map<string, Child>();

  constructor(seed: number, mutant: ChatMutant) {
    this.#random = createRandom(seed);
    this.#mutant = mutant;
    this.#isStubborn = this.#random.chance(0.15);
    this.#journal = new SimulatedJournal<ChatEvent>('chat', (batch) => this.#appended(batch));
  }

  async live(): Promise<void> {
    broken.length = 0;
    const random = this.#random;
    this.#journal.append({ id: 'begin', events: [this.#begun()], expectedSeq: 0 });
    for (let round = 0; round < 60 && !(this.#calm && this.#isQuiet()); round += 1) {
      this.#calm = round >= 20;
      await this.#activate();
      if (broken[0] !== undefined) throw broken[0];
      this.#time.tick(random.int(20_000));
      for (const child of this.#children.values())
        if (child.row.endedAt === null && (this.#calm || random.chance(0.4))) this.#end(child);
      if (this.#calm) this.#settle();
      else if (random.chance(0.7)) this.#ask();
    }
    promise(this.#isQuiet(), 'every turn ends, and every request is answered');
    this.#finish();
  }

  report(): ChatReport {
    const events = this.#journal.events.map(({ event }) => event);
    return {
      seen: new Set(events.map(({ type }) => type)),
      outcomes: new Set(events.flatMap((event) => (event.type === 'turn-ended' ? [event.outcome] : []))),
      crashes: this.#crashes,
      ...this.#journal.refused,
      conflicts: this.#journal.refused.conflict,
    };
  }

  #begun(): ChatEvent {
    const random = this.#random;
    return {
      v: 1,
      at: this.#time.now,
      type: 'chat-begun',
      chat: 'chat',
      place: { host: 'h', boot: 'b', workspace: '/w' },
      options: {
        mode: random.pick(['teacher', 'planner', 'agentic'] as const),
        onAsk: random.pick(['wait', 'wait', 'deny', 'fail'] as const),
        planning: 'auto',
        onFailure: 'continue',
        limits: { money: MONEY, tokens: 1000, toolRounds: 6, corrections: 3 },
        runLimits: defaultLimits,
        checkpoints: random.pick(['auto', 'required', 'off'] as const),
        shell: 'bash',
        chain: { planner: [], fast: [] },
      },
    };
  }

  #isQuiet(): boolean {
    const { turn, inbox, undoing, compacting } = this.#state;
    return turn === null && inbox.length === 0 && undoing === null && compacting === null;
  }

  #appended(batch: StoredChatEvent[]): void {
    promise(this.#journal.events.length < 3000, 'a conversation does not run away');
    const before = this.#row;
    for (const stored of batch) {
      this.#hold(stored.event);
      this.#state = chatKind.evolve(this.#state, stored);
      this.#row = projectRow<ChatRow>(chatKind, this.#row, stored);
    }
    const { turn, undoing, compacting, closed } = this.#state;
    const isIdle = turn === null && undoing === null && compacting === null;
    promise((this.#row?.state === 'idle') === (isIdle && !closed), 'the listing says whether it is at work');
    const awaited = this.#row === null ? null : awaitsFrom(before, this.#row);
    const child = awaited === null ? undefined : this.#children.get(awaited);
    if (child !== undefined && child.row.endedAt !== null) this.#tell(child);
  }

  /** What is promised of each event, where it stands. */
  #hold(event: ChatEvent): void {
    const { turn, thinking, epoch, children, options } = this.#state;
    const calls = callsOf(turn);
    const isWaiting = children.some(({ ended }) => ended === null);
    switch (event.type) {
      case 'driver-claimed':
        promise(event.epoch > epoch, 'a driver that was overtaken writes nothing');
        break;
      case 'model-asked':
        promise(thinking === null && !isWaiting, 'one thing at a time');
        promise(
          calls.every(({ status }) => status === 'done'),
          'the model is asked when everything it called is known',
        );
        promise(event.round <= options!.limits.toolRounds, 'the rounds of a turn are limited');
        break;
      case 'calls-started': {
        const begun = calls.filter(({ id }) => event.callIds.includes(id));
        promise(
          !calls.some(({ status }) => status === 'running'),
          'what was lost is said before more is begun',
        );
        promise(
          begun.length === 1 || begun.every(({ tool }) => toolReads(tool)),
          'what changes something is done alone',
        );
        promise(!isWaiting && this.#state.stoppedBy === null, 'whoever waits or stops begins nothing');
        for (const call of begun) this.#mayBegin(call);
        break;
      }
      case 'call-finished': {
        const call = calls.find(({ id }) => id === event.callId);
        const wasRun = event.by === 'driver' || event.by === 'recovery';
        promise(
          call !== undefined && (!wasRun || call.status === 'running' || call.tool === 'plan'),
          'an outcome has its intent',
        );
        break;
      }
      case 'call-interrupted': {
        const isRead = toolReads(calls.find(({ id }) => id === event.callId)?.tool ?? '');
        promise(
          isRead || event.finding === 'unknown' || !this.#done.has(event.callId),
          'what may have been done is not said not to have been begun',
        );
        break;
      }
      case 'correction-attempt':
        promise(
          event.n <= 3 && event.key === sha256Hex(turn!.text),
          'a request is corrected three times at most',
        );
        break;
      case 'turn-ended':
        promise(!isWaiting, 'a turn does not end before its plan');
        promise(
          !calls.some(({ status }) => status === 'running'),
          'a turn does not end with a call under way',
        );
        break;
      default:
    }
  }

  #mayBegin({ id, tool, judged, status }: CallState): void {
    if (tool === 'diagnose') return;
    promise(status === 'judged' && judged !== null, 'nothing is done that was not judged');
    const { level } = judged.verdict;
    promise(level !== 'blocked', 'what is blocked is not done');
    const granted = this.#state.approvals.some(
      (approval) =>
        approval.callId === id &&
        approval.status === 'granted' &&
        approval.fingerprint === judged.fingerprint,
    );
    promise(level !== 'dangerous' || granted, 'nothing dangerous is done without an approval');
    const isOwn = this.#state.turn!.isCommand;
    const isTeacher = this.#state.options!.mode === 'teacher' && !toolReads(tool) && !isOwn;
    promise(!isTeacher || granted, 'in teacher mode the person makes each call');
  }

  #request(body: ChatRequestBody): void {
    const key = `key${++this.#keys}`;
    const by = this.#random.pick(people);
    this.#journal.append({ id: key, events: [{ v: 1, at: this.#time.now, key, by, ...body } as ChatEvent] });
  }

  #ask(): void {
    this.#request(this.#wish());
  }

  #wish(): ChatRequestBody {
    const random = this.#random;
    const needed = this.#state.approvals.find(({ status }) => status === 'needed');
    if (needed !== undefined && random.chance(0.1))
      return { type: 'edit-requested', callId: needed.callId, args: this.#command().args };
    if (needed !== undefined && random.chance(0.7)) {
      const decision = random.pick(['approve', 'approve', 'deny', 'did-it'] as const);
      return { type: 'approval-decided', approvalId: needed.id, decision };
    }
    const { question } = this.#state;
    if (question !== null && random.chance(0.7))
      return { type: 'answer-given', callId: question.callId, value: 'yes' };
    if (random.chance(0.02)) return { type: 'close-requested' };
    return random.pick<ChatRequestBody>([
      { type: 'message-sent', text: `message ${random.int(5)}` },
      { type: 'message-sent', text: 'again' },
      { type: 'message-sent', text: 'this one', given: { plan: givenPlan, inputs: {} } },
      { type: 'message-sent', text: 'more', plan: random.pick(['always', 'never'] as const) },
      { type: 'stop-requested' },
      { type: 'plan-dropped' },
      { type: 'undo-requested' },
      { type: 'undo-requested', turn: 1 },
      { type: 'compact-requested' },
      { type: 'clear-requested' },
      { type: 'rename-requested', title: 'renamed' },
      { type: 'options-requested', mode: random.pick(['teacher', 'planner', 'agentic'] as const) },
      { type: 'approval-decided', approvalId: 'nobody', decision: 'approve' },
    ]);
  }

  /** People who end what is open. */
  #settle(): void {
    const needed = this.#state.approvals.find(({ status }) => status === 'needed');
    const { question } = this.#state;
    if (needed !== undefined)
      this.#request({ type: 'approval-decided', approvalId: needed.id, decision: 'approve' });
    if (question !== null) this.#request({ type: 'answer-given', callId: question.callId, value: 'yes' });
  }

  #end(child: Child): void {
    const usd = Math.min(child.money, this.#random.next());
    child.row = {
      ...child.row,
      state: this.#random.pick(['done', 'failed', 'cancelled']),
      endedAt: this.#time.now,
      spending: { ...noSpending, usd },
    };
    if (this.#row?.awaits === child.row.id) this.#tell(child);
  }

  /** As a store does it: in the moment of the end. */
  #tell({ row }: Child): void {
    if (this.#mutant.isDeaf) return;
    this.#journal.append({ id: `ended ${row.id}`, events: [childEnded(row, this.#time.now)] });
  }

  async #activate(): Promise<void> {
    const epoch = ++this.#journal.epoch;
    const driver = { pid: epoch, host: 'h', boot: 'b' };
    const life: Life = { epoch, driver, alive: { yes: true }, lost: new AbortController() };
    const ports = this.#ports(life);
    const machine = createChatMachine(driver, this.#mutant.ports?.(ports) ?? ports);
    const rest = await driveLife({
      machine: this.#mutant.machine?.(machine) ?? machine,
      journal: this.#journal,
      clock: this.#time.clock(() => {}),
      life,
      fault: () =>
        this.#calm
          ? {}
          : randomFault(
              this.#random,
              () => this.#ask(),
              () => {
                this.#journal.epoch += 1;
              },
            ),
      newId: () => `a${++this.#keys}`,
      append: this.#mutant.append,
      onSaid: () => {},
    });
    if (rest === null) this.#crashes += 1;
    else if (rest.why === 'waiting')
      promise(
        this.#state.turn === null || this.#row?.goesOn === false,
        'what rests in the middle of a turn does not go on by itself',
      );
  }

  #ports(life: Life): ChatPorts {
    const random = this.#random;
    return {
      performer: this.#performer(life),
      children: {
        begin: async (child, _kind, events) => this.#begin(child, events as RunEvent[]),
        cancel: async (child) => {
          const known = this.#children.get(child)!;
          if (known.row.endedAt === null) this.#end(known);
        },
      },
      changesOf: async () => ({ ranges: [{ before: 'a', after: 'b' }], reachedBeyond: random.chance(0.5) }),
      outcomeOf: async (run) => {
        const state = this.#children.get(run)!.row.state;
        return { run, state, reason: null, agreed: state !== 'cancelled', message: state, steps: [] };
      },
      checkpoints: {
        take: async () =>
          random.chance(0.1)
            ? { ok: false, code: random.pick(['git-missing', 'failed']), message: 'no' }
            : { ok: true, checkpoint: `c${++this.#keys}`, uncovered: { count: 0, shown: [] } },
        restore: async () => {
          promise(this.#state.turn === null, 'nothing is put back while a turn is open');
          if (random.chance(0.3)) return { ok: false, code: 'failed', message: 'no' };
          return {
            ok: true,
            after: 'x',
            restored: [],
            left: [],
            leftCount: 0,
            failedCount: 0,
            stopped: false,
          };
        },
      },
      mind: this.#mind(life),
    };
  }

  #begin(id: string, events: RunEvent[]): void {
    if (this.#children.has(id)) return;
    const [given] = events;
    promise(
      given?.type === 'goal-given' || given?.type === 'plan-created',
      'a plan begins with its goal, or as it was given',
    );
    const left = Math.max(0, MONEY - committed(this.#state.spending).usd);
    const { money } = given.options.limits;
    promise(money <= left + 1e-9, 'a plan may spend what the conversation has left');
    const row: StreamRow = {
      ...{ id, kind: 'run', state: 'running', workspace: '/w', createdAt: 0, updatedAt: 0 },
      ...{ endedAt: null, wakeAt: null, goesOn: true, awaits: null, unanswered: [] },
    };
    this.#children.set(id, { row, money });
  }

  #mind(life: Life): ChatPorts['mind'] {
    const random = this.#random;
    return {
      consider: (_, planning) => {
        const isCommand = random.chance(0.1);
        const reads = [{ tool: 'read_file', args: { path: 'a' } }];
        return {
          plan: !isCommand && (planning === 'always' || (planning === 'auto' && random.chance(0.15))),
          score: 1,
          reasons: [],
          calls: isCommand ? [this.#command()] : random.chance(0.2) ? reads : [],
          isCommand,
        };
      },
      answer: async (_, { signal, ledger }) => {
        const callId = `m${++this.#keys}`;
        const name = { provider: 'p', model: 'm' };
        const reserved = { usd: 0.2, tokens: 10 };
        const allowed = await ledger.reserve({ callId, role: 'chat', purpose: 'talk', ...name, reserved });
        if (!allowed.ok) return { ok: false, why: allowed.why, message: allowed.message };
        if (random.chance(0.1))
          await ledger.fellBack({ role: 'chat', from: name, to: name, reason: 'error', message: '' });
        await this.#meanwhile(life, signal);
        if (signal.aborted) return { ok: false, why: 'aborted', message: 'stopped' };
        const usage = { inputTokens: 5, outputTokens: 5 };
        await ledger.settle({ callId, outcome: 'ok', usage, usd: random.next() / 5, durationMs: 1 });
        if (random.chance(0.06))
          return { ok: false, why: random.pick(['error', 'no-model']), message: 'failed' };
        const calls = random.chance(0.3) ? [] : this.#calls();
        return { ok: true, text: 'said', calls, model: name, cutOff: random.chance(0.05) };
      },
      reply: async () => 'by rule',
      diagnose: async () => 'by rule',
      summarise: async () => (random.chance(0.5) ? 'in short' : null),
      tooLong: (state) => (random.chance(0.1) ? (state.past.at(-1)?.at(-1)?.n ?? null) : null),
    };
  }

  #command = () => {
    const command = this.#random.pick(['safe', 'caution', 'caution', 'dangerous', 'blocked']);
    return { tool: 'run_command', args: { command } };
  };

  #calls(): { wire: string; tool: string; args: unknown }[] {
    const random = this.#random;
    if (this.#isStubborn && random.chance(0.9))
      return [{ wire: `w${++this.#keys}`, tool: 'edit_file', args: { path: 'a', old: 'gone', new: 'b' } }];
    const one = () =>
      random.pick([
        { tool: 'read_file', args: { path: 'a' } },
        { tool: 'read_file', args: { path: random.pick(['a', 'secret']) } },
        { tool: 'diagnose', args: { command: 'x', output: 'y' } },
        this.#command(),
        this.#command(),
        { tool: 'edit_file', args: { path: 'a', old: random.pick(['found', 'gone', 'gone']), new: 'b' } },
        { tool: 'ask_user', args: { question: 'which?' } },
        { tool: 'plan', args: { goal: 'more' } },
        { tool: 'nobody', args: {} },
        { tool: 'read_file', args: 'no JSON' },
      ]);
    return Array.from({ length: 1 + random.int(3) }, () => ({ wire: `w${++this.#keys}`, ...one() }));
  }

  #performer(life: Life): Performer {
    const random = this.#random;
    const subjectOf: (work: Parameters<Performer['judge']>[0]) => Awaited<ReturnType<Performer['judge']>> = ({
      run,
      step,
      revision,
    }) => {
      const subject = { run, stepId: step.id, revision, action: step.action, cwd: '/w', paths: [] };
      const verdict = { level: levelOf(step.action), reasons: [], reversible: true, needs: [], paths: [] };
      return { verdict, subject };
    };
    return {
      judge: async (work) => subjectOf(work),
      attempt: async (work, permit, hooks) => {
        const { id, action } = work.step;
        const isCurrent = () => life.alive.yes && life.epoch === this.#journal.epoch;
        const { subject } = subjectOf(work);
        promise(redeemPermit(permit, subject), 'nothing is done without a permit for exactly that');
        promise(work.judged.verdict.level !== 'blocked', 'what is blocked is not done');
        if (isCurrent())
          promise(
            callsOf(this.#state.turn).some((call) => call.id === id && call.status === 'running'),
            'the intent is durable before the effect',
          );
        if (action.kind === 'call-tool' && action.args['old'] === 'gone')
          return {
            ...failedResult('not-started', 'SELF_CORRECT_ATTEMPT: x'),
            selfCorrect: {
              originalTool: 'edit_file',
              originalError: 'not there',
              suggestedApproach: 'another',
              fallbackTools: ['write_file'],
            },
          };
        const isCommand = action.kind === 'run-command';
        const group = { pgid: 1, startTime: '1', host: 'h', boot: 'b' };
        if (isCommand && !(await hooks.spawned(group, null))) return failedResult('not-started', 'lost');
        const changes = [{ path: '/w/a', before: 'absent', after: 'file:1' }];
        if (action.kind === 'call-tool' && !(await hooks.prepared(changes)))
          return failedResult('not-started', 'lost');
        if (!life.alive.yes) return failedResult('aborted', 'dead');
        this.#done.set(id, (this.#done.get(id) ?? 0) + 1);
        await this.#meanwhile(life, hooks.signal);
        if (hooks.signal.aborted) return failedResult('aborted', 'stopped');
        const isFailed = random.chance(0.2);
        return isFailed
          ? failedResult('exit-code', 'exited with code 1')
          : { ...nothingToDo('done'), leftover: isCommand && random.chance(0.1) };
      },
      recover: async ({ step }) => {
        if (!this.#done.has(step.id)) return { finding: 'not-started', detail: 'not begun' };
        return random.chance(0.5)
          ? { finding: 'done', result: nothingToDo('found done') }
          : { finding: 'unknown', detail: 'nobody knows' };
      },
      release: async (_run, groups) => groups,
      endServices: async () => [],
      survey: async () => [],
    };
  }

  /** While something is under way: people ask, and another driver may take over. */
  async #meanwhile(life: Life, signal: AbortSignal): Promise<void> {
    const isCurrent = () => life.alive.yes && life.epoch === this.#journal.epoch;
    if (!this.#calm && this.#random.chance(0.1)) this.#ask();
    await microtasks();
    const stops = this.#state.inbox.some(({ request }) => request.type === 'stop-requested');
    promise(signal.aborted || !isCurrent() || !stops, 'work under way hears that it is to stop');
    if (signal.aborted || this.#calm || this.#isNested || !this.#random.chance(0.08)) return;
    if (this.#random.chance(0.5)) life.lost.abort('lost');
    this.#isNested = true;
    await this.#activate();
    this.#isNested = false;
  }

  #finish(): void {
    const { events } = this.#journal;
    for (const [id, times] of this.#done) {
      const tool = toolOf(events, id);
      if (toolReads(tool)) continue;
      const admitted = events.filter(
        ({ event }) =>
          event.type === 'call-interrupted' && event.callId === id && event.finding === 'not-started',
      ).length;
      promise(times <= 1 + admitted, 'no call is repeated silently');
      const isKnown = events.some(
        ({ event }) =>
          (event.type === 'call-finished' || event.type === 'call-interrupted') && event.callId === id,
      );
      promise(isKnown, 'what was done is known to have been begun');
    }
    const answers = events.flatMap(({ event }) =>
      'answers' in event && event.answers !== undefined ? [event.answers] : [],
    );
    const asked = events.filter(({ event }) => chatKind.isRequest(event)).map(({ seq }) => seq);
    promise(
      isDeepStrictEqual(
        answers.toSorted((a, b) => a - b),
        asked,
      ),
      'every request is answered once',
    );
    promise(committed(this.#state.spending).usd <= MONEY + 1e-9, 'a conversation keeps to what it may spend');
    const last = events.findLast(({ event }) => event.type === 'turn-undone' || event.type === 'undo-failed');
    if (last?.event.type === 'undo-failed') {
      const { turn } = last.event;
      const isKept = this.#state.past.flat().some(({ n }) => n === turn);
      promise(isKept, 'what could not be undone is kept');
    }
    const undone = events.findLast(({ event }) => event.type === 'turn-undone');
    if (undone?.event.type === 'turn-undone') {
      const { turn } = undone.event;
      const wanted = events.findLast(({ seq, event }) => seq < undone.seq && event.type === 'undo-started');
      promise(
        wanted?.event.type === 'undo-started' && wanted.event.turn === turn,
        'what was to be undone is undone',
      );
      const left = this.#state.past.flat().filter(({ n }) => n >= turn);
      const since = events.filter(({ seq, event }) => seq > undone.seq && event.type === 'turn-ended').length;
      promise(left.length === since, 'what was undone is forgotten');
    }
    const folded = events.reduce(chatKind.evolve, chatKind.initial);
    promise(
      isDeepStrictEqual(structuredClone(folded), structuredClone(this.#state)),
      'folding is all there is',
    );
    promiseSnapshots(chatKind, events);
  }
}

function toolOf(events: readonly StoredChatEvent[], id: string): string {
  for (const { event } of events)
    if (event.type === 'model-answered' || event.type === 'turn-considered')
      for (const call of event.calls) if (call.id === id) return call.tool;
  return '';
}

function levelOf(action: { kind: string; command?: string; path?: string }): RiskLevel {
  if (action.kind === 'read-file') return action.path === 'secret' ? 'dangerous' : 'safe';
  return (action.command as RiskLevel | undefined) ?? 'caution';
}
