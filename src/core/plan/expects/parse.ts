import type { Expectation } from '../../contract/index.ts';
import { wholeString } from '../action/scan.ts';

type Stream = 'stdout' | 'stderr' | 'output';

interface ExpectsForm {
  /** How to write it, for a person. */
  usage: string;
  pattern: RegExp;
  /** Null where the words are right and what they carry is not. */
  read: (match: RegExpExecArray) => Expectation | null;
  /** Text that was probably meant to be this form. */
  near: RegExp;
}

/** The text in quotes, or the text as it stands. */
const plain = (text: string): string => wholeString(text) ?? text;

const nonEmpty = (text: string, make: (text: string) => Expectation): Expectation | null => {
  const value = plain(text);
  return value === '' ? null : make(value);
};

const within = (text: string, min: number, max: number): number | null => {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : -1;
  return value >= min && value <= max ? value : null;
};

function readUrl(url: string, status: string, contains: string | undefined): Expectation | null {
  const code = within(status, 100, 599);
  if (code === null || !URL.canParse(url) || !/^https?:\/\//i.test(url)) return null;
  if (contains === undefined) return { kind: 'url', url, status: code };
  return nonEmpty(contains, (text) => ({ kind: 'url', url, status: code, contains: text }));
}

function readPattern(stream: Stream, text: string): Expectation | null {
  const quoted = wholeString(text);
  const slashes = quoted === null ? /^\/(.+)\/$/.exec(text) : null;
  const pattern = quoted ?? slashes?.[1] ?? text;
  try {
    new RegExp(pattern, 'm');
  } catch {
    return null;
  }
  return pattern === '' ? null : { kind: 'output-matches', stream, pattern };
}

const exists = (kind: 'file-exists' | 'dir-exists', value: boolean) => (match: RegExpExecArray) =>
  nonEmpty(match[1]!, (path) => ({ kind, path, exists: value }));

const stream = (match: RegExpExecArray): Stream => match[1]!.toLowerCase() as Stream;

const says = (contains: boolean) => (match: RegExpExecArray) =>
  nonEmpty(match[2]!, (text) => ({ kind: 'output-contains', stream: stream(match), text, contains }));

/** In order: the first pattern that matches decides. All ignore the case of their own words. */
export const EXPECTS_FORMS: readonly ExpectsForm[] = [
  {
    usage: 'exit 0',
    pattern: /^exits?(?: code| status| with(?: code)?)? (\S+)$/is,
    near: /^exits?(?: code| status| with(?: code)?)? \S{1,12}$/i,
    read: (match) => {
      const code = within(match[1]!, 0, 255);
      return code === null ? null : { kind: 'exit', code };
    },
  },
  {
    usage: 'file exists PATH',
    pattern: /^file exists:? (.+)$/is,
    near: /^(?:file exist|files? exists?)\b/i,
    read: exists('file-exists', true),
  },
  {
    usage: 'file missing PATH',
    pattern: /^(?:file missing|no file) (.+)$/is,
    near: /^file (?:is )?(?:missing|absent|gone)\b/i,
    read: exists('file-exists', false),
  },
  {
    usage: 'file PATH contains TEXT',
    pattern: /^file ("(?:[^"\\]|\\.)*"|\S+) contains (.+)$/is,
    near: /^file \S+ (?:contain|includes?)\b/i,
    read: (match) => {
      const path = plain(match[1]!);
      if (path === '') return null;
      return nonEmpty(match[2]!, (text) => ({ kind: 'file-contains', path, text }));
    },
  },
  {
    usage: 'file exists PATH',
    pattern: /^file ("(?:[^"\\]|\\.)*"|\S+) exists$/is,
    near: /^file \S+ exist$/i,
    read: exists('file-exists', true),
  },
  {
    usage: 'file missing PATH',
    pattern: /^file ("(?:[^"\\]|\\.)*"|\S+) (?:does not exist|is missing|is gone)$/is,
    near: /^file \S+ (?:doesn't exist|not exists?)$/i,
    read: exists('file-exists', false),
  },
  {
    usage: 'dir exists PATH',
    pattern: /^(?:dir|directory|folder) exists:? (.+)$/is,
    near: /^(?:dir|directory|folder) exist\b/i,
    read: exists('dir-exists', true),
  },
  {
    usage: 'dir missing PATH',
    pattern: /^(?:(?:dir|directory|folder) missing|no (?:dir|directory|folder)) (.+)$/is,
    near: /^(?:dir|directory|folder) (?:is )?(?:missing|absent|gone)\b/i,
    read: exists('dir-exists', false),
  },
  {
    usage: 'dir exists PATH',
    pattern: /^(?:dir|directory|folder) ("(?:[^"\\]|\\.)*"|\S+) exists$/is,
    near: /^(?:dir|directory|folder) \S+ exist$/i,
    read: exists('dir-exists', true),
  },
  {
    usage: 'dir missing PATH',
    pattern: /^(?:dir|directory|folder) ("(?:[^"\\]|\\.)*"|\S+) (?:does not exist|is missing|is gone)$/is,
    near: /^(?:dir|directory|folder) \S+ (?:doesn't exist|not exists?)$/i,
    read: exists('dir-exists', false),
  },
  {
    usage: 'stdout contains TEXT',
    pattern: /^(stdout|stderr|output) contains:? (.+)$/is,
    near: /^(?:stdout|stderr|output) (?:contain|includes?|has)\b/i,
    read: says(true),
  },
  {
    usage: 'stdout lacks TEXT',
    pattern: /^(stdout|stderr|output) (?:lacks|does not contain):? (.+)$/is,
    near: /^(?:stdout|stderr|output) (?:lack|doesn't contain|not contains?)\b/i,
    read: says(false),
  },
  {
    usage: 'stdout matches /PATTERN/',
    pattern: /^(stdout|stderr|output) matches:? (.+)$/is,
    near: /^(?:stdout|stderr|output) (?:match|matches)\b/i,
    read: (match) => readPattern(stream(match), match[2]!),
  },
  {
    usage: 'port 8080 open',
    pattern: /^port (\S+) (?:is )?(open|closed)$/is,
    near: /^port \S+ (?:is )?(?:open|opened|closed?|listening|free|up|down)$|^port (?:open|closed)\b/i,
    read: (match) => {
      const port = within(match[1]!, 1, 65_535);
      return port === null ? null : { kind: 'port', port, open: match[2]!.toLowerCase() === 'open' };
    },
  },
  {
    usage: 'url http://localhost:8080/ answers 200',
    pattern: /^url (\S+) answers (\S+)(?: (?:and contains|containing) (.+))?$/is,
    near: /^(?:url )?https?:\/\/\S+ (?:answers?|returns?|responds?)\b|^url \S+/i,
    read: (match) => readUrl(match[1]!, match[2]!, match[3]),
  },
  {
    usage: 'command exists NAME',
    pattern: /^command exists:? (\S+)$|^command (\S+) exists$/is,
    near: /^command (?:exist|exists)\b/i,
    read: (match) => {
      const command = match[1] ?? match[2]!;
      return /^[^\s"'$`;&|<>(){}\\*?]+$/.test(command) ? { kind: 'command-exists', command } : null;
    },
  },
];

/** Longer text is prose: no form needs it, and prose is not searched for one. */
const MAX_LENGTH = 4_096;

/** The checkable form that this text reads as, or null: then it is free text. Never throws. */
export function parseExpects(text: string): Expectation | null {
  const line = text.trim();
  if (line.length > MAX_LENGTH || /[\n\r]/.test(line)) return null;
  for (const form of EXPECTS_FORMS) {
    const match = form.pattern.exec(line);
    if (match === null) continue;
    const found = form.read(match);
    if (found !== null) return found;
  }
  return null;
}

/** For text that is not a form and looks like a try at one: how that form is written. Otherwise null. */
export function nearMissOfExpects(text: string): string | null {
  const line = text.trim();
  if (line.length > MAX_LENGTH || parseExpects(line) !== null) return null;
  const form = EXPECTS_FORMS.find((each) => each.pattern.test(line) || each.near.test(line));
  return form?.usage ?? null;
}
