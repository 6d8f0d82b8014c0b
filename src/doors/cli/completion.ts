import { type Command, everywhere } from './command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

type Described = Pick<Command, 'name' | 'about' | 'options' | 'usage'>;

/** Commands that a run may be named to: their words are ids of runs. */
const isAboutRun = ({ usage }: Described): boolean => usage.includes('[RUN]');

/** What lists them, for the shell to ask when it completes. */
const ids = 'planwright runs --all --ids 2>/dev/null';

const worded = (commands: readonly Described[]): [string, readonly string[]][] =>
  commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([key, { words }]): [string, readonly string[]][] =>
      words === undefined ? [] : [[`${name}:--${key}`, words]],
    ),
  );

/** A script that the shell sources: commands first, then the flags of the command and their words, runs, then files. */
export function completionFor(shell: Shell, commands: readonly Described[]): string {
  const whole = commands.map((command) => ({ ...command, options: { ...command.options, ...everywhere } }));
  return { bash, zsh, fish }[shell](whole);
}

const flagsOf = ({ options }: Described): string[] => Object.keys(options).map((key) => `--${key}`);

function bash(commands: readonly Described[]): string {
  const cases = commands.map((c) => `    ${c.name}) words="${flagsOf(c).join(' ')}" ;;`);
  const values = worded(commands).map(([at, words]) => `    ${at}) values="${words.join(' ')}" ;;`);
  const about = commands.filter(isAboutRun).map((c) => c.name);
  return `# planwright completion for bash: source <(planwright completion bash)
_planwright() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" values=""
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "\${COMP_WORDS[1]}" = help ]; }; then
    COMPREPLY=($(compgen -W "${commands.map((c) => c.name).join(' ')} help" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}:\${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  if [ -n "$values" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$words --help" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
    ${about.join('|')}) COMPREPLY=($(compgen -W "$(${ids})" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _planwright planwright`;
}

const zshText = (text: string): string =>
  text.replaceAll(/[[\]:'\\]/g, (c) => (c === "'" ? `'\\''` : `\\${c}`));

function zsh(commands: readonly Described[]): string {
  const names = commands.map((c) => `    '${c.name}:${zshText(c.about)}'`);
  const cases = commands.map((c) => {
    const flags = Object.entries(c.options).map(([key, option]) => {
      const what = option.words === undefined ? '_files' : `(${option.words.join(' ')})`;
      const value = option.type === 'string' ? `:${option.value ?? 'value'}:${what}` : '';
      return `'--${key}[${zshText(option.about)}]${value}'`;
    });
    const rest = isAboutRun(c) ? `'*:run:{compadd -- $(${ids})}'` : "'*:file:_files'";
    return `    ${c.name}) _arguments ${[...flags, rest].join(' ')} ;;`;
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
    ...(isAboutRun(c)
      ? [`complete -c planwright -n '__fish_seen_subcommand_from ${c.name}' -f -a '(${ids})'`]
      : []),
    ...Object.entries(c.options).map(([key, option]) => {
      const words = option.words === undefined ? '' : ` -f -a '${option.words.join(' ')}'`;
      const needs = option.type === 'string' ? ` -r${words}` : '';
      const short = option.short ? ` -s ${option.short}` : '';
      const when = `'__fish_seen_subcommand_from ${c.name}'`;
      return `complete -c planwright -n ${when} -l ${key}${short}${needs} -d ${fishText(option.about)}`;
    }),
  ]);
  return ['# planwright completion for fish: planwright completion fish | source', ...lines].join('\n');
}
