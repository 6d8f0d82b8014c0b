import { type ActionKind, type ActionOf, toolParts, type Verdict } from '../contract/index.ts';
import { changesScripts, packageScripts } from './conventions.ts';
import { guards } from './guards.ts';
import { judgeWithEnvironment } from './own-environment.ts';
import { writeRule } from './path-rules.ts';
import { isStore, isVital } from './paths.ts';
import { isSecret, secretRead } from './secret-paths.ts';
import type { JudgeContext, RuleInfo, Where } from './types.ts';
import { createFindings, type Findings, worse } from './verdict.ts';

const info = (id: string, level: RuleInfo['level'], sentence: string, reversible = true): RuleInfo => ({
  id,
  level,
  sentence,
  reversible,
});

/** Rules about file actions and tools. */
export const actionRules = {
  write: info('action-write', 'caution', 'Writes a file; Planwright keeps what was there before.'),
  move: info('action-move', 'caution', 'Moves or copies files; Planwright keeps what was there before.'),
  delete: info('action-delete', 'dangerous', 'Deletes a file or a folder.'),
  deleteVital: info(
    'action-delete-vital',
    'blocked',
    'Deletes the workspace, a folder above it, home, or the system.',
    false,
  ),
  scripts: packageScripts,
  restore: info(
    'action-restore',
    'caution',
    'Puts files back as they were before a run; what is there now is kept first.',
  ),
  tool: info('action-tool', 'dangerous', 'Calls a tool, and nothing shows what that does.', false),
} as const;

/**
 * How each kind is judged. A file action by what it says of its paths; what a person does or answers, and what ends a
 * service of this very run, is safe.
 */
const judgements: {
  readonly [K in ActionKind]: (action: ActionOf<K>, where: Where, findings: Findings) => Verdict;
} = {
  'run-command': ({ command }, { context }) => judgeWithEnvironment(command, context),
  'run-script': ({ script }, { context }) => judgeWithEnvironment(script, context),
  start: ({ command }, { context }) => judgeWithEnvironment(command, context),
  stop: (_, __, findings) => findings.verdict(),
  'write-file': ({ path, content }, where, findings) => writes(path, content, where, findings),
  'append-file': ({ path, content }, where, findings) => writes(path, content, where, findings),
  'edit-file': (action, where, findings) => writes(action.path, action.new, where, findings),
  'create-dir': ({ path }, where, findings) => writes(path, '', where, findings),
  'copy-path': ({ from, to }, where, findings) => {
    findings.add(actionRules.move);
    reads(from, where, findings);
    return writes(to, '', where, findings);
  },
  'move-path': ({ from, to }, where, findings) => {
    findings.add(actionRules.move);
    removes(from, where, findings);
    reads(from, where, findings);
    return writes(to, '', where, findings);
  },
  'delete-path': ({ path }, where, findings) => {
    findings.add(actionRules.delete);
    return removes(path, where, findings);
  },
  'list-files': ({ pattern }, _, findings) => {
    findings.path(pattern);
    return findings.verdict();
  },
  'read-file': ({ path }, where, findings) => reads(path, where, findings),
  'call-tool': (action, { context }, findings) => {
    const parts = toolParts(action) ?? [];
    if (parts.length > 0) return parts.map((part) => judgeAction(part, context)).reduce(worse);
    findings.add(actionRules.tool);
    return findings.verdict();
  },
  ask: (_, __, findings) => findings.verdict(),
  manual: (_, __, findings) => findings.verdict(),
  'for-each': (loop, { context }) => judgeAction(loop.do, context),
  repeat: (loop, { context }) => judgeAction(loop.do, context),
  restore: (_, __, findings) => {
    findings.add(actionRules.restore);
    return findings.verdict();
  },
};

/** Judges any action. A loop is judged by the action it repeats. Never throws. */
export function judgeAction<K extends ActionKind>(action: ActionOf<K>, context: JudgeContext = {}): Verdict {
  const judge = judgements[action.kind as K];
  return judge(action, { context, cwd: context.cwd ?? context.workspace }, createFindings());
}

function writes(path: string, content: string, where: Where, findings: Findings): Verdict {
  findings.path(path);
  findings.add(actionRules.write);
  const rule = writeRule(path, where);
  if (rule) findings.add(rule);
  if (changesScripts(path, content)) findings.add(actionRules.scripts);
  return findings.verdict();
}

function reads(path: string, where: Where, findings: Findings): Verdict {
  findings.path(path);
  if (isSecret(path, where)) findings.add(secretRead);
  if (isStore(path, where)) findings.add(guards.unproven);
  return findings.verdict();
}

function removes(path: string, where: Where, findings: Findings): Verdict {
  findings.path(path);
  const own = where.context.workspace;
  if (
    isVital(path, where) ||
    path === '.' ||
    path === './' ||
    (own !== undefined && path.replace(/\/$/, '') === own)
  )
    findings.add(actionRules.deleteVital);
  const rule = writeRule(path, where);
  if (rule) findings.add(rule);
  return findings.verdict();
}
