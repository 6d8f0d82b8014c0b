import type { Command } from './command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

type Described = Pick<Command, 'name' | 'about' | 'options'>;

/** A script that the shell sources: commands first, then the flags of the command, then files. */
export function completionFor(shell: Shell, commands: readonly Described[]): string {
  return { bash, zsh, fish }[shell](commands);
}

const flagsOf = ({ options }: Described): string[] => Object.keys(options).map((key) => `--${key}`);

function bash(commands: readonly Described[]): string {
  const cases = commands.map((c) => `    ${c.name}) words="${flagsOf(c).join(' ')}" ;;`);
  return `# planwright completion for bash: source <(planwright completion bash)
_planwright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map((c) => c.name).join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$words --help" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _planwright planwright`;
}

const zshText = (text: string): string =>
  text.replaceAll(/[[\]:'\\]/g, (c) => (c === "'" ? `'\\''` : `\\${c}`));

function zsh(commands: readonly Described[]): string {
  const names = commands.map((c) => `    '${c.name}:${zshText(c.about)}'`);
  const cases = commands.map((c) => {
    const flags = Object.entries(c.options).map(([key, option]) => {
      const value = option.type === 'string' ? `:${option.value ?? 'value'}:_files` : '';
      return `'--${key}[${zshText(option.about)}]${value}'`;
    });
    return `    ${c.name}) _arguments ${[...flags, "'*:file:_files'"].join(' ')} ;;`;
  });
  return `#compdef planwright
# planwright completion for zsh: source <(planwright completion zsh)
_planwright() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$name" in
${cases.join('\n')}
  esac
}
compdef _planwright planwright`;
}

const fishText = (text: string): string => `'${text.replaceAll(/['\\]/g, (c) => `\\${c}`)}'`;

function fish(commands: readonly Described[]): string {
  const lines = commands.flatMap((c) => [
    `complete -c planwright -n __fish_use_subcommand -f -a ${c.name} -d ${fishText(c.about)}`,
    ...Object.entries(c.options).map(([key, option]) => {
      const needs = option.type === 'string' ? ' -r' : '';
      const short = option.short ? ` -s ${option.short}` : '';
      const when = `'__fish_seen_subcommand_from ${c.name}'`;
      return `complete -c planwright -n ${when} -l ${key}${short}${needs} -d ${fishText(option.about)}`;
    }),
  ]);
  return ['# planwright completion for fish: planwright completion fish | source', ...lines].join('\n');
}
