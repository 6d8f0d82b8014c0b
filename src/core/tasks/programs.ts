import type { AgentProgram, ProjectSettings } from '../contract/tasks/index.ts';

/** Programs that speak the protocol: how each is started, whom it has to reach, and where its login lies. */
const knownPrograms: Readonly<Record<string, Omit<AgentProgram, 'ungated'>>> = {
  claude: {
    command: 'claude-agent-acp',
    hosts: ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com'],
    writes: ['~/.claude', '~/.claude.json'],
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  },
  codex: {
    command: 'codex-acp',
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
    writes: ['~/.codex'],
    variables: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
  },
  gemini: {
    command: 'gemini --acp',
    hosts: [
      'generativelanguage.googleapis.com',
      'cloudcode-pa.googleapis.com',
      'oauth2.googleapis.com',
      'accounts.google.com',
    ],
    writes: ['~/.gemini'],
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
  goose: {
    command: 'goose acp',
    writes: ['~/.config/goose', '~/.local/share/goose', '~/.local/state/goose'],
  },
  opencode: {
    command: 'opencode acp',
    writes: ['~/.config/opencode', '~/.local/share/opencode', '~/.local/state/opencode', '~/.cache/opencode'],
  },
};

/** What `acp:NAME` stands for: what the project says, or what is known of a program of that name. */
export function programOf(
  agent: string,
  { programs = {} }: Pick<ProjectSettings, 'programs'>,
): AgentProgram | undefined {
  const [type, name = ''] = agent.split(':', 2);
  if (type !== 'acp') return undefined;
  const said = Object.hasOwn(programs, name) ? programs[name] : undefined;
  return said ?? (Object.hasOwn(knownPrograms, name) ? knownPrograms[name] : undefined);
}
