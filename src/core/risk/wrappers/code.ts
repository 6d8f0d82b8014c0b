import { optionValues } from '../args.ts';
import { guards, limits } from '../guards.ts';
import { report, type Scope } from '../scope.ts';
import type { Arg, RuleInfo, SimpleCommand, Span } from '../types.ts';
import type { Unwrapped } from './inner.ts';
import { pipeToInterpreter, runFile } from './shells.ts';

export const codeDeletes: RuleInfo = {
  id: 'code-deletes',
  level: 'dangerous',
  sentence: 'The program text given on the command line deletes, overwrites or destroys something.',
  hits: [
    'python3 -c "import shutil; shutil.rmtree(\'x\')"',
    'node -e \'fs.rmSync("x",{recursive:true})\'',
    'perl -e \'unlink "f"\'',
    'ruby -e \'FileUtils.rm_rf("x")\'',
  ],
  misses: ["python3 -c 'print(1)'", "node -e 'console.log(1)'", "perl -e 'print 1'"],
};

export const codeHides: RuleInfo = {
  id: 'code-hides',
  level: 'dangerous',
  sentence: 'The program text given on the command line decodes or builds the code that it runs.',
  hits: ['python3 -c \'import base64;exec(base64.b64decode("x"))\'', 'node -e \'eval(atob("x"))\''],
  misses: ["python3 -c 'print(2)'"],
};

export const codeReadsSecret: RuleInfo = {
  id: 'code-network-secret',
  level: 'dangerous',
  sentence: 'The program text given on the command line opens a network shell or reads a secret.',
  needs: ['network'],
  hits: [
    'python3 -c \'import socket,os,pty;s=socket.socket();pty.spawn("/bin/sh")\'',
    'python3 -c \'print(open("/root/.ssh/id_rsa").read())\'',
  ],
  misses: ["python3 -c 'import socket'"],
};

interface Language {
  readonly names: RegExp;
  /** Options whose value is code. */
  readonly code: readonly string[];
  /** Options that mean that no file or standard input is read. */
  readonly module?: readonly string[];
  readonly valued?: string;
}

const languages: readonly Language[] = [
  { names: /^(?:rails|gitlab-rails)$/, code: ['runner', 'r'] },
  {
    names: /^(?:python[\d.]*|pypy[\d.]*|ipython[\d.]*|jython|micropython)$/,
    code: ['-c'],
    module: ['-m'],
    valued: '-W -X',
  },
  {
    names: /^(?:node|nodejs|bun|deno|tsx|ts-node|qjs)$/,
    code: ['-e', '--eval', '-p', '--print', '-pe'],
    valued: '-r --require --import --loader --env-file',
  },
  { names: /^(?:perl[\d.]*|raku)$/, code: ['-e', '-E'], valued: '-I -M' },
  { names: /^(?:ruby[\d.]*|irb|jruby)$/, code: ['-e'], valued: '-I -r' },
  { names: /^(?:php[\d.]*)$/, code: ['-r', '-B', '-R', '-E'], valued: '-d -c -f' },
  {
    names:
      /^(?:lua[\d.]*|luajit|tclsh|R|Rscript|julia|groovy|iex|scala|ghci|elixir|erl|guile|racket|sbcl|clojure|bb|octave|kotlin)$/,
    code: ['-e', '--eval', '--execute', '-E'],
  },
];

