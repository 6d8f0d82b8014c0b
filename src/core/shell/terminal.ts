/*
 * Programs that take their orders from whoever sits at the terminal. Most of them run a command that is typed into them, too:
 * `:!ls` in an editor, `!ls` in a pager.
 */

export const editors: ReadonlySet<string> = new Set(
  'vim vi nvim nano pico emacs ed joe micro vimtutor visudo vipw'.split(' '),
);
export const pagers: ReadonlySet<string> = new Set(['less', 'more', 'most', 'man']);
const screens: ReadonlySet<string> = new Set(
  'top htop btop atop iotop mc screen byobu k9s lazygit tig ncdu watch'.split(' '),
);

/** Interpreters that talk to a person when they get nothing to run. */
const repls =
  /^(?:python[\d.]*|pypy3?|ipython3?|node|deno|bun|irb|ghci|scala|R|julia|lua[\d.]*|bash|sh|dash|zsh|fish|ksh|psql|mysql|mariadb|sqlite3|mongosh|redis-cli|bc|gdb|clj|iex|erl|ocaml)$/;

const has = (args: readonly string[], pattern: RegExp) => args.some((arg) => pattern.test(arg));
const operands = (args: readonly string[]) => args.filter((arg) => !arg.startsWith('-'));

/** Interpreters of files need an operand; database shells take one and still talk, unless they get a command. */
export function isRepl(name: string, args: readonly string[]): boolean {
  if (!repls.test(name)) return false;
  if (/^(?:psql|mysql|mariadb|mongosh)$/.test(name)) {
    return !has(args, /^-[a-z]*[cefl]|^--(?:command|execute|eval|file|list|version)/);
  }
  if (name === 'sqlite3') return operands(args).length < 2 && !has(args, /^-(?:version|init|cmd)$/);
  if (name === 'redis-cli') return operands(args).length === 0;
  // A debugger reads what it debugs, and then waits.
  if (name === 'gdb') return !has(args, /^--?(?:batch|version|help)/);
  return operands(args).length === 0 && !has(args, /^-[a-zA-Z]*[cemsvVhp]|^--/);
}

export const takesScreen = (name: string, args: readonly string[]): boolean =>
  screens.has(name) && !(name === 'top' && has(args, /^-[a-z]*b/));

/** Runs what is typed into it. `fed`: its standard input is something else than what is typed. */
export function takesOrders(name: string, args: readonly string[], fed: boolean): boolean {
  if (has(args, /^--(?:version|help)$/)) return false;
  if (pagers.has(name) || takesScreen(name, args)) return true;
  return !fed && (editors.has(name) || isRepl(name, args));
}
