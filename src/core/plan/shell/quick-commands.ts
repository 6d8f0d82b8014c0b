import { type BashCommand, type BashScript, unwrap } from './bash-commands.ts';

/**
 * The commands of a line that is plain words, pipes, `&&`, `||`, `;` and simple redirections: most lines of most plans.
 * Null for everything else, which the full grammar reads. A differential test holds the two together.
 */
export function quickCommands(text: string): BashScript | null {
  const commands: BashCommand[] = [];
  let words: string[] = [];
  let [fed, piped, target, glued] = [false, false, false, false];
  const close = (): boolean => {
    if (words.length === 0 || target || NOT_QUICK.test(words[0]!)) return false;
    const own = unwrap(words);
    const literal = !words[0]!.includes('$') && !(own[0] ?? '').includes('$');
    commands.push({ words: own, allWords: words, literal, fed: fed || piped, background: false });
    words = [];
    fed = false;
    return true;
  };
  TOKEN.lastIndex = 0;
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return null;
    at = TOKEN.lastIndex;
    const [redirect, word, quoted] = [match[2], match[3], match[4]];
    if (match[1] !== undefined) {
      glued = false;
    } else if (word !== undefined || quoted !== undefined) {
      // A digit that touches a redirection belongs to it, and a quote that touches a word continues it.
      if (glued) return null;
      glued = true;
      const value = word ?? quoted!.slice(1, -1);
      if (target) target = false;
      else {
        if (words.length === 0 && quoted !== undefined) return null;
        words.push(value);
      }
    } else if (redirect !== undefined) {
      if (glued || target) return null;
      if (redirect.includes('<')) fed = true;
      target = !redirect.includes('&');
      glued = false;
    } else {
      if (!close()) return null;
      piped = match[0] === '|';
      glued = false;
    }
  }
  const complete = words.length > 0 ? close() : commands.length > 0 && /;\s*$/.test(text);
  return complete ? { commands, functions: new Set(), error: null } : null;
}

/** In order: spaces, a redirection, a word, a quoted word, an operator. */
const TOKEN =
  /([ \t]+)|([12]?>>?(?:&[12](?=[ \t;|]|$))?(?![>&|(])|<(?![<&(>]))|((?:[A-Za-z0-9_./:=,@%+-]|\$[A-Za-z_])+(?![$"'`\\*?[\]{}()~!#^]))|("[^"$`\\!\n]*"|'[^'\n]*')|&&|\|\|?(?!&)|;(?![;&])/y;

/** First words that are not names of commands, or whose arguments the grammar reads in its own way. */
const NOT_QUICK =
  /^(?:[A-Za-z_]\w*\+?=|(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|time|coproc|in|export|declare|typeset|local|readonly|alias|let|eval)$)/;
