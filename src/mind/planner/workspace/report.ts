import { oneLine } from '../bound.ts';

/** What a planner is told of the place where its plan would run. */
export interface WorkspaceReport {
  os: string;
  shell: string;
  /** Paths relative to the workspace, folders with a slash; `more` where there are others. */
  entries: readonly string[];
  more: boolean;
  git: { branch: string | null; changed: number; remotes: readonly string[] } | null;
  /** AGENTS.md, or CLAUDE.md where there is none, of the workspace and of folders in it. */
  guides: readonly { path: string; text: string }[];
  /** Programs that are there. */
  tools: readonly string[];
}

const MAX_ENTRIES = 150;
const MAX_LISTING = 5000;
const MAX_GUIDE = 3000;
const MAX_GUIDES = 6000;

/** The report as text, at most about 14,000 characters of it. */
export function describeWorkspace({ os, shell, entries, more, git, guides, tools }: WorkspaceReport): string {
  const parts = [
    `System: ${oneLine(os, 200)}`,
    `Shell: ${oneLine(shell, 100)}`,
    `Git: ${git === null ? 'no repository' : gitLine(git)}`,
    `Programs found: ${oneLine(tools.join(' '), 1500) || 'unknown'}`,
    `Files:\n${listing(entries, more)}`,
    ...guideParts(guides),
  ];
  return parts.join('\n');
}

const gitLine = ({ branch, changed, remotes }: NonNullable<WorkspaceReport['git']>): string => {
  const where = branch === null ? 'no branch' : `branch ${oneLine(branch, 100)}`;
  const state = changed === 0 ? 'clean' : `${changed} changed file${changed === 1 ? '' : 's'}`;
  return `${where}, ${state}, ${remotes.length === 0 ? 'no remote' : `remotes ${oneLine(remotes.join(' '), 200)}`}`;
};

function listing(entries: readonly string[], more: boolean): string {
  let left = MAX_LISTING;
  const shown: string[] = [];
  for (const entry of entries.slice(0, MAX_ENTRIES)) {
    const line = `  ${oneLine(entry, 200)}`;
    if (left < line.length + 1) break;
    left -= line.length + 1;
    shown.push(line);
  }
  if (shown.length === 0) return '  (empty)';
  const rest = entries.length - shown.length;
  if (rest > 0 || more) shown.push(`  … and ${more ? 'at least ' : ''}${Math.max(rest, 1)} more`);
  return shown.join('\n');
}

function guideParts(guides: WorkspaceReport['guides']): string[] {
  let left = MAX_GUIDES;
  return guides.flatMap(({ path, text }) => {
    const most = Math.min(left, MAX_GUIDE);
    if (most < 200) return [];
    const cut = text.length > most ? `${text.slice(0, most)}\n[… cut …]` : text;
    left -= cut.length;
    return [`Begin of ${oneLine(path, 200)}\n${cut.trim()}\nEnd of ${oneLine(path, 200)}`];
  });
}
