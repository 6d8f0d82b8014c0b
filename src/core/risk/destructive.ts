import { isInterpreter, isWrapper, programName, UNKNOWN } from '../shell/index.ts';
import { decodeEscapes } from './output.ts';
import { commandRules, rulesFor } from './rules/index.ts';
import type { SimpleCommand, Span, Where } from './types.ts';

/** Names of programs that are words or verbs as well: they count where an option or a path follows. */
const words = new Set(
  `login init service restore dump format halt reboot shutdown mount umount at batch erase wipe trash del rd  rename 
  kill history export set unset env security pass mail transfer route ip net reg hostname profiles defaults diskutil pub hub tea
  gh go now render split square deck bore lt step lego kind flux argo drone astro atlas turbo expo task make just bundle rake
  rails flask mix hive presto influx consul nomad packer vault kong port pkg pw ts time watch exec command builtin node bun su
  screen script open arch expect step sc sv at fuser  init mc bb cf eb now oc k xe tc wg arp fc R r ex vi vim view ed nu
    hash enable alias trap eval source less man sort rush parallel pick snap brew conda helm`.split(/\s+/),
);

const suspects = new Set(
  commandRules.flatMap((rule) => (rule.level === 'caution' ? [] : (rule.names ?? []))),
);
export const isSuspect = (name: string): boolean =>
  suspects.has(name) || isInterpreter(name) || isWrapper(name);

const connectors = /^(?:and|or|not|is|are|in|the|a|an|to|of|for|with|was|as|on|if|it|this|that|from|by)$/i;
const hands = /\b(?:xargs|parallel|xe|exec|execdir)\b[^\n;|&]*$/;
/** Letters before a string of another language that say how it is read. */
const prefixes = /([(,=[\s])[rbfuRBFU]{1,2}(?=["'])/g;
const between = /[\s,'"[\]\\#!]+|~(?!\/)/;
const following = /^[\s,'"[\]\\#!]+([^\s,'"[\]\\#!;|&`)}]+)/;
const hints = /^-|[/.*~$]/;
const remoteCode =
  /\b(?:curl|wget|fetch|aria2c)\b[^\n;]{0,400}?\|\s*(?:sudo\s+(?:-\S+\s+)*)?(?:\S*\/)?(?:(?:ba|z|da|k|fi|a|c|tc)?sh|python[\d.]*|perl|ruby|node|php)\b|(?:\b(?:eval|source|sh|bash)\b|(?:^|\s)\.)[^\n;]{0,100}?[$<`]\(?\s*(?:curl|wget)\b/;

/** What is decoded, and fed to a shell: nobody can see what that would be. */
const decodedCode =
  /\b(?:xxd\s+-\w*r|base(?:32|64)\s+-{1,2}[dD]|uudecode|openssl\s+\S+\s+-d)[^\n;]{0,200}\|\s*(?:\S*\/)?(?:ba|da|z|k|a)?sh\b/;

/** What deletes, empties or drops, in the words of many languages. */
const deletes =
  /\b(?:rmtree|rmdir|removedirs|unlink|unlinkSync|rmSync|rmdirSync|rm_rf|rm_r|rm_f|remove_entry|remove_tree|File\.delete|Dir\.delete|deleteIndex|deleteMany|dropDatabase|destroy_all|delete_all|deleteAll|clearObjects|clearIndex|deleteObjects?|deleteBy|drop_collection|dropCollection|truncate|ftruncate|truncateSync)\b|\bos\.(?:remove|rename|replace|kill|killpg|chmod|chown)\b|\bfs(?:\.promises|Promises)?\.(?:rm|unlink|rmdir|truncate)\b|\.unlink\(|\bFileUtils\.(?:rm|remove)|\bDeno\.remove|\bdelete[-_]?(?:file|files|directory|directories|dir|tree|recursive|recursively|contents)\b|\bFiles?\([^)]{0,200}\)\.delete|\bFiles\.delete|\bfile[ :.](?:delete|remove|del_dir)|\bFile\.rm|\bremove(?:File|Directory|DirectoryRecursive|PathForcibly|Dir|Sync|Recursively)\b|\bSys\.remove\b|\bos\.remove|\b(?:rm|delete|del)\s*\(\s*\\{0,8}["'`]|\bdelete(?:Sync|Recursively)\(|\bRemove-Item\b|\bDeleteFile\b|\bfile\.remove\b|\bto delete (?:file|folder|every|disk)|\bfrom os import\b[^\n]{0,400}\b(?:remove|rename|replace)\s*\(/i;
const sqlDeletes =
  /\b(?:DROP|TRUNCATE)\s+(?:TABLE|DATABASE|SCHEMA|COLLECTION)\b|\bDELETE\s+FROM\b|\bDETACH\s+DELETE\b/i;

/** More suspicious words than this are no accident. */
const most = 24;

/** Whether what follows the name of a program makes it a command rather than a word of its own. */
export const goesOn = (name: string, next: string): boolean =>
  words.has(name) ? hints.test(next) : !connectors.test(next);

/** Whether a piece of text holds a destructive command, wherever in it that begins. */
export function destroys(text: string, where: Where, sql = true): boolean {
  if (deletes.test(text) || (sql && sqlDeletes.test(text)) || remoteCode.test(text) || decodedCode.test(text))
    return true;
  if (namesDanger(text, where)) return true;
  if (!/["'\\]/.test(text)) return false;
  // As another shell, or another language, reads it once more: without quotes, and without or behind its escapes.
  const decoded = decodeEscapes(text);
  return [text, decoded, decodeEscapes(decoded), text.replace(prefixes, '$1')].some((read) =>
    namesDanger(read.replace(/\$?["'\\]/g, ''), where),
  );
}

function namesDanger(text: string, where: Where): boolean {
  let left = most;
  for (const token of text.matchAll(/(?:~\/)?[\w./+-]+/g)) {
    const name = programName(token[0]);
    if (!suspects.has(name)) continue;
    const from = token.index + token[0].length;
    const next = following.exec(text.slice(from, from + 80))?.[1];
    if (next === undefined || !goesOn(name, next)) {
      // Its words are handed to it when it runs.
      const handed = !words.has(name) && hands.test(text.slice(Math.max(0, from - 200), token.index));
      if (handed && isDangerous(name, [], where, true)) return true;
      continue;
    }
    const rest = /^[^;|&`)}\n]*/.exec(text.slice(from, from + 400))?.[0] ?? '';
    const pieces = rest.split(between).filter(Boolean);
    if (left-- === 0 || isDangerous(name, pieces, where)) return true;
  }
  return false;
}

function isDangerous(name: string, pieces: readonly string[], where: Where, open = false): boolean {
  const args = pieces.map((value) => ({
    value,
    literal: !value.includes(UNKNOWN),
    glob: false,
    span: none,
    text: value,
  }));
  const command: SimpleCommand = {
    name,
    path: name,
    args,
    env: [],
    span: none,
    via: [],
    stdin: { kind: 'none' },
    open,
  };
  return rulesFor(name).some((rule) => rule.level !== 'caution' && rule.match(command, where));
}

const none: Span = [0, 0];
