import { behindOptions, optionAt, optionSet, optionValues } from './options.ts';
import { type Reader, type Started, starts, text, UNKNOWN, type Words } from './started.ts';

const xargsValued =
  '-a -d -E -I -J -R -L -n -P -s -S --arg-file --delimiter --max-args --max-procs --max-chars --process-slot-var';
const xargsPlain =
  /^(?:-[0rtx]+|-[adEILnPs]\S*|--(?:null|no-run-if-empty|verbose|exit|max-args|max-procs|max-lines|arg-file|delimiter|eof|replace)(?:=.*)?|--)$/;

const xargs: Reader = (words) => {
  const valued = optionSet(xargsValued);
  let at = 1;
  let hole = '';
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (!word.startsWith('-')) break;
    const given = /^-[0rtxpo]*([IJ])(.*)$/.exec(word);
    if (given) hole = given[2] || (words[at + 1] ?? '');
    else if (/^-i|^--replace/.test(word)) hole = word.replace(/^-i|^--replace=?/, '') || '{}';
    if (optionAt(word, valued) === 'valued') at++;
  }
  if (at >= words.length) return starts({});
  const clear = words.slice(1, at).every((word) => !word.startsWith('-') || xargsPlain.test(word));
  const how = hole === '' ? { open: true } : { hole };
  return starts({ started: [{ as: 'words', from: at, to: words.length, unfed: true, ...how }], clear });
};

const parallelValued =
  '-j -a -I -N -n -L -S --jobs --arg-file --joblog --results --colsep -C --delay --timeout --tmpdir --workdir --wd';

/** `parallel COMMAND ::: a b`; without a command, each input is one. */
const parallel: Reader = (words) => {
  const at = behindOptions(words, parallelValued);
  const colons = words.findIndex((word, index) => index >= at && /^:::+\+?$/.test(word));
  const to = colons === -1 ? words.length : colons;
  const inputs = colons === -1 ? [] : words.slice(colons + 1).map((_, index) => text(colons + 1 + index));
  const moved = words.slice(1, at).some((word) => /^--(?:wd|workdir)|^-S/.test(word));
  if (at >= to) return starts({ started: inputs, moved, reads: inputs.length === 0 });
  if (to - at === 1 && /\s/.test(words[at] ?? '')) {
    const filled = (words[at] ?? '').replaceAll('{}', UNKNOWN);
    return starts({ started: [{ ...text(at), text: filled }], moved });
  }
  const how = { open: true, unfed: true, hole: '{}', evaluated: true };
  const handed = colons === -1 ? {} : { handed: { from: colons + 1, to: words.length } };
  return starts({ started: [{ as: 'words', from: at, to, ...how, ...handed }], moved });
};

/** `-exec cmd {} ;` and its siblings, as often as they occur. */
const find: Reader = (words) => {
  const started: Started[] = [];
  let moved = false;
  for (let at = 1; at < words.length; at++) {
    const match = /^-(exec|execdir|ok|okdir)$/.exec(words[at] ?? '');
    if (!match) continue;
    let to = at + 1;
    while (to < words.length && words[to] !== ';' && !(words[to] === '+' && words[to - 1]?.includes('{}')))
      to++;
    moved ||= match[1]?.endsWith('dir') ?? false;
    // A path that find hands on starts with its starting point, so it is never an option.
    const filled = wholeRoot(words, at) ?? `./${UNKNOWN}`;
    if (to > at + 1) started.push({ as: 'words', from: at + 1, to, hole: '{}', filled });
    at = to;
  }
  return started.length > 0 ? starts({ started, moved }) : undefined;
};

/** The starting point, where nothing keeps it from being handed on itself. */
function wholeRoot(words: Words, exec: number): string | undefined {
  const root = words[1] ?? '';
  const narrowed = words
    .slice(2, exec)
    .some((word) => /^-(?:i?name|i?path|regex|newer|mtime|size|user)/.test(word));
  return /^[/~]/.test(root) && !narrowed ? root : undefined;
}

const fd: Reader = (words) => {
  const at = words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word));
  const how = { hole: '{}', filled: `./${UNKNOWN}`, open: true };
  if (at > 0 && at + 1 < words.length)
    return starts({ started: [{ as: 'words', from: at + 1, to: words.length, ...how }] });
  const [joint] = optionValues(words, ['--exec', '--exec-batch']);
  return joint && starts({ started: [text(joint.at, joint.at + 1, joint.skip)] });
};

/** Programs that run a command once for each of many things. */
export const many: Readonly<Record<string, Reader>> = {
  xargs,
  gxargs: xargs,
  xe: xargs,
  parallel,
  rush: parallel,
  find,
  gfind: find,
  fd,
  fdfind: fd,
};
