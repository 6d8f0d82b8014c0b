import { contexts, pemBegin, pemEnd, type SecretPattern, shapes, urlPassword } from './patterns.ts';

export interface SecretRange {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/** Cheap questions asked before the dear ones. Each dear pattern needs one of these in the text. */
const shapeHint =
  /gh[pousr]_|github_|gl[a-z]{1,4}-|A(?:KIA|SIA|ROA|IDA|BIA|CCA)[A-Z0-9]|AIza|ya29|GOCSPX|sk[-_]|rk_|whsec|gsk_|xai-|pplx-|r8_|hf_|xox[abeoprs]-|xapp-|hooks\.slack|\/webhooks\/|npm_|pypi-|rubygems_|cio[A-Za-z0-9]{8}|dckr_|do[opr]_v1|dapi[a-f0-9]|shp[acps]|hv[sb]\.|SG\.|key-[a-f0-9]|AGE-|ATATT|lin_api|PMAK|EAACE|AccountKey|tskey|fo1_|sntry|glsa_|nfp_|vercel_|eyJ|:AA/;
const contextHint =
  /[Pp][Aa][Ss][Ss][WwPp]|[Ss][Ee][Cc][Rr][Ee][Tt]|[Tt][Oo][Kk][Ee][Nn]|[Kk][Ee][Yy]["'\w.-]{0,42}\s{0,3}[:= ]|-u[ \t]|--user|[Aa][Uu][Tt][Hh][Oo][Rr]|[Bb][Ee][Aa][Rr][Ee][Rr]|[Cc][Rr][Ee][Dd][Ee][Nn]|[Cc][Oo][Oo][Kk][Ii][Ee]/g;

const bounded = (source: string): string => `(?<![A-Za-z0-9_])(?:${source})(?![A-Za-z0-9])`;
const compiled = (pattern: SecretPattern, flags: string, wrap: (source: string) => string) => ({
  kind: pattern.kind,
  expression: new RegExp(wrap(pattern.source), flags),
});

const shapeList = shapes.map((pattern) => compiled(pattern, 'g', bounded));
const contextList = contexts.map((pattern) => compiled(pattern, 'dgi', (source) => source));
const url = compiled(urlPassword, 'dg', (source) => source);

/** Ranges of `text` (whole lines) that are secrets by their looks, in order of their start; they may overlap. */
export function findRanges(text: string): SecretRange[] {
  const found: SecretRange[] = [];
  if (shapeHint.test(text)) {
    for (const { kind, expression } of shapeList) {
      for (const match of text.matchAll(expression))
        found.push({ start: match.index, end: match.index + match[0].length, kind });
    }
  }
  eachHintedLine(text, (line, start) => {
    for (const pattern of contextList) groups(line, pattern, start, found);
  });
  if (text.includes('://')) groups(text, url, 0, found);
  return found.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The dear patterns are only tried on lines that hold a hint of them. */
function eachHintedLine(text: string, visit: (line: string, start: number) => void): void {
  contextHint.lastIndex = 0;
  for (let hint = contextHint.exec(text); hint; hint = contextHint.exec(text)) {
    let start = hint.index;
    while (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) start--;
    let end = hint.index;
    while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
    visit(text.slice(start, end), start);
    contextHint.lastIndex = end;
  }
}

const isLineEnd = (code: number): boolean => code === 10 || code === 13;

function groups(
  text: string,
  pattern: { kind: string; expression: RegExp },
  offset: number,
  found: SecretRange[],
): void {
  // matchAll would copy the expression at every call, which costs more than the search on a short line.
  const { expression, kind } = pattern;
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match; match = expression.exec(text)) {
    const at = match.indices?.groups;
    const span = at?.['s'] ?? at?.['s1'] ?? at?.['s2'] ?? at?.['s3'];
    if (span) found.push({ start: offset + span[0], end: offset + span[1], kind });
  }
}

/** The first secret written out in a text, for refusing plans that hold one. Placeholders and variables are none. */
export function findSecretLiteral(text: string): { kind: string; span: [number, number] } | undefined {
  const begin = pemBegin.exec(text);
  const key = begin && {
    start: begin.index,
    end: pemEnd.exec(text)?.index ?? text.length,
    kind: 'private key',
  };
  const ranges = findRanges(text).filter((range) => !isPlaceholder(text.slice(range.start, range.end)));
  const first = key ? [...ranges, key].sort((a, b) => a.start - b.start)[0] : ranges[0];
  return first && { kind: first.kind, span: [first.start, first.end] };
}

/** Examples, fillers and references that stand for a secret. */
const isPlaceholder = (value: string): boolean =>
  /^(?:[x*.#-]+|(.)\1+|.*(?:\$|\{|<|example|placeholder|dummy|sample|changeme|your[-_]).*)$/i.test(value);
