/** Seeded random shell text: ordinary commands, bent in the ways that have fooled parsers before. */

export type Random = (below: number) => number;

/** A small generator (mulberry32): the same seed gives the same mutants everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const harmless = [
  'ls',
  'ls -la',
  'ls x',
  'cat a.txt',
  'echo hi',
  'grep -n x a.txt',
  'head -3 a.txt',
  'wc -l a.txt',
  'sort a.txt',
  'find . -name x',
  'pwd',
  'true',
  'stat x',
  'cut -c1 a.txt',
  "sed -n '1p' a.txt",
  "awk '{print $1}' a.txt",
  'basename /a/b',
  'du -s .',
  'ls | wc -l',
  'cat a.txt | sort | uniq',
  'ls && pwd',
  'ls; pwd',
  'ls || true',
  'echo "a b"',
  "echo 'c d'",
  'if true; then ls; fi',
  'for i in 1 2; do echo $i; done',
  'case a in a) ls;; esac',
  '{ ls; }',
  'ls 2>/dev/null',
  'ls >/dev/null 2>&1',
  'cat <<E\nhi\nE',
  'cat <<< hi',
  'test -f x && ls',
  '[ -f x ] && ls',
  'uname -a',
  'date',
  'xargs ls',
  'find . -exec ls {} +',
];
const harmful = ['rm -rf x', 'rm x', 'touch y', 'mv a.txt b', 'dd if=a of=b', 'git reset --hard', 'make'];

const pieces: readonly ((random: Random) => string)[] = [
  () => '$(rm -rf x)',
  () => '`rm -rf x`',
  () => '"$(rm -rf x)"',
  () => '<(rm -rf x)',
  () => '>(rm -rf x)',
  () => ';rm -rf x',
  () => '\nrm -rf x\n',
  () => '&rm -rf x',
  () => '|rm -rf x',
  () => '&&rm -rf x',
  () => '||rm -rf x',
  () => '${y:-$(rm -rf x)}',
  () => '${y/$(rm x)/}',
  () => '$((`rm x`))',
  () => '$[$(rm x)]',
  () => '((a[$(rm x)]))',
  () => "$'\\162m'",
  () => 'r\\m x',
  () => "r''m x",
  () => '{rm,x}',
  () => '\\',
  () => '\\\n',
  () => "'",
  () => '"',
  () => '`',
  () => '$(',
  () => ')',
  () => '(',
  () => '{',
  () => '}',
  () => '[[',
  () => ']]',
  () => '((',
  () => '))',
  () => '#',
  () => ' # ',
  () => '!',
  () => '>&-',
  () => '>&-rm x',
  () => '2>&1',
  () => '<&3',
  () => '>&',
  () => '&>',
  () => '<>',
  () => '>|y',
  () => '<<E\n',
  () => '<<-E\n',
  () => "<<'E'\n",
  () => '\nE\n',
  () => '<<<',
  () => 'a=',
  () => 'a=(',
  () => 'a=($(rm x))y',
  () => 'a+=b',
  () => 'a[0]=$(rm x)',
  () => 'PATH=.',
  () => 'if ',
  () => 'then ',
  () => 'fi',
  () => 'do ',
  () => 'done',
  () => 'esac',
  () => ';;',
  () => ';&',
  () => 'case x in x) ',
  () => 'function f ',
  () => 'f() { rm x; }; f',
  () => 'coproc ',
  () => 'time ',
  () => 'time -p rm x',
  () => 'eval ',
  () => 'exec ',
  () => 'command ',
  () => 'builtin ',
  () => 'eval rm x',
  () => "eval 'rm x'",
  () => 'trap "rm x" EXIT',
  () => '. ./s',
  () => 'alias ls=rm;',
  () => '$IFS',
  () => '${IFS}',
  () => '$x',
  () => '$@',
  () => '~',
  () => '*',
  () => '?',
  () => '[a-z]',
  () => '@(rm|x)',
  () => '!(x)',
  () => '\t',
  () => ' ',
  () => '  ',
  () => '\r',
  () => '\u00a0',
  () => '|&',
  () => '&',
  () => ';',
  () => '\n',
  () => '=',
  () => '$',
  () => '%',
  () => '^',
  () => '-',
  () => '--',
  () => '-exec rm {} ;',
  () => '-exec rm {} \\;',
  () => '-delete',
  () => '$"x"',
  () => '$(( 1 ))',
  () => '<(',
  () => '${',
  () => '${x',
  () => '${!x}',
  () => '${x@P}',
  () => '"${x',
  () => "$'",
  () => '\\"',
  () => "\\'",
  () => '"\'"',
  () => "'\"'",
  () => '$(cat <<E\nrm x\nE\n)',
  () => '$(case a in a) rm x;; esac)',
  () => '`echo \\`rm x\\``',
  () => '{ rm x; }',
  () => '(rm x)',
  () => '!rm x',
  () => '! rm x',
  () => '{a,b}',
  () => '{1..3}',
  () => '{fd}>y',
  () => '3>y',
  (random) => String.fromCharCode(33 + random(94)),
];

const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)] as T;

/** One mutant: a command, or two joined, with one to four changes. */
export function mutant(random: Random): string {
  let text = pick(random(4) === 0 ? harmful : harmless, random);
  if (random(3) === 0)
    text +=
      pick([' ; ', ' && ', ' | ', ' || ', '\n', ' & ', ' '], random) +
      pick(random(3) === 0 ? harmful : harmless, random);
  for (let changes = 1 + random(4); changes > 0; changes--) text = change(text, random);
  return text;
}

function change(text: string, random: Random): string {
  const at = random(text.length + 1);
  switch (random(8)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1 + random(3));
    case 1: {
      const from = random(text.length + 1);
      return text.slice(0, at) + text.slice(from, from + 1 + random(6)) + text.slice(at);
    }
    case 2: {
      const space = text.indexOf(' ', at);
      const place = space === -1 ? text.length : space;
      return `${text.slice(0, place)} ${pick(pieces, random)(random)}${text.slice(place)}`;
    }
    case 3:
      return pick(pieces, random)(random) + text;
    default:
      return text.slice(0, at) + pick(pieces, random)(random) + text.slice(at);
  }
}