const deletes =
  /\b(?:rmtree|rmdir|removedirs|unlink|unlinkSync|rmSync|rmdirSync|rm_rf|rm_r|rm_f|remove_entry|remove_tree|File\.delete|Dir\.delete|deleteIndex|deleteMany|dropDatabase|destroy_all|delete_all|deleteAll|clearObjects|clearIndex|deleteObjects?|deleteBy|drop_collection|dropCollection|truncate|ftruncate|truncateSync)\b|\bos\.(?:remove|rename|replace|kill|killpg|chmod|chown)\b|\bfs(?:\.promises|Promises)?\.(?:rm|unlink|rmdir|truncate)\b|\.unlink\(|\bFileUtils\.(?:rm|remove)|\bDeno\.remove|\b(?:DROP|TRUNCATE)\s+(?:TABLE|DATABASE|SCHEMA)\b|\bDELETE\s+FROM\b/i;
const shellOut =
  /\b(?:os\.(?:system|popen|exec\w*|spawn\w*|posix_spawn)|subprocess|commands\.getoutput|pty\.spawn|child_process|execSync|spawnSync|execFile|system|exec|popen|shell_exec|passthru|proc_open|qx|Kernel\.|IO\.popen|Open3|Process\.(?:spawn|kill)|Deno\.(?:run|Command)|Bun\.(?:spawn|\$))\b|`|%x[{([]/;
const hides =
  /\b(?:b64decode|b85decode|unhexlify|fromhex|a2b_\w+|codecs\.decode|atob|unpack|marshal|pickle\.loads|zlib\.decompress|fromCharCode|base64_decode|str_rot13|gzinflate|MIME::Base64|decode64)\b|\b(?:eval|exec|compile)\s*\(\s*(?!['"])|__import__|getattr\s*\(|globals\(\)|Buffer\.from\([^)]*(?:base64|hex)|(?:chr\(\d+\)\s*[+.]\s*){2,}|new Function\(/;
const stealing =
  /pty\.spawn|\/dev\/tcp\/|\.ssh\/id_|\.aws\/credentials|\/etc\/shadow|\bsocket\b.*\b(?:dup2|exec|system|subprocess)/s;
const overwrites =
  /open\([^)]*['"][waxr]\+?b?['"]|write_text|write_bytes|writeFile|createWriteStream|file_put_contents|File\.write|shutil\.(?:move|copy)|os\.makedirs/;

const languageOf = (name: string): Language | undefined =>
  languages.find((language) => language.names.test(name));

export function unwrapCode(command: SimpleCommand, scope: Scope): Unwrapped {
  const language = languageOf(command.name);
  if (!language) return undefined;
  const codes = clusterValues(command, language);
  for (const arg of codes) judgeCode(arg.value, arg.span, command, scope);
  if (codes.length > 0) return 'judged';
  if (command.open && command.args.some((arg) => language.code.includes(arg.value))) {
    report(scope, pipeToInterpreter, command.span);
    return 'judged';
  }
  if (optionValues(command, ...(language.module ?? [])).length > 0) return 'judged';
  const file = firstOperand(command, language);
  if (command.args.some((arg) => /^--?(?:version|help|V|h|v)$/.test(arg.value)) && !file) return 'judged';
  if (file && file.value !== '-') return runFile(command, file, scope);
  if (command.stdin.kind === 'text') judgeCode(command.stdin.text, command.stdin.span, command, scope);
  else if (command.stdin.kind === 'pipe') report(scope, pipeToInterpreter, command.span);
  return 'judged';
}

/** `-c code`, `-ccode`, and the last letter of a cluster: `-lne code`. */
function clusterValues(command: SimpleCommand, language: Language): Arg[] {
  const found = optionValues(command, ...language.code);
  if (found.length > 0) return found;
  const at = command.args.findIndex(
    (arg) =>
      /^-[A-Za-z]{2,6}$/.test(arg.value) && language.code.some((name) => arg.value.endsWith(name[1] ?? '-')),
  );
  const next = at === -1 ? undefined : command.args[at + 1];
  if (next) return [next];
  const sub = command.args[0]?.value === 'eval' ? command.args[1] : undefined;
  return sub ? [sub] : [];
}

function firstOperand(command: SimpleCommand, language: Language): Arg | undefined {
  const valued = new Set((language.valued ?? '').split(' '));
  for (let i = 0; i < command.args.length; i++) {
    const arg = command.args[i] as Arg;
    if (!arg.value.startsWith('-') || arg.value === '-')
      return arg.value === 'run' && /^(?:deno|bun)$/.test(command.name) ? command.args[i + 1] : arg;
    if (valued.has(arg.value)) i++;
  }
  return undefined;
}

function judgeCode(code: string, span: Span, command: SimpleCommand, scope: Scope): void {
  if (code.length > limits.code) {
    report(scope, guards.tooLong, span);
    return;
  }
  if (deletes.test(code)) report(scope, codeDeletes, span);
  if (hides.test(code)) report(scope, codeHides, span);
  if (stealing.test(code)) report(scope, codeReadsSecret, span);
  if (overwrites.test(code) && /['"](?:\/etc\/|\/usr\/|\/boot\/|\/dev\/[sn]|~\/\.|\/root\/\.)/.test(code))
    report(scope, codeDeletes, span);
  if (!shellOut.test(code)) return;
  const via = [...command.via, command.name];
  for (const text of literals(code)) {
    if (/^[\w./~-]+(?:\s|$)/.test(text)) scope.nested(text, scope, { span, via });
  }
  const list = [...code.matchAll(/\[\s*((?:['"][^'"]*['"]\s*(?:,\s*)?)+)\]/g)].slice(0, 20);
  for (const match of list) {
    const wordsOfList = literals(match[1] ?? '').map((word) => `'${word.replaceAll("'", "'\\''")}'`);
    scope.nested(wordsOfList.join(' '), scope, { span, via });
  }
}

/** The string literals of a piece of code, in any of the usual quotes. */
function literals(code: string): string[] {
  const found: string[] = [];
  for (const match of code.matchAll(
    /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|%x\{([^}]*)\}|qx[({/]([^)}/]*)/g,
  )) {
    const text = match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[5] ?? '';
    if (text.length > 1 && found.length < 50) found.push(text.replace(/\\(["'`\\])/g, '$1'));
  }
  return found;
}
