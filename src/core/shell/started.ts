/** Stands for a piece of text that is only known when the command runs. */
export const UNKNOWN = '\u{FFFC}';

/** The words of a command, its name first. A word that is not known is `UNKNOWN`, or has it where it is not known. */
export type Words = readonly string[];

/** Another command that a command starts, by the places of its words among the command's own. */
export interface StartedWords {
  readonly as: 'words';
  readonly from: number;
  readonly to: number;
  /** Its name, where that stands apart from its other words, and behind so many characters of a word. */
  readonly program?: StartedPlace;
  /** What stands for a value that it is handed (`{}`); `filled`: a word that is all hole becomes this. */
  readonly hole?: string;
  readonly filled?: string;
  /** More words arrive when it runs; `handed`: they are these. */
  readonly open?: boolean;
  readonly handed?: { readonly from: number; readonly to: number };
  /** It does not read what the outer command would have read. */
  readonly unfed?: boolean;
  /** Only some versions of the outer command start anything here. */
  readonly perhaps?: boolean;
  /** A shell reads its words a second time. */
  readonly evaluated?: boolean;
}

/** Shell text that a command has a shell run: some of its words with blanks between, or something inside of one. */
export interface StartedText {
  readonly as: 'text';
  readonly from: number;
  readonly to: number;
  /** So many characters of the first word come before it. */
  readonly skip: number;
  /** It, where it is not what the words say as they stand. */
  readonly text?: string;
}

export type Started = StartedWords | StartedText;

export interface StartedPlace {
  readonly at: number;
  readonly skip: number;
}

/** What a command starts, as its own words say. */
export interface Starts {
  readonly started: readonly Started[];
  /** Its own options are such that it adds nothing to what it starts. */
  readonly clear: boolean;
  /** Words that set a variable for what is started: `A=b`. */
  readonly assigns: readonly number[];
  readonly needs: readonly ('network' | 'privilege')[];
  /**
   * here       what it starts is found where the outer command is, and sees the same files
   * project    found by a tool that has its own way with it (`npx`, `uv run`, `git bisect run`); sees the same files
   * elsewhere  on another host, in a container, below another root
   */
  readonly where: 'here' | 'project' | 'elsewhere';
  /** In another folder than the outer command's. */
  readonly moved: boolean;
  /** It takes a command behind its own words: if there is none yet, words that arrive later are one. */
  readonly wants: boolean;
  /** It runs what it reads from its standard input. */
  readonly reads: boolean;
  /** It does work of its own beside what it starts. */
  readonly busy: boolean;
  /** No process of its own: the shell runs it itself (`command`, `builtin`, `eval`). */
  readonly inShell: boolean;
}

const nothing: Starts = {
  started: [],
  clear: false,
  assigns: [],
  needs: [],
  where: 'here',
  moved: false,
  wants: false,
  reads: false,
  busy: false,
  inShell: false,
};

export const starts = (some: Partial<Starts>): Starts => ({ ...nothing, ...some });

/** Finds what a command starts; undefined where nothing says that it starts anything. */
export type Reader = (words: Words) => Starts | undefined;

export const text = (from: number, to = from + 1, skip = 0): StartedText => ({ as: 'text', from, to, skip });

/** The text, as far as it is known. */
export const textStarted = (words: Words, { from, to, skip, text }: StartedText): string =>
  text ?? words.slice(from, to).join(' ').slice(skip);

/** The last part of a path; programs of Windows without their ending. */
export function programName(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1);
  return name.endsWith('.exe') ? name.slice(0, -4) : name;
}
