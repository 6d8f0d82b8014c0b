/**
 * Text that stands for text that somebody was going to write. Told by what the text is about: a note about itself
 * ("your code here"), a gap that is owned up to ("rest unchanged"), or a name where the value belongs (CHANGEME). The
 * same words inside a sentence, a string or an expression mean what they say.
 */

const SECRETISH =
  'API|KEY|TOKEN|PASSWORD|PASSWD|SECRET|HOST|HOSTNAME|USER|USERNAME|EMAIL|DOMAIN|BUCKET|REGION|PROJECT|ACCOUNT';

/** Wherever they stand, these are never meant as they are. */
const NEVER_REAL: readonly RegExp[] = [
  /<(?:your|my|insert|enter|replace|add|put|some)[-_ ][^<>\n]{1,60}>/i,
  new RegExp(`<(?:[A-Z0-9]+[_-])*(?:${SECRETISH})(?:[_-][A-Z0-9]+)*>`),
  /<(?:placeholder|api[-_ ]?key|token|password|secret|username|hostname|path[-_ ]to[-_ ][^<>\n]{1,40})>/i,
  /\[(?:your|insert|enter|replace)[-_ ][^\][\n]{1,60}\]/i,
  /\b(?:YOUR|INSERT|REPLACE)_[A-Z0-9_]{0,60}(?:HERE|ME|KEY|TOKEN|PASSWORD|SECRET|NAME|ID|URL|HOST|USER|VALUE|WITH)\b/,
  /\byour[-_](?:api[-_])?(?:key|token|password|secret|username)(?:[-_]here)?\b/i,
  /\blorem ipsum\b/i,
];

