import { exactOption, gitVerb, operands, option } from '../args.ts';
import { isSecret, secretRead } from '../secret-paths.ts';
import type { Arg, CommandRule, SimpleCommand } from '../types.ts';

/** Programs that print, copy, search or change the content of the files they are given. */
const readers = new Set(
  'cat tac nl head tail less more most bat batcat view vi vim nvim nano emacs ed ex pico code strings xxd od hexdump hd base64 base32 uuencode cut awk gawk mawk nawk sed grep egrep fgrep rg ag ack zgrep sort uniq tr wc diff cmp comm paste join fold fmt column cp mv install ln rsync scp tar zip 7z gzip gpg openssl dd tee jq yq xargs python perl ruby node curl wget http pbcopy xclip xsel open bat tee split csplit rev shuf md5sum sha256sum sha1sum iconv pr expand gsutil rclone s3cmd restic borg zcat bzcat xzcat file-roller printf mapfile plutil security sqlite3 select dump'.split(
    ' ',
  ),
);

/** What is written, not read: the last operand of a copy. Making a secret is no reading of one. */
function destination(command: SimpleCommand): Arg | undefined {
  if (!/^(?:cp|mv|install|ln)$/.test(command.name)) return undefined;
  if (command.args.some((arg) => /^(?:-t|--target-directory)/.test(arg.value))) return undefined;
  const named = operands(command);
  return named.length > 1 ? named.at(-1) : undefined;
}

export const secretRules: readonly CommandRule[] = [
  {
    ...secretRead,
    match(command, where) {
      if (command.name === 'git') {
        const { verb, rest } = gitVerb(command);
        return /^(?:diff|grep|hash-object|blame|difftool)$/.test(verb)
          ? rest.find((arg) => !arg.value.startsWith('-') && isSecret(arg.value, where))
          : undefined;
      }
      if (!readers.has(command.name) && !/^python/.test(command.name)) return undefined;
      const searches =
        /^(?:[efz]?grep|rg|ag|ack|awk|gawk|mawk|nawk|sed|jq|yq|printf)$/.test(command.name) &&
        !command.args.some((arg) =>
          /^(?:-e|-f|--regexp|--file|--exclude-from|--include-from)/.test(arg.value),
        );
      let skipped = !searches;
      const made = destination(command);
      return command.args.find((arg, i) => {
        if (
          arg === made ||
          (command.name === 'openssl' && /^-(?:out|keyout)$/.test(command.args[i - 1]?.value ?? ''))
        )
          return false;
        if (/^(?:-o|--output|-i)$/.test(command.args[i - 1]?.value ?? '') && command.name !== 'curl')
          return false;
        if (!skipped && !arg.value.startsWith('-')) {
          skipped = true;
          return false;
        }
        return /^-/.test(arg.value) && !arg.value.includes('=')
          ? /^-[a-zA-Z]@?(?:~|\/).*/.test(arg.value) && isSecret(arg.value.slice(2), where)
          : isSecret(arg.value.replace(/^--?[\w-]+=/, '').replace(/^.*=@/, ''), where);
      });
    },
  },
  {
    id: 'secret-store',
    level: 'dangerous',
    sentence: 'Prints a secret out of a keychain or a secret store.',
    names: ['security', 'secret-tool', 'pass', 'keyctl', 'gpg', 'bw', 'lpass', 'op', 'git'],
    match: (command) =>
      (command.name === 'git'
        ? gitVerb(command).verb === 'credential' &&
          gitVerb(command).rest.find((arg) => /^(?:fill|get)$/.test(arg.value))
        : undefined) ||
      (command.name === 'op'
        ? operands(command).find((arg, i) => i < 2 && /^(?:read|inject)$/.test(arg.value))
        : undefined) ||
      (exactOption(command, '--export-secret-keys', '--export-secret-subkeys') ??
        (command.name === 'security' ? option(command, 'wg') : undefined) ??
        command.args.find(
          (arg, i) =>
            i === 0 &&
            command.name !== 'git' &&
            /^(?:dump-keychain|export|lookup|show|get|print|read|delete-.*|execute-with-privileges|authorizationdb)$/.test(
              arg.value,
            ),
        )),
  },
  {
    id: 'environment-dump',
    level: 'caution',
    sentence: 'Prints the environment, which usually holds secrets.',
    reversible: true,
    names: ['env', 'printenv', 'set', 'export', 'declare', 'typeset', 'compgen'],
    match: (command) =>
      operands(command).length === 0 && !(/^(?:set)$/.test(command.name) && command.args.length > 0),
  },
  {
    id: 'secret-variable',
    level: 'caution',
    sentence: 'Prints a variable whose name says that it is a secret.',
    reversible: true,
    names: ['echo', 'printf', 'printenv', 'cat', 'tee'],
    match: (command) =>
      command.args.find(
        (arg) =>
          /\$\{?\w*(?:TOKEN|SECRET|PASSW|API_?KEY|PRIVATE_KEY|CREDENTIAL|ACCESS_KEY)\w*/i.test(arg.text) ||
          (command.name === 'printenv' && /TOKEN|SECRET|PASSW|KEY|CREDENTIAL/i.test(arg.value)),
      ),
  },
];
