import { readCommand, type Simple } from '../../../core/shell/index.ts';
import { dropWord, replaceWords } from '../command/edit.ts';
import { missingProgram } from './missing-program.ts';
import { type MendingRule, onCommand, operands, type SeenFailure } from './rule.ts';

/** Commands as they are written for another machine: one with sudo, a BSD, or with programs that are not here. */

export const sudoForRoot: MendingRule = {
  id: 'sudo-absent',
  about: 'There is no sudo here, and none is needed: the run is root already.',
  async propose(seen) {
    if (!/(?:^|: )sudo: (?:command )?not found/m.test(seen.output)) return null;
    if ((await seen.probe.isRoot()) !== true) return null;
    const found = seen.tree.simples.flatMap((simple) => {
      const before = seen.command.slice(simple.pos, simple.name.pos);
      // As another user than root is something else.
      const word =
        /(?<![\w./-])sudo\s+(?:-[EHnS]+\s+|--(?:non-interactive|preserve-env|set-home)\s+|--\s+)*/.exec(
          before,
        );
      const rest = word === null ? '' : before.slice(word.index + word[0].length);
      return word === null || rest.startsWith('-')
        ? []
        : [{ pos: simple.pos + word.index, length: word[0].length }];
    });
    if (found.length === 0) return null;
    const modify = found.reduceRight(
      (text, { pos, length }) => text.slice(0, pos) + text.slice(pos + length),
      seen.command,
    );
    return {
      modify,
      reasoning: 'There is no sudo here; the run is root already, which sudo would make it.',
      confidence: 0.93,
    };
  },
};

export const bsdInPlace = onCommand({
  id: 'sed-bsd',
  about: "sed of a BSD takes an empty ending behind -i as a word of its own: sed -i ''. This one takes none.",
  programs: ['sed', 'gsed'],
  says: /can't read|No such file or directory|unknown command|no input files/,
  propose({ tree }, { args }) {
    const at = args.findIndex(({ value }) => /^-[Enrsz]*i$/.test(value));
    const empty = args[at + 1];
    if (at < 0 || empty === undefined || empty.value !== '' || !empty.literal) return null;
    return {
      modify: dropWord(tree, empty),
      reasoning: "This sed takes the ending of its copies behind -i without a space; '' is a file to it.",
      confidence: 0.94,
    };
  },
});

export const bsdDecode = onCommand({
  id: 'base64-bsd',
  about: 'base64 of a BSD decodes with -D, this one with -d.',
  programs: ['base64'],
  says: /invalid option -- '?D|unrecognized option/,
  propose({ tree }, { args }) {
    const word = args.find(({ value }) => value === '-D');
    if (word === undefined) return null;
    return {
      modify: replaceWords(tree, [[word, '-d']]),
      reasoning: '`base64 -D` is of a BSD; here it is `-d`.',
      confidence: 0.9,
    };
  },
});

export const standIn: MendingRule = {
  id: 'stand-in',
  about:
    'A program is not here, and another does exactly this with it: cp a local copy of rsync, curl a download of wget.',
  async propose(seen) {
    const simple = missingProgram(seen);
    if (simple === null || !simple.args.every(({ literal }) => literal)) return null;
    const words = await standInFor(simple, seen);
    const other = words === null ? '' : readCommand(words).simples.at(-1)!.program;
    if (words === null || typeof (await seen.probe.which(other)) !== 'string') return null;
    return {
      modify: seen.command.slice(0, simple.name.pos) + words + seen.command.slice(simple.args.at(-1)!.end),
      reasoning: `\`${simple.program}\` is not here; \`${other}\` does the same with these words.`,
      confidence: 0.88,
    };
  },
};

