/**
 * What bash is started with in place of the script.
 *
 *   started ──▶ waits at the gate (fd 3) ──script and NUL──▶ runs it ──▶ reports (fd 4) ──▶ exits as the script did
 *                      └──end of file: the driver is gone, or gave it up──▶ exit 125, nothing has run
 *
 * The script comes through the gate and counts only with the NUL behind it, so a driver that dies half-way
 * through a long script has started nothing. TMOUT=0: an exported TMOUT would close the gate by itself.
 *
 * The report is made by an EXIT trap, by builtins alone: no fork, so it costs next to nothing. It must hold
 * whatever the script did to its shell:
 * - functions named like builtins: only POSIX mode finds a special builtin before a function, and assigning
 *   POSIXLY_CORRECT enters it without calling anything; so `unset -f builtin` is really unset, and `builtin`
 *   reaches the rest. A script that was in POSIX mode by itself stays there.
 * - `set -e`, ERR traps: a failing command before `||` sets off neither. `set -x`: the trace goes to /dev/null.
 * - redirections of fds 3 and 4: the gate is closed before the script runs, and the report has moved to 47,
 *   which nobody uses by habit.
 * - its own EXIT trap in the place of ours: a script that runs to its end reports there, before that trap. The
 *   status is handed on by `exit`, which unlike `return` is no new failure to `set -e` and ERR traps.
 *
 * All is on one line: the script's line numbers count from the line of its `eval`.
 */
const wrapper = (more: string): string =>
  [
    'exec 47>&4 4>&-',
    '__planwright_defined() { ((1)); }',
    [
      '__planwright_report() {',
      'if [[ ${POSIXLY_CORRECT+set} ]]; then unset -f builtin;',
      'else POSIXLY_CORRECT=1; unset -f builtin; builtin unset POSIXLY_CORRECT; fi;',
      `{ builtin declare -px; builtin printf '\\0'; builtin pwd; builtin printf '\\0';`,
      `builtin printf '%s\\0' "\${__planwright_at-}";`,
      `__planwright_defined 2>/dev/null; builtin printf '\\0';${more} } >&47;`,
      '}',
    ].join(' '),
    [
      '__planwright_end() {',
      '__planwright_status=$1; [[ ${__planwright_at+set} ]] && __planwright_status=${__planwright_at%% *};',
      '__planwright_report || ((1));',
      '__planwright_reported=1; builtin set +x;',
      '}',
    ].join(' '),
    "IFS= TMOUT=0 builtin read -r -d '' -u 3 __planwright_script || exit 125",
    'exec 3<&-',
    "trap '{ [[ ${__planwright_reported+set} ]] || __planwright_report || ((1)); } 2>/dev/null' EXIT",
    'eval "$__planwright_script"',
    '{ __planwright_end "$?"; } 2>/dev/null',
    'builtin exit "$__planwright_status"',
  ].join('; ');

export const WRAPPER = wrapper('');

/**
 * In a sandbox it also reports what was refused in silence: the counters of its own network, and what lies in the
 * folders that are private to it and gone with it.
 */
export const INSIDE_WRAPPER = wrapper(
  [
    " IFS= builtin read -r -d '' __planwright_net </proc/net/snmp;",
    'builtin printf \'%s\\0\' "$__planwright_net";',
    "builtin printf '%s\\n' /tmp/* /var/tmp/*; builtin printf '\\0';",
  ].join(' '),
);

/** The same for a service, which reports nothing: its output goes to its log, and nobody may be there to listen. */
export const SERVICE_WRAPPER = [
  "IFS= TMOUT=0 builtin read -r -d '' -u 3 __planwright_script || exit 125",
  'exec 3<&-',
  'eval "$__planwright_script"',
].join('; ');

/**
 * The script, so that it also reports which of its commands was begun last, with its status. At its end only `for` sees
 * that without becoming it; where `set -e` ends it before, an ERR trap does. For scripts that are whole, set no traps and
 * hold no here-document: nothing of them may run into what is put behind.
 */
export const tellingTheWay = (script: string): string =>
  [
    `trap '{ [[ $- != *e* ]] || __planwright_at="$? $BASH_COMMAND"; } 2>/dev/null' ERR; `,
    script,
    '\n\nfor __planwright_at in "$? $BASH_COMMAND"; do break; done 2>/dev/null',
  ].join('');

/** The script, so that it also reports those of these variables that it leaves without having exported them. */
export const tellingNames = (script: string, names: readonly string[]): string =>
  names.length === 0
    ? script
    : `__planwright_defined() { builtin declare -p ${names.join(' ')}; }; ${script}`;

/** The script with definitions before it, so that its lines keep their numbers. */
export const withDefinitions = (script: string, definitions: string): string =>
  definitions === '' ? script : `eval ${onOneLine(definitions)}; ${script}`;

const onOneLine = (text: string): string =>
  `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;

/** What goes through the gate. Null where bash could not take it: a script cannot hold a NUL. */
export const throughTheGate = (script: string): Buffer | null =>
  script.includes('\0') ? null : Buffer.from(`${script}\0`);
