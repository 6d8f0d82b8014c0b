import { operands, optionValues } from '../args.ts';
import { isKeyFolder, isSecret } from '../secret-paths.ts';
import type { Arg, SimpleCommand, Where } from '../types.ts';

/** Programs that send what they read to another machine. */
export const senders = new Set(
  'curl wget http https xh nc ncat netcat socat ssh scp sftp rsync telnet ftp lftp rclone aws gsutil azcopy s3cmd mail mailx sendmail mutt openssl croc magic-wormhole wormhole transfer ngrok gh dig nslookup ping tftp smbclient mosquitto_pub mqtt nats kcat kafkacat swaks msmtp telegram-send slack-cli pastebinit wgetpaste gist ipfs ffsend wscat websocat grpcurl'.split(
    ' ',
  ),
);

export const uploadOptions = [
  '-d',
  '--data',
  '--data-binary',
  '--data-raw',
  '--data-urlencode',
  '--json',
  '-F',
  '--form',
  '-T',
  '--upload-file',
  '--post-file',
  '--body-file',
  '--post-data',
  '--body-data',
];

/** The file that a curl or wget option sends: `@file`, `name=@file`, `name=<file`. */
function uploaded(command: SimpleCommand): Arg[] {
  return optionValues(command, ...uploadOptions).flatMap((arg) => {
    const file = /(?:^|=)[@<]([^;,]+)/.exec(arg.value)?.[1] ?? arg.value;
    return [{ ...arg, value: file }];
  });
}

export function sent(command: SimpleCommand): Arg[] {
  if (/^(?:curl|wget)$/.test(command.name)) return uploaded(command);
  if (/^(?:http|https|xh)$/.test(command.name))
    return command.args.map((arg) => ({ ...arg, value: arg.value.replace(/^[\w-]*[:=]?@/, '') }));
  if (/^(?:sftp|ftp|lftp|tftp|smbclient)$/.test(command.name)) {
    const texts = [
      ...command.args.map((arg) => arg.value),
      command.stdin.kind === 'text' ? command.stdin.text : '',
    ];
    return texts.flatMap((text) =>
      [...text.matchAll(/\b(?:m?put|reput|mirror\s+-R)\s+(\S+)/g)].map((found) => ({
        value: found[1] ?? '',
        literal: true,
        glob: false,
        span: command.span,
        text: '',
      })),
    );
  }
  if (/^(?:scp|rsync)$/.test(command.name)) {
    const all = operands(command, '-i -P -F -o -e -S -c -l -J --rsh --exclude --include --files-from');
    return /^[^/]*:/.test(all.at(-1)?.value ?? '') ? all.slice(0, -1) : [];
  }
  if (command.name === 'socat')
    return command.args.map((arg) => ({
      ...arg,
      value: arg.value.replace(/^(?:OPEN|FILE|GOPEN|EXEC|SYSTEM):["']?(?:cat )?|["'].*$/gi, ''),
    }));
  if (
    command.name === 'tar' &&
    command.args.some(
      (arg) =>
        /^(?:--file=)?[\w.@-]+:\//.test(arg.value) || /^\/(?:dev|proc\/self)\/fd\/[3-9]/.test(arg.value),
    )
  )
    return operands(command, '-f -C');
  if (command.name === 'gh')
    return /^(?:gist|release|issue|pr|api|secret)$/.test(command.args[0]?.value ?? '')
      ? command.args.slice(1)
      : [];
  if (command.name === 'aws') return command.args[0]?.value === 's3' ? command.args.slice(2, 3) : [];
  return operands(command);
}

export const sensitive = (arg: Arg, where: Where): boolean =>
  isSecret(arg.value, where) || isKeyFolder(arg.value);

/** Programs that read many files, or a secret store, and print them. */
export const gatherers =
  /^(?:tar|zip|7z|gzip|bzip2|xz|zstd|cpio|find|grep|egrep|rg|ag|ack|env|printenv|set|export|declare|pg_dump|pg_dumpall|mysqldump|mongodump|sqlite3|gpg|security|history|strings|dd|journalctl|xxd|openssl|keyctl|pass|vault|op|docker|podman|kubectl|aws|gcloud|az|ps|lsof|git|hg|svn|ldapsearch|redis-cli|psql|mysql|rsync|dump|cpio|ar)$/;
