import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentWork, BUILT_IN } from '../../../core/tasks/index.ts';
import {
  type Agent,
  builtInScripts,
  createAcpAgent,
  createBuiltInAgent,
  createClaudeCodeAgent,
  createReviewer,
  createScriptedAgent,
  Script,
} from '../../../mind/tasks/index.ts';
import { isTrusted } from '../trust.ts';
import { acpProgram } from './acp-program.ts';
import { claudeCode } from './claude-code.ts';
import { conversing } from './conversing.ts';
import type { TaskDriving } from './driving.ts';
import type { Workplace } from './workplace.ts';

/** By its SDK, which a person has to install. */
export const CLAUDE_CODE = 'claude-code';

/** Where a project keeps what is said to its agents. */
export const AGENTS_FOLDER = join('.planwright', 'agents');

/** The agent of this name, for this work and in this place; null where there is none. */
export async function agentNamed(
  given: TaskDriving,
  work: AgentWork,
  place: Workplace | null,
): Promise<Agent | null> {
  const { agent: name, epoch } = work;
  const { program, repository } = work.given;
  const [type, of = 'happy'] = name.split(':', 2);
  switch (type) {
    case BUILT_IN:
      return createBuiltInAgent(conversing(given));
    case 'scripted': {
      const script = Object.hasOwn(builtInScripts, of)
        ? builtInScripts[of]!
        : await scriptOf(given, repository.path, of);
      return script === null ? null : createScriptedAgent(name, script);
    }
    case CLAUDE_CODE:
      return createClaudeCodeAgent(name, claudeCode(given, work));
    case 'pr-reviewer':
      return createReviewer(name, [
        createClaudeCodeAgent(name, claudeCode(given, work)),
        createBuiltInAgent(conversing(given)),
      ]);
    case 'acp':
      return program === undefined || place === null
        ? null
        : createAcpAgent(name, acpProgram(given, program, epoch, place));
    default:
      return null;
  }
}

/** A script of the project's own, where its folder is trusted. */
async function scriptOf({ places }: TaskDriving, project: string, name: string): Promise<Script | null> {
  if (!isTrusted(places, project)) return null;
  try {
    const text = await readFile(join(project, AGENTS_FOLDER, `${name}.script.json`), 'utf8');
    return Script.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
