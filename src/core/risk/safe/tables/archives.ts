import { programs, verbs } from '../table.ts';

/** A name before the first colon would be a machine. */
const here = /^(?![^/]*:)/;

// In most of these a later `-d` undoes an earlier `-t` or `-l`: so they never stand on one line.

/** What packs and unpacks, where it only lists, tests or prints. */
export const archiveRows = [
  ...programs(
    `
    gzip ; !-clt !--stdout !--to-stdout !--list !--test -dfkNnqv# --decompress --fast --best --keep --name --no-name
      --quiet --uncompress --verbose --help --version ; files
    gunzip ; !-clt !--stdout !--to-stdout !--list !--test -fkNnqv --keep --name --no-name --quiet --verbose --help
      --version ; files
    bzip2 ; !-c !--stdout -dkqsvz# --decompress --compress --keep --quiet --small --verbose --fast --best ; files
    bunzip2 ; !-c !--stdout -kqsv --keep --quiet --small --verbose ; files
    xz lzma ; !-c !--stdout !--to-stdout -dkqv# --decompress --keep --quiet --verbose ; files
    unxz unlzma ; !-c !--stdout !--to-stdout -kqv --keep --quiet --verbose ; files
    zstd unzstd ; !-c !--stdout -dkqv# --decompress --keep --quiet --verbose --no-progress ; files
    bzip2 bunzip2 ; !-t !--test -kqsv --keep --quiet --small --verbose ; files
    xz unxz lzma unlzma zstd unzstd ; !-lt !--list !--test -kqv --keep --quiet --robot --verbose ; files
    unzip ; !-lvtpzZ -qC12shm ; files 1+
    zipinfo ; -12slmvhMtTzZ ; files 1+
    tar gtar bsdtar ; !-t !--list -vzjJf --file=here --verbose --gzip --gunzip --bzip2 --xz --zstd --auto-compress
      --numeric-owner --wildcards --full-time ; here
  `,
    { kinds: { here } },
  ),
  // The old way, without a dash: the letters first, then what they take.
  ...verbs(
    'tar gtar bsdtar',
    '',
    `
    tf|tvf|tfv|tzf|tvzf|tzvf|ztf|ztvf|tjf|tvjf|tjvf|jtf|jtvf|tJf|tvJf|tJvf|Jtf|Jtvf|vtf ; -vzjJ --verbose ; here 1+
  `,
    { kinds: { here } },
  ),
  ...programs('7z 7za 7zz 7zr ; ;'),
  ...verbs(
    '7z 7za 7zz 7zr',
    '',
    `
    l, t ; -slt -ba -r -scrcSHA256 -scrcSHA1 -scrcCRC32 -scrcCRC64 ; shown 1+
    h ; -scrcSHA256 -scrcSHA1 -scrcCRC32 -scrcCRC64 ; shown
    b ; -mmt=num
    i ;
  `,
    { single: true },
  ),
];
