import type { CommandTree, Simple, WordAt } from '../../../core/shell/index.ts';
import type { BrainContext, Failure } from '../brain.ts';
import type { Probe } from '../probe/probe.ts';

/** What a rule looks at: the failure, read once. */
export interface SeenFailure {
  readonly failure: Failure;
  readonly context: BrainContext;
  readonly command: string;
  readonly tree: CommandTree;
  /** stderr, then stdout, without colours. */
  readonly output: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly probe: Probe;
}

/** What a rule proposes. `steps` are commands that run before the failed step, which is then attempted again. */
export type Mend = {
  readonly reasoning: string;
  readonly confidence: number;
  /** Why a person is to be asked about it all the same. */
  readonly doubt?: string;
} & (
  | { readonly modify: string }
  | { readonly steps: readonly { readonly title: string; readonly command: string }[] }
  | { readonly retry: true; readonly delayMs?: number }
  | { readonly abort: true }
);

const FIRST_DELAY_MS = 2_000;

/** How long to wait before the same is attempted again: longer each time. */
export const backoff = (earlier: Failure['earlier']): number =>
  FIRST_DELAY_MS * 2 ** earlier.filter(({ correction }) => correction?.action === 'retry').length;

/** One way to mend one kind of failure. It declines (null) whenever it is not sure. */
export interface MendingRule {
  readonly id: string;
  /** One sentence for the page of rules. */
  readonly about: string;
  readonly propose: (seen: SeenFailure) => Mend | null | Promise<Mend | null>;
}

/** A rule that mends one command by what the output says of it. */
interface CommandRule extends Omit<MendingRule, 'propose'> {
  /** It mends the only command of these programs, with one of these verbs; none or several, and it declines. */
  readonly programs: readonly string[];
  readonly verbs?: readonly string[];
  readonly says: RegExp;
  /** An argument by which the command has already what is missing, or means something else. */
  readonly unless?: RegExp;
  readonly propose: (
    seen: SeenFailure,
    simple: Simple,
    said: RegExpExecArray,
  ) => ReturnType<MendingRule['propose']>;
}

export function onCommand({ programs, verbs, says, unless, propose, ...rule }: CommandRule): MendingRule {
  return {
    ...rule,
    propose(seen) {
      const said = says.exec(seen.output);
      const found = byProgram(seen, ...programs).filter((simple) => !verbs || isVerb(simple, ...verbs));
      if (said === null || found.length !== 1) return null;
      if (unless && found[0]!.args.some((arg) => unless.test(arg.value))) return null;
      return propose(seen, found[0]!, said);
    },
  };
}

/** The simple commands of these programs. */
export function byProgram(seen: SeenFailure, ...programs: readonly string[]): readonly Simple[] {
  return seen.tree.simples.filter((simple) => programs.includes(simple.program));
}

/** The only simple command of these programs; null where there are none or several. */
export function only(seen: SeenFailure, ...programs: readonly string[]): Simple | null {
  const found = byProgram(seen, ...programs);
  return found.length === 1 ? found[0]! : null;
}

/** `git push` → the command and its first operand, when that is one of `verbs` (any, when none are named). */
export function verbOf(simple: Simple): WordAt | null {
  const taking = Object.hasOwn(valued, simple.program) ? valued[simple.program] : undefined;
  return (
    simple.args.find((arg, at) => {
      const before = simple.args[at - 1]?.value;
      return !arg.value.startsWith('-') && (before === undefined || taking?.test(before) !== true);
    }) ?? null
  );
}

/** Options before the verb that take a value of their own. */
const valued: Record<string, RegExp> = {
  git: /^(?:-c|-C|--git-dir|--work-tree|--namespace)$/,
  docker: /^(?:-H|--host|-c|--context|--config|-l|--log-level)$/,
  kubectl: /^(?:-n|--namespace|--context|--kubeconfig|-s|--server)$/,
  systemctl: /^(?:-H|--host|-M|--machine|-t|--type|-p|--property)$/,
  adb: /^-[sHPLt]$/,
  npm: /^(?:--prefix|-C|-w|--workspace)$/,
  make: /^(?:-C|-f|-j|-I)$/,
};

export const isVerb = (simple: Simple, ...verbs: readonly string[]): boolean =>
  verbs.includes(verbOf(simple)?.value ?? '');

export const hasFlag = (simple: Simple, ...flags: readonly string[]): boolean =>
  simple.args.some((arg) => flags.some((flag) => arg.value === flag || arg.value.startsWith(`${flag}=`)));

/** Operands: the arguments that are no flags. What a flag takes for its value counts as one. */
export const operands = (simple: Simple): readonly WordAt[] =>
  simple.args.filter((arg) => !arg.value.startsWith('-'));

/** With `sudo`, unless the run is root's. */
export const asRoot = async (seen: SeenFailure, command: string): Promise<string> =>
  (await seen.probe.isRoot()) === true ? command : `sudo ${command}`;

/** `sudo` again where the failed command had it. */
export const withPrefixOf = (simple: Simple, command: string): string =>
  simple.prefixes[0] === 'sudo' ? `sudo ${command}` : command;
