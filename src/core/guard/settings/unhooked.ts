import type { GuardedAgent } from '../../contract/guard/index.ts';

/** How an agent is started such that it leaves its hooks out, or looks for them elsewhere. */
interface Unhooked {
  programs: readonly string[];
  /** An option alone, or with its value behind a blank. */
  option: RegExp | null;
  /** Say where its settings are, besides `HOME`. */
  variables: readonly string[];
}

const rows: Readonly<Record<GuardedAgent, Unhooked>> = {
  'claude-code': {
    programs: ['claude', 'claude-code'],
    option: /^--(?:bare|settings|setting-sources)(?:[= ]|$)/,
    variables: ['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_SIMPLE'],
  },
  codex: {
    programs: ['codex'],
    option:
      /^(?:(?:-c|--config)[= ]?['"]?(?:hooks|features|profile)|--disable[= ]\S*hooks|-p\b|--profile\b|--dangerously-|--yolo\b)/,
    variables: ['CODEX_HOME'],
  },
  gemini: {
    programs: ['gemini', 'gemini-cli'],
    option: null,
    variables: ['GEMINI_CLI_HOME', 'GEMINI_CLI_SYSTEM_SETTINGS_PATH'],
  },
  cursor: { programs: ['cursor-agent'], option: null, variables: [] },
  copilot: { programs: ['copilot'], option: /^--config-dir(?:[= ]|$)/, variables: ['COPILOT_HOME'] },
  opencode: {
    programs: ['opencode', 'opencode-ai'],
    option: /^--pure(?:[= ]|$)/,
    variables: ['XDG_CONFIG_HOME', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_PURE'],
  },
};

/** Whether a command starts an agent without the hooks that it has here. `isSet`: the variable is set for it. */
export function startsUnhooked(
  [name, ...words]: readonly string[],
  isSet: (variable: string) => boolean,
): boolean {
  const row = Object.values(rows).find(({ programs }) => programs.includes(name ?? ''));
  if (row === undefined) return false;
  const options = words.map((word, at) => (word.startsWith('-') ? `${word} ${words[at + 1] ?? ''}` : ''));
  return ['HOME', ...row.variables].some(isSet) || options.some((option) => row.option?.test(option));
}
