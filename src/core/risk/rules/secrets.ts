import { exactOption, gitVerb, joined, operands, option } from '../args.ts';
import { isSecret, secretRead } from '../secret-paths.ts';
import type { Arg, CommandRule, SimpleCommand } from '../types.ts';

/** Programs that print, copy, search or change the content of the files they are given. */
const readers = new Set(
  'cat tac nl head tail less more most bat batcat view vi vim nvim nano emacs ed ex pico code strings xxd od hexdump hd base64 base32 uuencode cut awk gawk mawk nawk sed grep egrep fgrep rg ag ack zgrep sort uniq tr wc diff cmp comm paste join fold fmt column cp mv install ln rsync scp tar zip 7z gzip gpg openssl dd tee jq yq xargs python perl ruby node curl wget http pbcopy xclip xsel open bat tee split csplit rev shuf md5sum sha256sum sha1sum iconv pr expand gsutil rclone s3cmd restic borg zcat bzcat xzcat zstdcat gzcat bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd gunzip look tsort factor unexpand unzip 7z 7za 7zz 7zr file-roller printf mapfile plutil security sqlite3 select dump git'.split(
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

/** What clouds, clusters and secret stores call the reading of a secret: `tool noun… verb`. */
const readings: Readonly<Record<string, RegExp>> = {
  op: /^(?:read|item get|document get|inject|run)\b/,
  aws: /(?:^| )(?:secretsmanager (?:batch-)?get-secret-value|ssm get-parameters?(?:-by-path)?\b.*--with-decryption|kms decrypt|configure export-credentials|sts (?:get-session-token|assume-role\S*)|iam create-access-key)|(?:^| )[a-z][\w-]* (?:get|generate|download)-(?!random)\S*(?:password\S*|token|credentials\S*|key-pair|access-details)(?: |$)|apigateway get-api-keys?\b.*--include-value|configure get \S*(?:secret|token|session)/,
  gcloud:
    /\b(?:secrets versions access|auth (?:application-default )?print-(?:access|identity|refresh)-token|config config-helper|iam service-accounts keys create|kms decrypt)\b/,
  az: /\b(?:keyvault secret (?:show|download)|keyvault key download|account get-access-token|\S+ (?:\S+ )?(?:keys list|list-keys|show-connection-string|list-connection-strings|list-publishing-\S+|generate-sas|appsettings list|credential (?:show|list))|ad sp create-for-rbac)\b/,
  vault: /^(?:read|kv get|token lookup|unwrap|print token)\b/,
  doppler: /^secrets(?: (?:get|download)|$)/,
  infisical: /^(?:secrets|export)\b/,
  chamber: /^(?:read|export|env)\b/,
  sops: /(?:^| )(?:-d|--decrypt|decrypt|exec-env|exec-file)\b/,
  heroku: /^(?:config(?::get)?|auth:token)\b/,
  gh: /^auth (?:token|status (?:.* )?(?:-\w*t|--show-t))|^config get (?:.* )?oauth_token/,
  npm: /^(?:(?:config|c) get|get) \S*(?:_auth|_password)/i,
  kind: /^get kubeconfig/,
  rclone: /^config (?:show|dump)/,
  restic: /(?:^| )cat (?:masterkey|key)/,
  git: /^credential(?:-\S+)? (?:fill|get)\b/,
};

/** A cluster shows what is in a secret where it is asked for the whole of it. */
function stored(command: SimpleCommand): Arg | true | undefined {
  const text = joined(command);
  if (/^(?:kubectl|k|oc)$/.test(command.name)) {
    const whole = /(?:^| )(?:-o|--output)[= ]?(?!name\b|wide\b)\w|--template|(?:^| )extract\b/.test(text);
    if (/(?:^| )create token\b|^config view.*--raw|--raw[= ]\S*\/secrets/.test(text)) return true;
    return whole ? command.args.find((arg) => /(?:^|,)secrets?(?:[/,.]|$)/i.test(arg.value)) : undefined;
  }
  return readings[command.name]?.test(text) || undefined;
}

export const secretRules: readonly CommandRule[] = [
  {
    ...secretRead,
    match(command, where) {
      if (command.name === 'git') {
        const { verb, rest } = gitVerb(command);
        const patch = rest.some(({ value }) => /^(?:-[a-z]*p|--patch|-L.*)$/.test(value));
        const shows =
          /^(?:diff|grep|hash-object|blame|difftool|show|cat-file|archive)$/.test(verb) ||
          (patch && /^(?:log|stash|whatchanged|reflog)$/.test(verb));
        // `HEAD:.env`, `-L1,5:.env`: the path is behind the colon.
        return shows
          ? rest.find(({ value }) =>
              /^-(?!L)/.test(value)
                ? false
                : isSecret(value, where) || isSecret(value.slice(value.indexOf(':') + 1), where),
            )
          : undefined;
      }
      // What is found is handed on, so its name is what is known of it.
      if (/^g?find$/.test(command.name))
        return command.args.some((arg) => /^-(?:exec|ok)/.test(arg.value))
          ? command.args.find(
              (arg, i) =>
                /^-i?(?:name|path|wholename)$/.test(command.args[i - 1]?.value ?? '') &&
                isSecret(arg.value, where),
            )
          : undefined;
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
          skipped = !(command.name === 'yq' && /^e(?:val)?(?:-?a(?:ll)?)?$/.test(arg.value));
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
    names:
      'security secret-tool pass gopass keyctl gpg bw lpass op git kubectl k oc aws gcloud az vault doppler infisical chamber sops heroku gh npm kind rclone restic'.split(
        ' ',
      ),
    match: (command) =>
      stored(command) ??
      exactOption(command, '--export-secret-keys', '--export-secret-subkeys') ??
      (command.name === 'security' ? option(command, 'wg') : undefined) ??
      command.args.find(
        (arg, i) =>
          i === 0 &&
          /^(?:security|secret-tool|g?o?pass|keyctl|gpg|bw|lpass)$/.test(command.name) &&
          /^(?:dump-keychain|export|lookup|show|get|print|read|delete-.*|execute-with-privileges|authorizationdb)$/.test(
            arg.value,
          ),
      ),
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
