import { codeCall, isLanguage, quoteWord, UNKNOWN } from '../../shell/index.ts';
import { wordsOf } from '../args.ts';
import { noteWritten } from '../content.ts';
import { destroys } from '../destructive.ts';
import { guards, limits } from '../guards.ts';
import { outsideWorkspace, writeRule } from '../path-rules.ts';
import { isOutside } from '../paths.ts';
import { report, type ShellScope } from '../scope.ts';
import { isSecret } from '../secret-paths.ts';
import type { Arg, RuleInfo, SimpleCommand, Span } from '../types.ts';
import { pipeToInterpreter, runFile, runWritten } from './shells.ts';

export const codeDeletes: RuleInfo = {
  id: 'code-deletes',
  level: 'dangerous',
  sentence: 'The program text given on the command line deletes, overwrites or destroys something.',
};

export const codeHides: RuleInfo = {
  id: 'code-hides',
  level: 'dangerous',
  sentence: 'The program text given on the command line decodes or builds the code that it runs.',
};

export const codeReadsSecret: RuleInfo = {
  id: 'code-network-secret',
  level: 'dangerous',
  sentence: 'The program text given on the command line opens a network shell or reads a secret.',
  needs: ['network'],
};

export const codeForks: RuleInfo = {
  id: 'code-forks',
  level: 'dangerous',
  sentence: 'The program text given on the command line starts copies of itself in a loop.',
};

/** Nothing but one call that prints. */
const prints = /^\s*(?:print|puts|echo|say|console\.(?:log|error)|io\.write|disp|display)\b[^;\n`$]*;?\s*$/;
/** Starts a program whose name is put together, or only known when it runs. */
const builds =
  /\b(?:os\.(?:system|popen|exec\w+)|subprocess\.\w+|execSync|spawnSync|shell_exec|passthru|proc_open|Kernel\.system|IO\.popen|os\.execute|io\.popen)\s*\(\s*(?:[\w$@]+(?![\w$@]*["'`=])|["'][^"'\n]*["']\s*[+.%])|["']\w{1,3}["']\s*(?:\+|\.{1,2}|~|<>)\s*["']\w/;
