import { stripVTControlCharacters } from 'node:util';
import { type Correction, shellText } from '../../../core/contract/index.ts';
import { printAction } from '../../../core/plan/index.ts';
import { judgeCommand } from '../../../core/risk/index.ts';
import { readCommand } from '../../../core/shell/index.ts';
import type { Brain, BrainContext, Failure } from '../brain.ts';
import { CONFIDENT } from '../chain.ts';
import { commandOfLine, commandsIn, doing } from '../correction.ts';
import { nullProbe, type Probe } from '../probe/probe.ts';
import { rules as allRules } from './catalogue.ts';
import { missingFolder } from './file-actions.ts';
import { weakens } from './purpose.ts';
import { unsaid } from './quiet.ts';
import type { Mend, MendingRule, SeenFailure } from './rule.ts';
import { scriptOf } from './scripts.ts';
import { type FolderView, viewsOf } from './views.ts';

export interface RulesOptions {
  /** Looks at the world where the step ran. Left out, nothing is probed. */
  readonly probeAt?: (cwd: string, env?: Failure['env']) => Probe;
  readonly rules?: readonly MendingRule[];
}

/** Surer than this, and the remaining rules are not asked. */
const SURE = 0.9;
const MAX_COMMAND = 20_000;

/** The offline brain: the surest proposal of all rules that speak, the earlier rule where two are equally sure. */
export function createRulesBrain({ probeAt, rules = allRules }: RulesOptions = {}): Brain {
  return {
    async analyzeFailure(failure, context) {
      const { cwd, env } = failure;
      const probeIn = (folder: string): Probe => probeAt?.(folder, env) ?? nullProbe;
      const probe = cwd === undefined ? nullProbe : probeIn(cwd);
      const seen = look(failure, context, probe);
      if (seen === null) return missingFolder(failure, probe);
      const views = await viewsOf(seen, probeIn);
      let best: Correction | null = null;
      for (const rule of rules) {
        const proposal = await ask(rule, views);
        if (proposal === null) continue;
        if (best !== null && proposal.confidence <= best.confidence) continue;
        const correction = toCorrection(rule, proposal);
        const verdict = judge(correction, seen);
        if (verdict === 'never') continue;
        if (verdict !== 'fine' || proposal.confidence < CONFIDENT) {
          context.noteNearMiss?.(verdict === 'fine' ? correction : withReason(correction, verdict.against));
          continue;
        }
        best = correction;
        if (best.confidence >= SURE) break;
      }
      return best;
    },
  };
}

/** Null where no rule has anything to say: no command, nothing went wrong with it, or a person decided. */
function look(failure: Failure, context: BrainContext, probe: Probe): SeenFailure | null {
  const command = shellText(failure.step.action);
  if (command === null || command.trim() === '' || command.length > MAX_COMMAND) return null;
  if (failure.shell !== 'bash') return null;
  const { why, exitCode, stderrTail, stdoutTail } = failure.result;
  if (why !== undefined && ['aborted', 'blocked', 'denied', 'unsupported', 'internal'].includes(why))
    return null;
  const stderr = stripVTControlCharacters(stderrTail);
  const tree = readCommand(command);
  const said = [stderr, stripVTControlCharacters(stdoutTail)].filter((part) => part !== '').join('\n');
  const output = said.trim() === '' ? unsaid(tree.simples, exitCode) : said;
  // A question of bash is not shown where nobody is there to see it.
  if (output.trim() === '' && tree.simples.every((simple) => scriptOf(simple) === null)) return null;
  return { failure, context, command, tree, output, stderr, exitCode, probe };
}

/**
 * What a rule has to say of the first folder of which it has anything. One that throws has declined: the world may be
 * stranger than its author thought.
 */
async function ask(rule: MendingRule, views: readonly FolderView[]): Promise<Mend | null> {
  for (const { seen, place, doubt } of views) {
    try {
      const mend = await rule.propose(seen);
      if (mend !== null) return { ...place(mend), ...doubted(mend.doubt ?? (await doubt(mend))) };
    } catch {}
  }
  return null;
}

const doubted = (doubt: string | null): { doubt?: string } => (doubt === null ? {} : { doubt });

function toCorrection(rule: MendingRule, proposal: Mend): Correction {
  const { reasoning, confidence, doubt = null } = proposal;
  const source = { brain: 'rule' as const, name: rule.id };
  const common = { reasoning, confidence, source, ...doubted(doubt) };
  if ('modify' in proposal) return { action: 'modify', modifiedCommand: proposal.modify, ...common };
  if ('steps' in proposal) {
    const newSteps = proposal.steps.map(({ title, command }) => ({
      step: title,
      action: actionLine(command),
    }));
    return { action: 'insert_steps', newSteps, ...common };
  }
  if ('abort' in proposal) return { action: 'abort', ...common };
  return {
    action: 'retry',
    ...(proposal.delayMs === undefined ? {} : { delayMs: proposal.delayMs }),
    ...common,
  };
}

const actionLine = (command: string): string => printAction({ kind: 'run-command', command });

/** `never`: it is blocked, changes nothing, or was tried or refused already. Otherwise what stands against it. */
type Verdict = 'fine' | 'never' | { readonly against: string };

function judge(correction: Correction, seen: SeenFailure): Verdict {
  if (correction.action === 'retry') return 'fine';
  const commands = commandsIn(correction);
  if (commands.some((command) => judgeCommand(command).level === 'blocked')) return 'never';
  const after = correction.modifiedCommand ?? '';
  if (correction.action === 'modify' && after.trim() === seen.command.trim()) return 'never';
  if (wasDecided(correction, seen)) return 'never';
  if (correction.action === 'modify' && readCommand(after).broken) return 'never';
  const weaker =
    correction.action === 'modify'
      ? weakens(seen.command, after, seen.output)
      : (commands.map((command) => weakens('', command, seen.output)).find((why) => why !== null) ?? null);
  return weaker === null ? 'fine' : { against: weaker };
}

/** It was tried for this step, or refused for this failure. */
function wasDecided(correction: Correction, seen: SeenFailure): boolean {
  const tried = seen.failure.earlier.flatMap(({ action, correction: decided }) => [
    ...(decided === undefined ? [] : [decided]),
    { action: 'modify' as const, modifiedCommand: commandOfLine(action) },
  ]);
  const refused = seen.context.refused.map((refusal) => refusal.correction);
  return [...tried, ...refused].some((old) => doing(old) === doing(correction));
}

/** Whoever reads it must not take it for advice. */
const withReason = (correction: Correction, against: string): Correction => ({
  ...correction,
  reasoning: `${correction.reasoning} Not done as it is: ${against}`,
});
