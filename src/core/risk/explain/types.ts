/** What is known about a command: what it does, and what its options mean. */
export interface CommandInfo {
  readonly does: string;
  /** Option → meaning. `-o FILE` takes a value; `-f, --force` are the same option. */
  readonly options?: Readonly<Record<string, string>>;
  /** Subcommand → what it does, with options of its own. */
  readonly verbs?: Readonly<Record<string, string | CommandInfo>>;
  /** Options whose value is what is run: all behind it is for that. */
  readonly hands?: readonly string[];
  /** What its operands are. */
  readonly operands?: string;
}

export type CommandTable = Readonly<Record<string, CommandInfo>>;

/** One word of a command with its meaning. `known: false` says that the table has no word on it. */
export interface ExplainedWord {
  readonly text: string;
  readonly means: string;
  readonly known: boolean;
}

export interface ExplainedRedirection {
  readonly text: string;
  readonly means: string;
}

/** One program of a pipeline. */
export interface ExplainedCommand {
  readonly text: string;
  readonly name: string;
  readonly does: string;
  readonly known: boolean;
  readonly words: readonly ExplainedWord[];
  readonly redirections: readonly ExplainedRedirection[];
  /** How it is joined to the one before: `then`, `and`, `or`, `pipe`, `background`; `first` for the first. */
  readonly joined: 'first' | 'then' | 'and' | 'or' | 'pipe' | 'inside';
}

export interface Explanation {
  /** One sentence on the whole. */
  readonly summary: string;
  readonly commands: readonly ExplainedCommand[];
}
