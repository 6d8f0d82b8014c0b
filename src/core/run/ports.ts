import type {
  Blocks,
  FileChange,
  Grants,
  ProcessGroup,
  ServiceState,
  Session,
  Shell,
  Step,
  StepResult,
  Subject,
  Value,
  Verdict,
  Warning,
} from '../contract/index.ts';
import type { Performed } from '../risk/index.ts';
import type { Permit } from '../stream/index.ts';
import type { Checkpoints } from './ports-checkpoints.ts';
import type { Mind, Planner } from './ports-mind.ts';
import type { SourcePort } from './ports-source.ts';

export type * from './ports-checkpoints.ts';
export type * from './ports-mind.ts';
export type * from './ports-source.ts';

export interface JudgeWork {
  run: string;
  revision: number;
  step: Step;
  session: Session;
  workspace: string;
  shell: Shell;
  values: Readonly<Record<string, Value>>;
  /** The frozen items of a FOR_EACH. */
  items: readonly string[] | null;
  /** What a person has let it do beyond its sandbox, and what they are to approve besides. */
  grants: Grants | null;
  /** Ports of this run's own services: it may talk to them from its sandbox. */
  loopback?: readonly number[];
  /** A correction made it what it is, and no person has seen it. */
  unseen: boolean;
  /** A call of a model in a conversation: no person has seen it. */
  byModel?: boolean;
  /** What other steps did before it, or will have done by then: it may run what they wrote. */
  earlier: Blocks<Performed>;
}

export interface AttemptWork extends JudgeWork {
  /** The claim under which it is done: what it starts is marked with it. */
  epoch: number;
  attemptIndex: number;
  /** Which item of a loop to perform; null where the step is no loop. */
  item: number | null;
  /** What was judged and perhaps approved; for a loop, all of its items together. */
  judged: { verdict: Verdict; subject: Subject };
  services: readonly ServiceState[];
  /** The checkpoint that an interrupted restore had begun with. */
  begun: string | null;
}

export interface AttemptHooks {
  /** Aborts with a reason: 'timeout', 'cancelled', 'skipped' or 'lost'. The attempt then ends its processes and resolves. */
  signal: AbortSignal;
  /**
   * Must be awaited between starting a process and letting it run. Resolves true once the fact is durable;
   * on false the driver has lost its claim: the process must not be let run.
   */
  spawned(group: ProcessGroup, heldBefore: boolean | null): Promise<boolean>;
  /** Likewise for files: must be awaited before they are changed, and on false they must not be. */
  prepared(changes: FileChange[]): Promise<boolean>;
  /** Its processes go on listening on these ports. */
  listening(ports: number[]): Promise<boolean>;
  /** A restore has kept what it is about to overwrite, or what it left: likewise. */
  checkpointed(when: 'before' | 'after', checkpoint: string): Promise<boolean>;
}

export interface RecoverWork {
  run: string;
  /** The claim under which the attempt was begun. */
  epoch: number;
  step: Step;
  attemptIndex: number;
  session: Session;
  workspace: string;
  shell: Shell;
  /** Where the attempt was begun, and in which boot. */
  host: string;
  boot: string;
  spawned: { group: ProcessGroup; heldBefore: boolean | null } | null;
  prepared: readonly FileChange[] | null;
  values: Readonly<Record<string, Value>>;
  items: readonly string[] | null;
  item: number | null;
}

export type Recovered =
  | { finding: 'done'; result: StepResult }
  | { finding: 'not-started'; detail: string }
  | { finding: 'unknown'; detail: string };

/** What touches the world for a plan run. Nothing here throws: what went wrong is in the answer. */
export interface Performer {
  /**
   * Resolves what can be resolved (paths, links, variables) and judges it. Touches nothing. `missing`: what it would lack in
   * its sandbox.
   */
  judge(
    work: JudgeWork,
    signal: AbortSignal,
  ): Promise<{ verdict: Verdict; subject: Subject; warnings?: Warning[]; missing?: Grants }>;
  /**
   * Performs the step once. Judges it again at the last moment, or proves that it would be judged the same, and takes
   * the permit for what it then is: a permit serves one attempt at one subject.
   */
  attempt(work: AttemptWork, permit: Permit, hooks: AttemptHooks): Promise<StepResult>;
  /** Ends what a crashed driver's attempt left running, and finds out how far it came. */
  recover(work: RecoverWork): Promise<Recovered>;
  /**
   * Ends groups that outlived their steps, and services. Resolves with the groups that were still there. When the
   * signal aborts, they get no more time to end by themselves. `epoch` is the claim under which it is done: what a later
   * driver has started stays.
   */
  release(
    run: string,
    groups: ProcessGroup[],
    services: ServiceState[],
    signal: AbortSignal,
    epoch: number,
  ): Promise<ProcessGroup[]>;
  /** Ends these services, kept ones too. Resolves with the names of those that are surely ended. */
  endServices(run: string, services: readonly ServiceState[], epoch: number): Promise<string[]>;
  /** The names of those services that are no longer alive. */
  survey(run: string, services: ServiceState[]): Promise<string[]>;
}

/** All that a plan run asks of the world and of the mind. */
export interface RunPorts {
  performer: Performer;
  /** Without one no step is mended. */
  mind?: Mind;
  /** Where there is none, a run whose options want checkpoints stops for them. */
  checkpoints?: Checkpoints;
  /** Left out where runs are not made from goals: planning then fails and says so. */
  planner?: Planner;
  /** Of runs that come from a git source. */
  source?: SourcePort;
}
