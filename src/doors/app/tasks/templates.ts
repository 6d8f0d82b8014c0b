import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentMode, type ProjectSettings, taskLimits } from '../../../core/contract/tasks/index.ts';
import { unknownIn } from '../../../core/tasks/index.ts';
import { AGENTS_FOLDER } from './agents.ts';

/** What is said to an agent, and from where; with a warning for each that is there and cannot be used. */
export interface TemplateFound {
  text: string | null;
  from: 'settings' | 'file' | 'built-in';
  warning: string | null;
}

interface Asked {
  mode: AgentMode;
  /** The repository of the project, and not the agent's worktree. */
  project: string;
  settings: Pick<ProjectSettings, 'templates'> | null;
  trusted: boolean;
}

/**
 * What the project's people have written for this mode: in its settings, or in a file (`.planwright/agents/MODE.md`), where
 * its folder is trusted. What cannot be used is passed over, and said.
 */
export async function templateFor({ mode, project, settings, trusted }: Asked): Promise<TemplateFound> {
  const own = settings?.templates?.[mode];
  const file = join(AGENTS_FOLDER, `${mode}.md`);
  const warnings: string[] = [];
  if (own !== undefined) {
    const problem = problemOf(own);
    if (problem === null) return { text: own, from: 'settings', warning: null };
    warnings.push(`the template of the project's settings ${problem}`);
  }
  const text = await readFile(join(project, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') warnings.push(`${file}: ${error.message}`);
    return null;
  });
  if (text !== null) {
    const problem = trusted ? problemOf(text) : 'is not used: its folder is not trusted';
    if (problem === null)
      return { text, from: 'file', warning: warnings.length === 0 ? null : warnings.join('; ') };
    warnings.push(`${file} ${problem}`);
  }
  return { text: null, from: 'built-in', warning: warnings.length === 0 ? null : warnings.join('; ') };
}

/** Why a template cannot be used; null where it can. */
export function problemOf(text: string): string | null {
  if (text.trim() === '' || text.length > taskLimits.template) return 'is empty or too long';
  const unknown = unknownIn(text);
  return unknown.length === 0 ? null : `names what there is not: ${unknown.join(', ')}`;
}
