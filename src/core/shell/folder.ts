interface Said {
  readonly value: string;
  readonly literal: boolean;
}

/** Built-ins that take the shell to another folder. */
export const movesShell = (program: string): boolean => ['cd', 'pushd', 'popd'].includes(program);

/** The folder after `cd` and its kin; null where nobody can say. */
export function enter(from: string | null, program: string, args: readonly Said[]): string | null {
  const words = args.filter(({ value }) => !/^-[LPe@n]*$|^--$/.test(value) || value === '-');
  const [to, ...more] = words;
  return program === 'popd' || to === undefined || more.length > 0 ? null : below(from, to);
}

/** A folder as seen from another; null where either is not known. */
function below(from: string | null, { value, literal }: Said): string | null {
  if (!literal || value === '' || value === '-' || /^[~+]/.test(value)) return null;
  if (value.startsWith('/')) return tidy(value);
  return from === null ? null : tidy(from === '' ? value : `${from}/${value}`);
}

/** Without `.`, doubled slashes and what `..` takes back; nothing for the folder itself. */
function tidy(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
}

/** Options by which a program works in another folder, their value joined to them or behind them. */
const options: Readonly<Record<string, RegExp>> = {
  git: /^-C$/,
  make: /^(?:-C|--directory)(?:=|$)/,
  gmake: /^(?:-C|--directory)(?:=|$)/,
  ninja: /^-C$/,
  meson: /^-C$/,
  npm: /^(?:--prefix|-C)(?:=|$)/,
  pnpm: /^(?:-C|--dir)(?:=|$)/,
  yarn: /^--cwd(?:=|$)/,
  cargo: /^-C$/,
  go: /^-C$/,
  uv: /^--(?:directory|project)(?:=|$)/,
  poetry: /^(?:-C|--directory)(?:=|$)/,
  terraform: /^-chdir=/,
  tofu: /^-chdir=/,
  gradle: /^(?:-p|--project-dir)(?:=|$)/,
  env: /^(?:-C|--chdir)(?:=|$)/,
};

/** Where a program works that was started in `from`, by its own words. */
export function worksIn(from: string | null, program: string, args: readonly Said[]): string | null {
  const option = Object.hasOwn(options, program) ? options[program]! : undefined;
  if (option === undefined) return from;
  let folder = from;
  for (const [at, { value, literal }] of args.entries()) {
    if (value === '--') break;
    const found = option.exec(value);
    if (found === null) continue;
    const joint = found[0].endsWith('=');
    const said = joint ? { value: value.slice(found[0].length), literal } : args[at + 1];
    folder = said === undefined ? null : below(folder, said);
  }
  return folder;
}