async function standInFor(simple: Simple, seen: SeenFailure): Promise<string | null> {
  const flags = simple.args.filter(({ value }) => value.startsWith('-')).map(({ value }) => value);
  const plain = operands(simple);
  switch (simple.program) {
    case 'rsync': {
      // Nothing is left out, deleted or fetched: a copy with all that belongs to it. Into what is there already cp
      // would put a folder, where rsync puts what is in it only if a slash says so.
      const [from, to] = plain;
      if (
        plain.length !== 2 ||
        !flags.every((flag) => /^-[avhPz]+$|^--(?:archive|verbose|progress)$/.test(flag))
      )
        return null;
      if (
        !flags.some((flag) => /^-\w*a|^--archive$/.test(flag)) ||
        plain.some(({ value }) => /:/.test(value))
      )
        return null;
      if ((await seen.probe.kind(from!.value)) !== 'dir') return null;
      const inside = from!.value.endsWith('/') ? '.' : '';
      return `mkdir -p ${to!.text} && cp -a ${from!.text}${inside} ${to!.text}`;
    }
    case 'wget': {
      const [address] = plain.filter(({ value }) => /^https?:\/\//.test(value));
      const at = simple.args.findIndex(({ value }) => /^-[qnv]*O$/.test(value));
      const file = simple.args[at + 1];
      const others = flags.filter((flag) => !/^-[qnv]*O$|^-q$|^-nv$|^--quiet$/.test(flag));
      if (address === undefined || others.length > 0 || (at >= 0 && file === undefined)) return null;
      if (plain.length !== (at >= 0 ? 2 : 1)) return null;
      if (at < 0 && !/\/[^/?#]+$/.test(address.value.replace(/^https?:\/\//, ''))) return null;
      return at >= 0 ? `curl -fsSL -o ${file!.text} ${address.text}` : `curl -fsSL -O ${address.text}`;
    }
    case 'curl': {
      const [address] = plain.filter(({ value }) => /^https?:\/\//.test(value));
      const at = simple.args.findIndex(({ value }) => /^-[fsSL]*o$|^--output$/.test(value));
      const file = simple.args[at + 1];
      const others = flags.filter(
        (flag) => !/^-[fsSL]*[oO]?$|^--(?:output|fail|silent|show-error|location)$/.test(flag),
      );
      const keeps = flags.some((flag) => /^-\w*O$/.test(flag));
      if (address === undefined || others.length > 0 || seen.tree.simples.length > 1) return null;
      if (at >= 0)
        return file === undefined || plain.length !== 2 ? null : `wget -q -O ${file.text} ${address.text}`;
      return plain.length !== 1 ? null : keeps ? `wget -q ${address.text}` : `wget -q -O - ${address.text}`;
    }
    case '7z':
    case '7za':
    case '7zr': {
      const [verb, file, ...others] = plain;
      const isPlain = flags.length === 0 && others.length === 0 && /\.zip$/i.test(file?.value ?? '');
      return verb?.value === 'x' && isPlain ? `unzip ${file!.text}` : null;
    }
    case 'unzip':
      return flags.length === 0 && plain.length === 1 ? `python3 -m zipfile -e ${plain[0]!.text} .` : null;
    case 'zip': {
      const [file, folder, ...others] = plain;
      const isPlain =
        others.length === 0 && flags.every((flag) => /^-[rq]+$/.test(flag)) && folder !== undefined;
      // Into one that is there zip would put more.
      if (!isPlain || (await seen.probe.kind(file!.value)) !== 'absent') return null;
      return `python3 -m zipfile -c ${file!.text} ${folder.text}`;
    }
    case 'shasum': {
      const at = simple.args.findIndex(({ value }) => value === '-a');
      const bits = simple.args[at + 1]?.value ?? '';
      if (at < 0 || !/^(?:1|224|256|384|512)$/.test(bits)) return null;
      const rest = simple.args.filter((_, index) => index !== at && index !== at + 1);
      return [`sha${bits}sum`, ...rest.map(({ text }) => text)].join(' ');
    }
    case 'dos2unix':
      return flags.length === 0 && plain.length > 0
        ? `sed -i 's/\\r$//' ${plain.map(({ text }) => text).join(' ')}`
        : null;
    default:
      return null;
  }
}
