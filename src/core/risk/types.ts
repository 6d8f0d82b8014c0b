import type { RiskLevel } from '../contract/index.ts';

/** Where the action would run. All of it is optional: what is not known is judged without. */
export interface JudgeContext {
  readonly cwd?: string;
  readonly home?: string;
  readonly workspace?: string;
  /** The folder for temporary files, where that is another one than usual. */
  readonly temporary?: string;
  /** Packages of the language would be installed into an environment of their own, or for the whole user. */
  readonly venv?: boolean;
  /** Planwright's own store; touching it is blocked. */
  readonly storeDir?: string;
  /** Where the user's rules, settings and trusted folders are kept, besides the usual place. */
  readonly configDir?: string;
  /** Settings that say whether somebody's agent asks the guard: only a person may change them. */
  readonly guarded?: readonly string[];
  readonly shell?: 'bash' | 'pwsh';
  /** Variables of the real environment, for judging again just before running. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A person trusts this folder, so the configuration of its repository is not an attacker's. */
  readonly trusted?: boolean;
  /** Whether that trust reaches this folder: not into another repository below, nor out of the workspace. */
  readonly trusts?: (folder: string | undefined) => boolean;
  /** What a program's name stands for in the session. Left out where nobody has looked. */
  readonly program?: (name: string) => Program;
  /** Names of variables that earlier steps have set. */
  readonly exported?: readonly string[];
  /** What earlier steps of the plan have written. */
  readonly written?: Written;
  /** What a file holds that would be run; null where nothing is known of it. Left out where nobody looks into files. */
  readonly held?: (path: string) => HeldText | null;
  /**
   * The names that an archive or a patch holds; of a folder, an empty list where it is there. Null where they cannot be known.
   * Left out where nobody looks into them.
   */
  readonly brings?: (source: NamesSource) => readonly string[] | null;
  /** Whether these words start an agent without its hooks, given which variables are set for it. Left out where nobody asks. */
  readonly unhooks?: (words: readonly string[], isSet: (variable: string) => boolean) => boolean;
  /**
   * `later`: whoever runs it can write to it once it runs, and nobody is told of that. `now`: it is written to something that
   * runs already.
   */
  readonly typed?: 'later' | 'now';
  /** Variables that the plan gives to this step alone: judged as if its text set them. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What names files that a command would write: a file, or a text that it reads. */
export interface NamesSource {
  readonly as: 'tar' | 'zip' | 'patch' | 'tree';
  readonly path?: string;
  readonly text?: string;
  /** How many folders are taken off in front; null where nobody said. */
  readonly strip?: number | null;
}

/** What a file holds; of a long one, how it begins. */
export interface HeldText {
  readonly text: string;
  readonly isWhole: boolean;
}

/** The system's own program, another file, or nothing that could run. */
export type Program = { readonly is: 'system' | 'missing' } | { readonly is: 'other'; readonly path: string };

/**
 * Where the content of a file comes from:
 *
 *   own     files that were in the workspace before: a copy, or what is built of them
 *   unseen  elsewhere (a download, another host, outside the workspace), or what a program printed
 *   text    the plan itself, where whoever reads it can read this
 */
export type Origin = 'own' | 'unseen' | { readonly text: string };

/** What was written so far, by commands of one text or by steps of one plan. */
export interface Written {
  /** By full path, as `resolvePath` has it. */
  readonly files: ReadonlyMap<string, Origin>;
  /** Folders all of whose content is `unseen`. */
  readonly folders: ReadonlySet<string>;
}

export type Span = readonly [number, number];
export type Need = 'network' | 'privilege';

/** One word as the program would receive it. Unknown pieces of the value are `UNKNOWN`. */
export interface Arg {
  readonly value: string;
  /** False where the value depends on what is only known when it runs. */
  readonly literal: boolean;
  /** True where an unquoted glob may turn it into several words. */
  readonly glob: boolean;
  readonly span: Span;
  /** As written, for showing. */
  readonly text: string;
  /** It begins with what a command prints, and nothing says that this is no path that leads out. */
  readonly opaque?: boolean;
}

/** What a command would read from its standard input. */
export type Stdin =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; readonly span: Span }
  /** `path` where it has a name. */
  | { readonly kind: 'file'; readonly path?: string }
  | { readonly kind: 'pipe'; readonly from: readonly SimpleCommand[] };

/** Stands among the programs around one that some versions of them do not start. */
export const PERHAPS = 'perhaps';

/** One program with its arguments, however deep it was found. */
export interface SimpleCommand {
  /** Without its directory. */
  readonly name: string;
  /** As written. */
  readonly path: string;
  readonly args: readonly Arg[];
  readonly env: readonly { readonly name: string; readonly value: Arg }[];
  readonly span: Span;
  /** Programs around it, outermost first: `['sudo', 'xargs']`. */
  readonly via: readonly string[];
  readonly stdin: Stdin;
  /** More arguments arrive when it runs (xargs, find -exec). */
  readonly open: boolean;
}

/** What is said of a rule. Its examples are in `testing/`, under its id. */
export interface RuleInfo {
  readonly id: string;
  readonly level: Exclude<RiskLevel, 'safe'>;
  readonly sentence: string;
  /** True where what it does can be taken back. */
  readonly reversible?: boolean;
  readonly needs?: readonly Need[];
}

/** A rule about one simple command. `match` answers with the argument that earned it, or just true. */
export interface CommandRule extends RuleInfo {
  /** Speaks of nothing that is proven to only read. */
  readonly unproven?: true;
  /** Names that it speaks about; absent where it looks at every command. */
  readonly names?: readonly string[];
  match(command: SimpleCommand, where: Where): Arg | boolean | undefined;
}

/** What a rule may ask about its surroundings. */
export interface Where {
  readonly context: JudgeContext;
  /** The directory by now, after any `cd`, where it is known. */
  readonly cwd: string | undefined;
  /** Links out of the workspace that an earlier command of the same text makes, absolute where the directory is known. */
  readonly links?: ReadonlySet<string>;
  /** What earlier commands of the same text have written. */
  readonly written?: Written;
  /** An earlier command of the same text has entered an environment of its own for packages. */
  readonly venv?: boolean;
}
