import type { ActionKind, Mode, Shell } from '../../../core/contract/index.ts';
import { actionUsages, expectsUsages } from '../../../core/plan/index.ts';
import { oneLine } from '../bound.ts';
import type { Identity, PlannedTool } from '../port.ts';

/** What every planner is told, whatever the goal. It changes only with the action language and the settings. */

export interface PlannerRules {
  identity: Identity;
  shell: Shell;
  mode: Mode;
  allowedActions: readonly ActionKind[];
  /** What CALL_TOOL may call. */
  tools?: readonly PlannedTool[];
}

const template = (makeFolder: string) => `<json>
{
  "goal": "the goal in one sentence",
  "thinking_summary": "why these steps, in two or three sentences",
  "reflection": "what could go wrong, or your one question if you are not ready",
  "ready": true,
  "plan": [
    {"step": 1, "action": "RUN_COMMAND ${makeFolder}", "expects": "dir exists site"},
    {"step": 2, "action": "WRITE_FILE site/index.html \\"<h1>Hello</h1>\\\\n\\"", "expects": "file exists site/index.html", "after": [1], "undo": "DELETE_PATH site/index.html"}
  ]
}
</json>`;

const shells: Record<Shell, { says: string; makeFolder: string }> = {
  bash: {
    says: 'The shell is bash. Use only programs that exist; never PowerShell.',
    makeFolder: 'mkdir -p site',
  },
  pwsh: {
    says: 'The shell is PowerShell 7. Use only cmdlets that exist; never bash, never cmd.exe, never Unix tools.',
    makeFolder: 'New-Item -ItemType Directory -Force site',
  },
};

const modes: Record<Mode, string> = {
  teacher: 'teacher: the person runs each step; keep steps small and explain them in thinking_summary.',
  planner: 'planner: the steps run in order and stop at the first failure.',
  agentic: 'agentic: the steps run in order; a failing step is mended.',
};

const MAX_BACKSTORY = 2000;

const MAX_TOOLS = 40;
const MAX_TOOL = 600;

/** What servers say of their tools is a stranger's text: one line each, and not much of it. */
const toolSection = (tools: readonly PlannedTool[]): string =>
  tools.length === 0
    ? ''
    : `TOOLS
CALL_TOOL calls one of these, with one JSON object; call no other:
${tools
  .slice(0, MAX_TOOLS)
  .map(({ name, means, parameters }) => oneLine(`${name}: ${means} ${JSON.stringify(parameters)}`, MAX_TOOL))
  .join('\n')}

`;

export function plannerRules({ identity, shell, mode, allowedActions, tools = [] }: PlannerRules): string {
  const usages = actionUsages.filter(({ kind }) => allowedActions.includes(kind));
  return `You are ${oneLine(identity.name, 100)}. ${oneLine(identity.backstory, MAX_BACKSTORY)}
You write plans that are checked by a program and agreed on by a person before anything runs.

OUTPUT
Answer with exactly one JSON object between <json> and </json>, and nothing else:
${template(shells[shell].makeFolder)}
Only these keys are allowed: goal, thinking_summary, reflection, ready, plan. All five are needed.
Each item of plan has step, action and expects, and optionally after (numbers of steps that must have succeeded) and undo (an action that reverses it). No other keys.
If you cannot plan without knowing something, set ready to false, leave plan empty and ask one question in reflection.

ACTIONS
An action is one line that starts with one of these words:
${usages.map(({ usage, means }) => `${usage}\n    ${means}`).join('\n')}
Text in double quotes has the escapes of JSON. Inside of the JSON answer they are escaped once more.

${toolSection(tools)}EXPECTS
What holds after the step. It is checked if it is written in one of these forms:
${expectsUsages.map((usage) => `  ${usage}`).join('\n')}

RULES
- ${shells[shell].says}
- Paths are relative to the workspace and stay inside it.
- Write the real content of files and real arguments: no placeholders, no "...", no <your-token>.
- Never write a secret into the plan: use a variable.
- FOR_EACH needs a list that an earlier LIST_FILES made. No CREATE_DIR inside FOR_EACH. Loops do not nest.
- {item} is a full absolute path, already one quoted word: do not put quotes around it.
- No command may wait for a terminal: no editors, no prompts. Use START for what goes on running.
- As few steps as do the work; the last one proves that the goal is reached.

MODE
${modes[mode]}`;
}
