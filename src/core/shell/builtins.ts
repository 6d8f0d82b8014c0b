/** What bash runs itself, without looking for a program. */
const builtins: ReadonlySet<string> = new Set(
  `. : [ alias bg bind break builtin caller case cd command compgen complete compopt continue coproc declare dirs disown do done
  echo elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill let local
  logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times
  trap true type typeset ulimit umask unalias unset until wait while`.split(/\s+/),
);

export const isBuiltin = (name: string): boolean => builtins.has(name);

const always = /^/;

/**
 * Built-ins that read words as names of variables or as numbers, so that an array index in them runs what it holds, even
 * out of single quotes. Each with the option that makes it so.
 */
const evaluating: Readonly<Record<string, RegExp>> = {
  let: always,
  unset: always,
  read: always,
  mapfile: always,
  readarray: always,
  getopts: always,
  compgen: /^-[A-Za-z]*[WCF]/,
  declare: /^[-+][A-Za-z]*[in]/,
  typeset: /^[-+][A-Za-z]*[in]/,
  local: /^[-+][A-Za-z]*[in]/,
  readonly: /^[-+][A-Za-z]*[in]/,
  export: /^[-+][A-Za-z]*[in]/,
  printf: /^-v/,
  test: /^-[vR]$/,
  '[': /^-[vR]$/,
  wait: /^-[A-Za-z]*p/,
};

/** Whether a built-in evaluates its words, with these options before them or with any. */
export function evaluatesWords(name: string, options?: readonly string[]): boolean {
  const option = Object.hasOwn(evaluating, name) ? evaluating[name] : undefined;
  if (option === undefined || option === always) return option === always;
  return options === undefined || options.some((word) => option.test(word));
}