/** `system $x`, `exec @x`, `qx($x)`: in Perl and Ruby the brackets may be left out. */
const runsValue =
  /\b(?:system|exec|popen|spawn|syscall)\s*\(?\s*[$@%]\w|`[^`]*[$@][\w{]|\bqx\s*[({/][^)}/]*[$@]\w/;
const sends =
  /\b(?:fetch|XMLHttpRequest|urlopen|urlretrieve|requests|httpx|aiohttp|http\.client|HTTP|LWP|HTTParty|Net::\w+|socket|https?\.(?:request|get|post)|axios|curl_exec|WebSocket|smtplib|ftplib|paramiko)\b/;
/** Leaves a process behind that is no longer the step's. */
const detaches =
  /\bdetached["']?\s*:\s*true|\bstart_new_session\s*=\s*True|\bos\.(?:setsid|fork|daemon)\b|\bPOSIX::setsid\b|\bfork\s*(?:\(\))?\s*(?:and|&&|\|\||or)\b|\bProcess\.(?:daemon|detach)\b|\bpcntl_fork\b/;
const forksForEver = /\b(?:while|until|loop|for|forever|times)\b[\s\S]{0,80}\bfork\b/;
const shellOut =
  /\b(?:os\.(?:system|popen|exec\w*|spawn\w*|posix_spawn)|subprocess|commands\.getoutput|pty\.spawn|child_process|execSync|spawnSync|execFile|system|exec|popen|shell_exec|passthru|proc_open|qx|Kernel\.|IO\.popen|Open3|Process\.(?:spawn|kill)|Deno\.(?:run|Command)|Bun\.(?:spawn|\$))\b|`|%x[{([]/;
const hides =
  /\b(?:b64decode|b85decode|unhexlify|fromhex|a2b_\w+|codecs\.decode|atob|unpack|marshal|pickle\.loads|zlib\.decompress|fromCharCode|base64_decode|str_rot13|gzinflate|MIME::Base64|decode64)\b|\b(?:eval|exec|compile)\s*\(\s*(?!['"])|__import__|getattr\s*\(|globals\(\)|Buffer\.from\([^)]*(?:base64|hex)|(?:chr\(\d+\)\s*[+.]\s*){2,}|new Function\(/;
const stealing =
  /pty\.spawn|\/dev\/tcp\/|\.ssh\/id_|\.aws\/credentials|\/etc\/shadow|\bsocket\b.*\b(?:dup2|exec|system|subprocess)/s;
const overwrites =
  /open\([^)]*['"][waxr]\+?b?['"]|write_text|write_bytes|writeFile|createWriteStream|file_put_contents|File\.write|shutil\.(?:move|copy)|os\.makedirs/;

const changes =
  /\bf?open\([^)]*['"](?:[wax]b?\+?|r\+b?|rb\+)['"]|\bopen\b[^;\n]{0,80}['"]\s*\+?>{1,2}|write_(?:text|bytes)|\bwrite(?:File|v?Sync|Lines)?\w*\(|appendFile|createWriteStream|copyFile|\bcpSync|\brename\w*\(|mkdir|makedirs|symlink|file_put_contents|File\.(?:write|open)|IO\.write|FileUtils\.|shutil\.(?:move|copy)|\.touch\(|Deno\.(?:write|copy|rename|mkdir)|Bun\.write/;

/** The first name that a call is given which may write a file; in Perl, behind its mode. */
const opened =
  /\b(?:open|Path|write\w*|append\w*|createWriteStream|file_put_contents)\(\s*["'`]([\w./~@+-]+)["'`]|\bopen\b[^;\n]{0,40}["']\s*\+?>{1,2}\s*(?:["']\s*,\s*["'])?([\w./~@+-]+)["']/g;

/** What the code is comes over the network. */
const downloads = /(?:\$\(|`)[^)`]*\b(?:curl|wget|fetch|aria2c|nc|ssh)\b/;

export function unwrapCode(command: SimpleCommand, scope: ShellScope): undefined {
  const call = isLanguage(command.name) ? codeCall(command.name, wordsOf(command)) : undefined;
  if (!call) return;
  for (const { at, skip } of call.code) {
    const arg = command.args[at - 1] as Arg;
    judgeCode(arg.value.slice(skip), arg.span, command, scope);
    if (downloads.test(arg.text)) report(scope, pipeToInterpreter, arg.span);
  }
  if (call.code.length > 0) return;
  if (command.open && call.asked) report(scope, pipeToInterpreter, command.span);
  if ((command.open && call.asked) || call.module) return;
  const file = command.args[(call.file ?? 0) - 1];
  if (command.args.some((arg) => /^--?(?:version|help|V|h|v|test|ini|v8-options)$/.test(arg.value)) && !file)
    return;
  if (file && file.value !== '-') runFile(command, file, scope);
  else if (command.stdin.kind === 'text') judgeCode(command.stdin.text, command.stdin.span, command, scope);
  else if (command.stdin.kind === 'pipe') report(scope, pipeToInterpreter, command.span);
  else if (command.stdin.kind === 'file' && command.stdin.path)
    runWritten(command, command.stdin.path, command.span, scope);
}

export function judgeCode(code: string, span: Span, command: SimpleCommand, scope: ShellScope): void {
  if (code.length > limits.code) {
    report(scope, guards.tooLong, span);
    return;
  }
  if (code.includes(UNKNOWN) && code.replaceAll(UNKNOWN, '').trim() === '')
    report(scope, pipeToInterpreter, span);
  if (!prints.test(code) && destroys(code, scope)) report(scope, codeDeletes, span);
  if (hides.test(code) || builds.test(code) || runsValue.test(code)) report(scope, codeHides, span);
  if (sends.test(code)) scope.findings.need('network');
  if (detaches.test(code)) report(scope, guards.background, span);
  if (forksForEver.test(code)) report(scope, codeForks, span);
  const takes = (text: string): boolean => sends.test(code) && isSecret(text, scope);
  if (stealing.test(code) || literals(code).some(takes)) report(scope, codeReadsSecret, span);
  if (overwrites.test(code) && /['"](?:\/etc\/|\/usr\/|\/boot\/|\/dev\/[sn]|~\/\.|\/root\/\.)/.test(code))
    report(scope, codeDeletes, span);
  const leadsOut = (text: string): boolean => {
    const path = text.replace(/^[+<>|\s]+/, '');
    return /^[/~.][\w./~@+-]*$/.test(path) && isOutside(path, scope);
  };
  if (changes.test(code) && literals(code).some(leadsOut)) report(scope, outsideWorkspace, span);
  if (changes.test(code) || destroys(code, scope)) {
    const rules = literals(code).map((text) =>
      /^[\w./~@+-]+$/.test(text) ? writeRule(text, scope) : undefined,
    );
    const worst = rules.find((rule) => rule?.level === 'blocked');
    if (worst) report(scope, worst, span);
  }
  for (const match of code.matchAll(opened)) {
    const path = match[1] ?? match[2] ?? '';
    if (changes.test(code) && path !== '') noteWritten(path, 'unseen', scope, span);
  }
  if (!shellOut.test(code)) return;
  const how = { span, via: [...command.via, command.name], stdin: command.stdin };
  for (const text of literals(code)) {
    if (destroys(text, scope)) report(scope, codeDeletes, span);
    if (/^[\w./~-]+(?:\s|$)/.test(text)) scope.nested(text, scope, how);
  }
  const list = [...code.matchAll(/\[\s*((?:['"][^'"]*['"]\s*(?:,\s*)?)+)\]/g)].slice(0, 20);
  for (const match of list) {
    const wordsOfList = literals(match[1] ?? '').map((word) => quoteWord(word));
    scope.nested(wordsOfList.join(' '), scope, how);
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
