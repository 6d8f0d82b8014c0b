import type { Simple } from '../../../core/shell/index.ts';
import { insertAfter, swapWords } from '../command/edit.ts';
import { type MendingRule, onCommand, operands, type SeenFailure } from './rule.ts';

const tars = /\.(?:tar|tgz|tbz2?|txz|tzst)(?:\.\w+)?$/i;

/** Where the archive is unpacked to, by the option that the program has for it. */
function into(simple: Simple, option: string): { folder: string | null; isPlain: boolean } {
  const at = simple.args.findIndex(({ value }) => value === option);
  const folder = at < 0 ? null : (simple.args[at + 1]?.text ?? null);
  return { folder, isPlain: at < 0 || folder !== null };
}

const instead = (seen: SeenFailure, simple: Simple, words: string): string =>
  seen.command.slice(0, simple.name.pos) + words + seen.command.slice(simple.args.at(-1)!.end);

/** Each unpacks what the other cannot: the name of the archive says whose it is, and the program that it is not its own. */
export const unzipOfTar: MendingRule = onCommand({
  id: 'archive-is-tar',
  about: 'unzip was given an archive of tar.',
  programs: ['unzip'],
  says: /End-of-central-directory signature not found|not a zipfile/,
  async propose(seen, simple) {
    const { folder, isPlain } = into(simple, '-d');
    const [file, ...others] = operands(simple).filter(({ text }) => text !== folder);
    const known = simple.args.every(
      ({ value }) => !value.startsWith('-') || /^-(?:d|o|q|qo|oq)$/.test(value),
    );
    if (file === undefined || others.length > 0 || !isPlain || !known || !tars.test(file.value)) return null;
    if (typeof (await seen.probe.which('tar')) !== 'string') return null;
    return {
      modify: instead(seen, simple, `tar -xf ${file.text}${folder === null ? '' : ` -C ${folder}`}`),
      reasoning: `\`${file.value}\` is an archive of tar, not of zip.`,
      confidence: 0.9,
    };
  },
});

export const tarOfZip: MendingRule = onCommand({
  id: 'archive-is-zip',
  about: 'tar was given an archive of zip.',
  programs: ['tar'],
  says: /does not look like a tar archive|not in gzip format|more than one entry|is not a bzip2 file|File format not recognized/,
  async propose(seen, simple) {
    const [bundle] = simple.args;
    const { folder, isPlain } = into(simple, '-C');
    const flags = simple.args.slice(1).filter(({ value }) => value.startsWith('-') && value !== '-C');
    const [file, ...others] = operands(simple).filter((word) => word !== bundle && word.text !== folder);
    const extracts = /^-?(?=[a-zA-Z]*x)[xvzjJk]*f$/.test(bundle?.value ?? '');
    if (!extracts || !isPlain || flags.length > 0 || others.length > 0) return null;
    if (file === undefined || !/\.zip$/i.test(file.value)) return null;
    if (typeof (await seen.probe.which('unzip')) !== 'string') return null;
    return {
      modify: instead(seen, simple, `unzip ${file.text}${folder === null ? '' : ` -d ${folder}`}`),
      reasoning: `\`${file.value}\` is an archive of zip, not of tar.`,
      confidence: 0.9,
    };
  },
});

export const tarOrder: MendingRule = onCommand({
  id: 'tar-order',
  about: 'The archive and what goes into it were given to tar the other way round.',
  programs: ['tar'],
  says: /tar(?: \(child\))?: ([^\n:]+): Cannot open: Is a directory/,
  async propose({ tree, probe }, simple, [, named]) {
    const [bundle, folder, archive, ...others] = simple.args;
    if (!/^-?[a-zA-Z]*c[a-zA-Z]*f$/.test(bundle?.value ?? '') || others.length > 0) return null;
    if (
      folder === undefined ||
      archive === undefined ||
      folder.value.replace(/\/+$/, '') !== named ||
      !tars.test(archive.value)
    )
      return null;
    if ((await probe.kind(folder.value)) !== 'dir' || (await probe.kind(archive.value)) !== 'absent')
      return null;
    return {
      modify: swapWords(tree, folder, archive),
      reasoning: `\`${named}\` is a folder and \`${archive.value}\` is not there: tar takes the archive first.`,
      confidence: 0.9,
    };
  },
});

export const gzipEnding: MendingRule = onCommand({
  id: 'gzip-ending',
  about: 'gzip does not know the ending of a file; -S names it.',
  programs: ['gzip', 'gunzip'],
  says: /(?:gzip|gunzip): ([^\n:]+): unknown suffix -- ignored/,
  unless: /^-\w*[Sct]|^--(?:suffix|stdout|to-stdout|test)/,
  propose({ tree }, simple, [, file]) {
    const ending = /\.(?:gzip|GZ|Gz|gz\.\w+)$/.exec(file!)?.[0];
    if (ending === undefined || operands(simple).length !== 1) return null;
    return {
      modify: insertAfter(tree, simple.name, `-S ${ending}`),
      reasoning: `gzip knows its own endings only; \`${ending}\` is named with -S.`,
      confidence: 0.85,
    };
  },
});