/** As the whole value of a line: `PASSWORD=CHANGEME`, `secret: "change-me"`. In a comparison they are real. */
const AS_VALUE =
  /(?:^|[=:])[ \t]{0,8}["']?(?:change|replace|fill)[-_]?(?:me|this|in)["']?[ \t]{0,8}[,;]?[ \t]{0,8}$/im;

const CROSSED_OUT =
  /^[ \t]{0,40}["']?\w{0,40}(?:key|token|password|secret)["']?[ \t]{0,8}[=:][ \t]{0,8}["']?x{3,}["']?,?$/im;

/** The placeholder that a text has in place of a value, or null. */
export function standInOf(text: string): string | null {
  for (const pattern of [...NEVER_REAL, AS_VALUE, CROSSED_OUT]) {
    const match = pattern.exec(text);
    if (match !== null && !isElement(text, match[0])) return match[0].replace(/^[=:\s]+/, '').trim();
  }
  return null;
}

/** Fine in a text that explains something, not in a command. */
export const examplePath = (text: string): string | null =>
  /(?<=^|[\s"'=:])(?:[a-z]:)?[\\/]?path[\\/]to[\\/][\w.\\/-]+/i.exec(text)?.[0] ?? null;

/** `<password>` with an end tag is an element of a document. */
const isElement = (text: string, found: string) =>
  found.startsWith('<') && text.includes(`</${found.slice(1)}`);

/** What a note calls the text that is missing: "your code", "the full file contents". */
const THING =
  "(?:(?:the|this|your|my|new|some|any|actual|real|full|complete|whole|main|sample|example|dummy|placeholder|file(?:'s)?|page|readme|function|method|script|html|css|js|json|yaml|code|text|\\w{1,8}script|python|java|sql|bash|shell)[ _-]){0,5}" +
  '(?:contents?|text|code|html|css|markup|logic|implementation|body|data|script|config(?:uration)?)';
const PUT = '(?:add|insert|put|write|enter|paste|place|type|fill in)';
const GOES = '(?:goes|go|comes|belongs?|will (?:go|be))';
const HERE = `(?: ${GOES})?[ _-]here`;
/** A note that can be nothing else, in a comment too. */
const NOTE = `(?:${THING}${HERE}|(?:[\\w'-]{1,30} ){1,4}${GOES} here|${PUT} ${THING}(?:${HERE}|$)|implement (?:me|this|it))`;
const WHOLE_NOTE = new RegExp(
  `^(?:(?:todo|tbd|fixme|xxx)\\b[^\\n]{0,100}|placeholder(?: (?:text|contents?))?|your (?:code|content|text)|${NOTE}|${PUT} [^\\n]{0,60} here|(?:your|the|actual|file(?:'s)?|page|readme)[ _](?:contents?|text|code)(?:\\.{3}|…)?|${THING} of (?:the |this |your )?[\\w./-]{1,60}(?: file)?(?:${HERE})?)[.!]?$`,
  'i',
);
/** Bare, these are words; in brackets they are a name for what is missing. */
const NAMED = new RegExp(`^(?:insert |your )?${THING}$`, 'i');
const MAX_WHOLE = 200;

/** Spaces are counted: texts may be made of nothing else. */
const MARK = '^[ \\t]{0,40}(?:#|//|/\\*|<!--|--|;|%|\\*)';
const MARK_END = '[ \\t]{0,8}(?:\\*/|-->)?[ \\t]{0,40}$';
const COMMENTED_NOTE = new RegExp(`${MARK}[ \\t]{0,8}${NOTE}[.!]?${MARK_END}`, 'im');
const ELEMENT_NOTE = new RegExp(
  `<(p|div|main|body|section|article|h[1-6])\\b[^<>\\n]{0,200}>\\s{0,40}${NOTE}[.!]?\\s{0,40}</\\1>`,
  'i',
);

const PARTS =
  '(?:code|files?|functions?|methods?|contents?|imports?|class(?:es)?|lines?|script|implementation|text|body|logic|settings|styles?|rules|configuration)';
const KEPT =
  '(?:unchanged|(?:the )?same(?: as before)?|as (?:before|is|it (?:is|was))|omitted(?: for brevity)?|truncated|not shown|here)';
/** A line that says that something was left out. */
const LEFT_OUT: readonly RegExp[] = [
  new RegExp(
    `${MARK}?[ \\t]{0,8}(?:(?:\\.{3}|…) ?[([]?(?:rest|existing|other|more|remaining|previous|same|unchanged|your|the)\\b[^\\n]{0,100}|(?:rest of|remaining|existing) [^\\n]{0,40}(?:\\.{3}|…))${MARK_END}`,
    'im',
  ),
  new RegExp(
    `${MARK}[ \\t]{0,8}[([]?(?:(?:the |all )?(?:rest|remainder|remaining|existing|other|previous)\\b[^\\n]{0,40}\\b${PARTS}|${PARTS})(?: (?:is|are|stays?|remains?|left))? ${KEPT}[)\\]]?[.!]?${MARK_END}`,
    'im',
  ),
  // A comment that is nothing but dots, or names a part in brackets.
  new RegExp(
    `${MARK}[ \\t]{0,8}(?:\\.{3,}|…|[([](?:rest|remaining|existing|other|previous)\\b[^\\n]{0,40}\\b${PARTS}[)\\]])${MARK_END}`,
    'im',
  ),
  /<(html|head|body|main|script|style|svg)\b[^<>\n]{0,200}>\s{0,40}(?:\.{3}|…)\s{0,40}<\/\1>/i,
];

/** How a text as a whole is none: it only says what should be there, or leaves something out. */
export function emptyPromise(text: string, known: ReadonlySet<string>): 'note' | 'gap' | null {
  const trimmed = text.trim();
  if (trimmed.length <= MAX_WHOLE && isNote(trimmed, known)) return 'note';
  if (COMMENTED_NOTE.test(text) || ELEMENT_NOTE.test(text)) return 'note';
  return LEFT_OUT.some((pattern) => pattern.test(text)) || isOnlyEllipsis(trimmed) ? 'gap' : null;
}

function isNote(text: string, known: ReadonlySet<string>): boolean {
  const { inside, isBracketed, name } = unwrapped(text);
  if (name !== null && known.has(name)) return false;
  return WHOLE_NOTE.test(inside) || (isBracketed && NAMED.test(inside));
}

const BRACKETS: readonly RegExp[] = [
  /^<!--(.*)-->$/s,
  /^\/\*+(.*?)\**\/$/s,
  /^(?:#+|\/\/+|--|;|%)(.*)$/,
  /^\{\{(.*)\}\}$/,
  /^\{(.*)\}$/,
  /^<(.*)>$/,
  /^\[(.*)\]$/,
  /^\$(\w+)$/,
  /^(?:"{1,3}(.*?)"{1,3}|'(.*)'|`(.*)`)$/,
];

/** A text out of its comment signs and brackets; `name` where it was `{name}`. */
function unwrapped(text: string): { inside: string; isBracketed: boolean; name: string | null } {
  const name = /^\{(\w+)\}$/.exec(text)?.[1] ?? null;
  let inside = text;
  let isBracketed = false;
  for (let depth = 0; depth < 4; depth++) {
    const at = BRACKETS.findIndex((pattern) => pattern.test(inside));
    if (at < 0) break;
    const match = BRACKETS[at]!.exec(inside)!;
    inside = (match[1] ?? match[2] ?? match[3] ?? '').trim();
    if (at >= 3 && at <= 7) isBracketed = true;
  }
  return { inside, isBracketed, name };
}

/** Nothing but dots once tags, keys and brackets are taken away. */
const isOnlyEllipsis = (text: string): boolean =>
  text.length <= MAX_WHOLE &&
  /^(?:\.{3,}|…)+$/.test(text.replaceAll(/<[^<>]*>|"[^"]*"\s*:/g, '').replaceAll(/[\s{}[\](),"'`]+/g, ''));

/** A line that is still to be done. */
export const openLine = new RegExp(`(?:${MARK}|^[ \\t]{0,40})[ \\t]{0,8}(?:TODO|TBD|FIXME)\\b`, 'm');

/** Files whose values are meant to be filled in by whoever copies them. */
export const isTemplateName = (path: string): boolean =>
  /(?:^|[./_-])(?:example|sample|template|tmpl|dist|skel)(?:[./_-]|$)/i.test(path.replace(/^.*\//, ''));
