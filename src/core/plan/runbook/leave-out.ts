import { bashCommands, parseWhole } from '../../shell/index.ts';
import { waitOf } from '../validate/interactive.ts';
import { examplePath, standInOf } from '../validate/stand-in.ts';
import { looksPrinted, looksTyped } from './shape.ts';

/** Sentences before a block that say that it is run. */
const RUNS =
  /\b(?:run|runs|running|execute|executing|type|typing|enter|issue|invoke|command|commands|do|use|using)\b[^.]{0,60}:?\s*$/i;
/** And those that say that it is what one sees. */
const PRINTS =
  /\b(?:outputs?|prints?|printed|you (?:should|will|would|might|may|can|'ll) (?:now )?(?:see|get)|(?:get|gets|see|sees|encounter(?:ed)?|receive|throws?) (?:an? (?:error|message|warning)|this|these|the following|something like)|looks? (?:something )?like|gives|displays|shows|returns|responds)\b[^.]{0,80}(?::|…|\.\.\.)\s*$/i;
const RC =
  '(?:[~$.\\w/{}-]*\\.(?:\\w*rc|profile|bash_\\w+|zsh\\w+|env|conf|cfg|ini|toml|ya?ml|json|service|plist)\\b|profile|(?:rc|config(?:uration)?|profile|resource|settings) files?|crontab)';
const WRITES = new RegExp(
  `\\b(?:put|add|adds|append|insert|copy|paste|place|save|write|edit|inside|in|include|remove|delete|source lines)\\b[^.:]{0,80}(?:\\.\\w+[^.:]{0,80}){0,4}${RC}[^.:]{0,120}(?:\\.\\w+[^.:]{0,120}){0,4}:?\\s*$`,
  'i',
);
const INTO = new RegExp(
  `\\b(?:lines?|snippet|following|code|this)\\b[^.]{0,60}\\b(?:to|in|into|at the (?:end|top) of)\\b.{0,60}${RC}`,
  'i',
);
/** Lines that are written into a file by what is run. */
const APPENDS = /^(?:[ \t]*(?:#[^\n]*|(?:echo|printf) [^\n]*>>? ?[^\s>|;&]+)?[ \t]*(?:\n|$))+$/;
/** A comment that is nothing but the name of a file. */
const FILE_NAME = /^\s*(?:#|\/\/)\s*(?:file(?:name)?:\s*)?[~$.\w{}-]*\/[\w.{}$/-]+\s*$/;

/** What a block is taken for that is not run; null where nothing speaks against it. */
export function whatElse(text: string, lead: string, lang: string): string | null {
  const said = lead.trim();
  const first = text.split('\n').find((line) => line.trim() !== '') ?? '';
  const isNamed = FILE_NAME.test(first) && text.trim().includes('\n');
  if (isNamed && (/^\s*\S+\s*[~$/]/.test(first) || !looksTyped(text))) return 'it is the contents of a file';
  if (!RUNS.test(said) && !APPENDS.test(text)) {
    if (WRITES.test(said) || INTO.test(said.slice(-240))) return 'it is the contents of a file';
    if (PRINTS.test(said.slice(-160))) return 'it is output';
  }
  if (looksPrinted(text)) return 'it is output';
  if (lang === 'zsh' && ZSH.test(text)) return 'it is for zsh';
  if (lang === 'fish' && FISH.test(text)) return 'it is for fish';
  if (onlyOptions(text)) return 'it is options without a command';
  return onlyNames(text) ? 'it is a list of names' : null;
}

/** What a program is given, on a line of its own or in its file of settings. */
function onlyOptions(text: string): boolean {
  const { commands } = bashCommands(text);
  return commands.length > 0 && commands.every(({ words }) => /^--?[a-z]/i.test(words[0] ?? ''));
}

const ZSH =
  /^\s*(?:autoload|setopt|unsetopt|zstyle|zmodload|bindkey|compinit|compdef|zinit|zplug|antigen|add-zsh-hook|plugins=)/m;
const FISH =
  /^\s*(?:set (?:-\w+ )*[A-Za-z_]\w*(?:\s|$)|function \w+(?: |$)|(?:end|begin|else)\s*$|(?:and|or|not|abbr|string|fish_\w+|fisher|omf|funcsave) )|\| *source\b/m;

/** Variables, or words with a version, one a line: nobody runs those. */
const onlyNames = (text: string): boolean =>
  text
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line))
    .every((line) => /^\s*"?\$\{?\w+(?:[:[][^}\s]*)?\}?"?\s*$/.test(line));

/** Why a command of a page cannot be run as it stands; null where it can. */
export function whyNot(text: string): string | null {
  const endless = bashCommands(text).commands.find(
    ({ words, background, literal }) => literal && !background && words.some((word) => word === '--watch'),
  );
  if (endless !== undefined) return 'it goes on until somebody ends it';
  if (parseWhole(text) === null) return 'it is not valid shell';
  const found = standInOf(text) ?? examplePath(text) ?? commandStandIn(text) ?? placeWithoutHost(text);
  return found === null ? null : `\`${found}\` stands for something real`;
}

/** Words of a command that a reader is to replace. */
function commandStandIn(text: string): string | null {
  const remark =
    /(?<=\S[ \t]+)#\s*(?:where|replace|substitute|change (?:this|to|the)|with your|use your)\b[^\n]{0,80}/i;
  const remarked = remark.exec(text);
  if (remarked !== null) return remarked[0].trim();
  // What only a remark says is for whoever reads it.
  const spoken = text.replace(/(?<=^|[ \t])#[^\n]*/gm, '');
  const patterns = [
    /^\s*\[\w+\](?=\s)/m,
    /(?<=[\s/=:.@-])<[a-z][\w -]{0,40}>(?=[\s/:.,@-]|$)/im,
    /(?<=\s)(?:your|the|some)[-_][\w-]{2,40}(?=\s|$)/i,
    /(?<=\s)[a-z]+[-_](?:url|token|password|username|hostname|email|address)(?=\s|$)/i,
    /(?<=\s)(?:\.{3}|…)(?=\s|$)/,
    /(?<=[\s=/:@])\{[a-z]\w*(?:[ -]\w+)+\}(?=[\s/:]|$)/i,
  ];
  for (const pattern of patterns) {
    const found = pattern.exec(spoken);
    if (found !== null) return found[0].trim();
  }
  return null;
}

/** Of what is fetched only the path, as a page writes it that has named its server elsewhere. */
function placeWithoutHost(text: string): string | null {
  for (const { words, literal } of bashCommands(text).commands) {
    if (!literal || !/^(?:curl|wget|http|https)$/.test(words[0] ?? '')) continue;
    const rest = words.slice(1);
    if (
      rest.some((word) =>
        /localhost|:\/\/|:\d|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:\/|$)|^-K$|^--config/i.test(word),
      )
    )
      continue;
    const place = rest.find((word) => word.startsWith('/'));
    if (place !== undefined) return place;
  }
  return null;
}

/** Why a command would want a terminal, in words; null where it would not, or where that is not sure. */
export function wantsTerminal(text: string): string | null {
  const { commands, functions } = bashCommands(text);
  for (const command of commands) {
    if (!command.literal || functions.has(command.words[0] ?? '')) continue;
    const wait = waitOf(command);
    if (wait?.sure === true) return wait.why;
  }
  return null;
}
