import {
  type Action,
  innermost,
  isLoop,
  type SimpleAction,
  type SingleAction,
  type Verdict,
} from '../../contract/index.ts';
import { isInterpreter, programName, quoteWord, takesCommand } from '../../shell/index.ts';
import { judgeAction } from '../action.ts';
import { guards } from '../guards.ts';
import { judgeCommand } from '../judge.ts';
import { OWN_ENVIRONMENT } from '../own-environment.ts';
import { atLeast } from '../verdict.ts';
import { commandsIn, isShell, literalWords, textOf } from './commands.ts';
import { pathClass, pathPattern } from './paths.ts';
import type { PathClass, PolicyRule, RecordedRisk } from './rule.ts';

export interface PolicyContext {
  /** The run's workspace, a real path. */
  workspace: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** A person trusts the workspace. */
  trusted: boolean;
}

const unique = <T extends string>(values: readonly T[]): T[] => [...new Set(values)].sort();

/** What of a verdict a rule records, and is compared with. Remarks are no risk. */
export const riskOf = (verdict: Verdict, workspace: string): RecordedRisk => ({
  rules: unique(verdict.reasons.filter(({ level }) => level !== 'safe').map(({ rule }) => rule)),
  paths: unique<PathClass>(verdict.paths.map((path) => pathClass(path, workspace))),
  needs: unique(verdict.needs),
});

const within = <T>(some: readonly T[], all: readonly T[]): boolean => some.every((one) => all.includes(one));

const addsNothing = (now: RecordedRisk, then: RecordedRisk): boolean =>
  within(now.rules, then.rules) && within(now.paths, then.paths) && within(now.needs, then.needs);

/** Guards that hide what would run, and what else no words of a command tell. */
const hiding = new Set([
  ...Object.values(guards)
    .filter(({ level }) => level === 'dangerous')
    .map(({ id }) => id),
  'evaluates-unknown',
  'judge-failed',
  'not-resolved',
  OWN_ENVIRONMENT,
]);

export const hides = (verdict: Verdict): boolean => verdict.reasons.some(({ rule }) => hiding.has(rule));

/** Their arguments are programs: the same first words say nothing about what they do. */
const opaque = /^(?:[gmn]?awk|g?sed|osascript|eval|source|\.|su|psql|mysql|sqlite3|make)$/;

export function isOpaque(word: string): boolean {
  const name = programName(word);
  return opaque.test(name) || isInterpreter(name) || takesCommand(name);
}

export const isLive = (rule: PolicyRule, now: number): boolean =>
  rule.expires === undefined || rule.expires > now;

/** For deny and ask: as wide as the words can be read. A folder above the workspace counts too. */
export function speaksOf(
  rule: PolicyRule,
  action: Action,
  verdict: Verdict,
  context: PolicyContext,
): boolean {
  const inner = innermost(action);
  const { scope } = rule;
  if (scope !== null && context.workspace !== scope && !context.workspace.startsWith(`${scope}/`))
    return false;
  if (rule.action !== undefined && rule.action !== inner.kind) return false;
  if (rule.tool !== undefined && !isCallOf(rule.tool, inner)) return false;
  if (rule.command !== undefined && !namesCommand(rule.command, textOf(inner), isShell(inner))) return false;
  if (rule.prefix && !(isShell(inner) && holdsPrefix(rule.prefix, textOf(inner)))) return false;
  if (!rule.paths) return true;
  const patterns = rule.paths.map((glob) => pathPattern(glob, context.workspace));
  const sweeping = atLeast(verdict.level, 'dangerous');
  return verdict.paths.some((path) =>
    patterns.some((pattern) => pattern.matches(path) || (sweeping && pattern.isBelow(path))),
  );
}

function namesCommand(command: string, text: string, shell: boolean): boolean {
  if (command.trim() === text.trim()) return true;
  const words = shell ? literalWords(command) : null;
  return (
    words !== null &&
    commandsIn(text).some((found) => sameWords(found, words) && found.length === words.length)
  );
}

function holdsPrefix(prefix: readonly string[], text: string): boolean {
  if (commandsIn(text).some((found) => sameWords(found, prefix))) return true;
  // Where the text is not read (PowerShell, a mistake in it), its words as they stand.
  const words = prefix.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('\\s+');
  return new RegExp(`(?:^|[\\s;&|(\`'"/])${words}(?=$|[\\s;&|)\`'"])`).test(text);
}

const sameWords = (found: readonly string[], wanted: readonly string[]): boolean =>
  wanted.every(
    (word, index) => found[index] === word || (index === 0 && found[0] === word.replace(/^.*\//, '')),
  );

/**
 * For allow: the exact action, or one program with the same first words, and no risk beyond what was known when the
 * rule was made.
 */
export function covers(rule: PolicyRule, action: Action, verdict: Verdict, context: PolicyContext): boolean {
  if (isLoop(action) || action.kind === 'restore') return false;
  if (hides(verdict)) return false;
  if (rule.scope !== null && rule.scope !== context.workspace) return false;
  if (rule.action !== undefined && rule.action !== action.kind) return false;
  if (!isSame(rule, action, verdict)) return false;
  if (rule.paths) {
    const patterns = rule.paths.map((glob) => pathPattern(glob, context.workspace));
    const isMeant = (path: string): boolean =>
      path.startsWith('/') && patterns.some((pattern) => pattern.matches(path));
    if (!verdict.paths.every(isMeant)) return false;
  }
  return addsNothing(
    riskOf(verdict, context.workspace),
    rule.risk ?? knownOf(rule, action, context.workspace),
  );
}

const isCallOf = (tool: string, action: SingleAction): boolean =>
  action.kind === 'call-tool' && action.tool === tool;

function isSame(rule: PolicyRule, action: SimpleAction, verdict: Verdict): boolean {
  if (rule.tool !== undefined) return isCallOf(rule.tool, action);
  if (rule.command !== undefined) return rule.command === textOf(action);
  const { prefix } = rule;
  const words = isShell(action) ? literalWords(textOf(action)) : null;
  if (!words || !prefix || isOpaque(words[0] ?? '')) return false;
  if (!verdict.reversible && !rule.paths) return false;
  return prefix.every((word, index) => words[index] === word);
}

/**
 * What a person who wrote a rule by hand knew: the risk of the text as it is written, and paths that it names or that
 * lie in the workspace. What a variable or a link turns it into is more than that.
 */
function knownOf(rule: PolicyRule, action: SimpleAction, workspace: string): RecordedRisk {
  const place = { workspace, cwd: workspace };
  const words = rule.prefix?.map((word) => quoteWord(word)).join(' ');
  const verdict = words === undefined ? judgeAction(action, place) : judgeCommand(words, place);
  const { rules, paths, needs } = riskOf(verdict, workspace);
  return { rules, needs, paths: unique([...paths, 'workspace', 'relative']) };
}
