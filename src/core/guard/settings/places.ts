import type { GuardedAgent } from '../../contract/guard/index.ts';

/** Where an agent looks for what it is told. */
export interface SettingsPlaces {
  /** The file that an installation for the user edits, and the one for a project. */
  user: string;
  project: string;
  /** All files that can switch hooks on or off, those two among them: the agent may change none. */
  guarded: readonly string[];
}

type Env = Readonly<Record<string, string | undefined>>;

const rows: Readonly<Record<GuardedAgent, (home: string, root: string, env: Env) => SettingsPlaces>> = {
  'claude-code': (home, root, env) => {
    const own = env['CLAUDE_CONFIG_DIR'] || `${home}/.claude`;
    const [user, project] = [`${own}/settings.json`, `${root}/.claude/settings.json`];
    return {
      ...{ user, project },
      guarded: [user, `${own}/settings.local.json`, project, `${root}/.claude/settings.local.json`],
    };
  },
  codex: (home, root, env) => {
    const own = env['CODEX_HOME'] || `${home}/.codex`;
    const [user, project] = [`${own}/hooks.json`, `${root}/.codex/hooks.json`];
    return { user, project, guarded: [user, `${own}/config.toml`, project, `${root}/.codex/config.toml`] };
  },
  gemini: (home, root, env) => {
    const own = `${env['GEMINI_CLI_HOME'] || home}/.gemini`;
    const [user, project] = [`${own}/settings.json`, `${root}/.gemini/settings.json`];
    // Variables say where the settings are.
    const variables = [`${own}/.env`, `${root}/.gemini/.env`];
    return { user, project, guarded: [user, project, `${own}/trusted_hooks.json`, ...variables] };
  },
  cursor: (home, root) => {
    const [user, project] = [`${home}/.cursor/hooks.json`, `${root}/.cursor/hooks.json`];
    return { user, project, guarded: [user, project] };
  },
  copilot: (home, root, env) => {
    const own = env['COPILOT_HOME'] || `${home}/.copilot`;
    const [user, project] = [`${own}/hooks/planwright.json`, `${root}/.github/hooks/planwright.json`];
    return { user, project, guarded: [`${own}/hooks`, `${own}/config.json`, `${root}/.github/hooks`] };
  },
  opencode: (home, root, env) => {
    const config = env['XDG_CONFIG_HOME']?.startsWith('/') ? env['XDG_CONFIG_HOME'] : `${home}/.config`;
    const own = `${config}/opencode`;
    const [user, project] = [`${own}/plugins/planwright.js`, `${root}/.opencode/plugins/planwright.js`];
    // Its settings name plugins too, and what is a plugin's own, or a tool's, is in one process with ours.
    const loads = ['plugins', 'plugin', 'tools', 'tool', 'opencode.json', 'opencode.jsonc'];
    const folders = [own, `${root}/.opencode`];
    return {
      ...{ user, project },
      guarded: [
        ...folders.flatMap((folder) => loads.map((name) => `${folder}/${name}`)),
        ...[`${root}/opencode.json`, `${root}/opencode.jsonc`],
      ],
    };
  },
};

export const settingsOf = (agent: GuardedAgent, home: string, root: string, env: Env): SettingsPlaces =>
  rows[agent](home, root, env);
