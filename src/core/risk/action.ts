import type { Action, SimpleAction, Verdict } from '../contract/index.ts';
import { guards } from './guards.ts';
import { judgeCommand } from './judge.ts';
import { writeRule } from './path-rules.ts';
import { isStore, isVital } from './paths.ts';
import { isSecret, secretRead } from './secret-paths.ts';
import type { JudgeContext, RuleInfo, Where } from './types.ts';
import { createFindings, type Findings } from './verdict.ts';

const info = (id: string, level: RuleInfo['level'], sentence: string, reversible = true): RuleInfo => ({
  id,
  level,
  sentence,
  reversible,
  hits: [],
  misses: [],
});

/** Rules about file actions and tools. Their examples are actions, so they live in the tests. */
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
  outside: info('action-outside', 'dangerous', 'Touches a path outside the workspace.'),
  scripts: info(
    'action-package-scripts',
    'dangerous',
    'Changes scripts that the package manager runs by itself.',
  ),
  restore: info(
    'action-restore',
    'caution',
    'Puts files back as they were before a run; what is there now is kept first.',
  ),
  tool: info('action-tool', 'caution', 'Calls a tool, whose effects the plan does not show.'),
} as const;

/** Files that package managers and build tools run code from. */
const scriptFiles =
  /(?:^|\/)(?:package\.json|setup\.py|pyproject\.toml|Makefile|GNUmakefile|build\.rs|build\.gradle(?:\.kts)?|Rakefile|conftest\.py|\.pnpmfile\.cjs|\.yarnrc(?:\.yml)?|tox\.ini|noxfile\.py|Dockerfile|docker-compose\.ya?ml|justfile|lefthook\.ya?ml|\.pre-commit-config\.ya?ml)$/;
const runsByItself =
  /"(?:pre|post)?(?:install|prepare|publish|pack|test|start|build|version)"\s*:|\bcmdclass\b|entry_points|\[tool\.[\w.]*(?:scripts|hooks)/;

/** Judges any action. A loop is judged by the action it repeats. Never throws. */
export function judgeAction(action: Action, context: JudgeContext = {}): Verdict {
  if (action.kind === 'for-each' || action.kind === 'repeat') return judgeAction(action.do, context);
  if (action.kind === 'run-command' || action.kind === 'start') return judgeCommand(action.command, context);
  if (action.kind === 'run-script') return judgeCommand(action.script, context);
  const findings = createFindings();
  if (action.kind === 'restore') {
    findings.add(actionRules.restore);
    return findings.verdict();
  }
  const where: Where = { context, cwd: context.cwd ?? context.workspace };
  judgeFileAction(action, where, findings);
  return findings.verdict();
}

function judgeFileAction(action: SimpleAction, where: Where, findings: Findings): void {
  switch (action.kind) {
    case 'write-file':
    case 'append-file':
      writes(action.path, action.content, where, findings);
      return;
    case 'edit-file':
      writes(action.path, action.new, where, findings);
      return;
    case 'create-dir':
      writes(action.path, '', where, findings);
      return;
    case 'copy-path':
    case 'move-path':
      findings.add(actionRules.move);
      if (action.kind === 'move-path') removes(action.from, where, findings, false);
      reads(action.from, where, findings);
      writes(action.to, '', where, findings);
      return;
    case 'delete-path':
      findings.add(actionRules.delete);
      removes(action.path, where, findings, true);
      return;
    case 'read-file':
      reads(action.path, where, findings);
      return;
    case 'list-files':
      findings.path(action.pattern);
      return;
    case 'call-tool':
      findings.add(actionRules.tool);
      return;
    default:
      return;
  }
}

function writes(path: string, content: string, where: Where, findings: Findings): void {
  findings.path(path);
  findings.add(actionRules.write);
  const rule = writeRule(path, where);
  if (rule) findings.add(rule);
  else if (isOutside(path, where)) findings.add(actionRules.outside);
  if (scriptFiles.test(path) && (runsByItself.test(content) || !/\.(?:json|toml)$/.test(path)))
    findings.add(actionRules.scripts);
}

function reads(path: string, where: Where, findings: Findings): void {
  findings.path(path);
  if (isSecret(path, where)) findings.add(secretRead);
  if (isStore(path, where)) findings.add(guards.unproven);
}

function removes(path: string, where: Where, findings: Findings, whole: boolean): void {
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
  else if (whole && isOutside(path, where)) findings.add(actionRules.outside);
}

/** By its text: absolute or climbing out. Symlinks are resolved by whoever runs the action. */
function isOutside(path: string, where: Where): boolean {
  const { workspace } = where.context;
  if (path.startsWith('~')) return true;
  if (path.startsWith('/'))
    return (
      workspace === undefined ||
      !(path === workspace || path.startsWith(`${workspace}/`)) ||
      path.split('/').includes('..')
    );
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth--;
    else if (part !== '' && part !== '.') depth++;
    if (depth < 0) return true;
  }
  return false;
}
