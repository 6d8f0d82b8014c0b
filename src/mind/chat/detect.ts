/**
 * Whether a message should become a plan that is agreed on first. A score that can be explained: every point has its
 * reason. Deterministic, no model, no file is looked at.
 */
export interface PlanScore {
  score: number;
  /** What counted, and how much; against it, less than nothing. */
  reasons: readonly { why: string; points: number }[];
  plan: boolean;
}

export const PLAN_THRESHOLD = 3;

/** Work that reaches through a code base, whatever it is done to. */
const large =
  /\b(?:refactor|restructur|reorgani[sz]|re-?architect|redesign|rewrite|migrat|port\b(?= (?:the|our|this|all))|decoupl|moderni[sz]|overhaul|multi-tenant|internationali[sz])\w*/i;
/** Work that usually has parts. */
const work =
  /\b(?:implement|extract|move|split|convert|replace|upgrade|introduce|integrate|build|design|turn\b.*\binto|set up|rename|consolidat|generat|merg|creat|add|make|updat|delet|remov|fix|writ|renam|analy[sz]|find|chang|publish|deploy|schedul|document|adapt|run|inject|drop)\w*/gi;
const strong =
  /\b(?:implement(?! an? (?:function|method))|extract|move|split|convert|replace|upgrade|introduce|integrate|decouple|set up|build|design)\b/i;
const files =
  /(?:^|[\s"'`(])((?:[\w.@-]+\/)*[\w@-]+\.(?:[cm]?[jt]sx?|json|ya?ml|py|go|rs|rb|java|kt|cs?s|cpp|hpp?|html?|md|sql|sh|toml|vue|svelte|swift|php|txt|env)\b|(?:[\w.@-]+\/){1,}[\w.@*-]*|Dockerfile|Makefile)/g;
const design =
  /\b(?:architecture|design|pattern|layers?|interfaces?|modular|event-driven|middleware|monorepo|workspaces|plugin|caching|schema|system)\b/i;
const dependencies =
  /\b(?:dependenc(?:y|ies)|depends? on|circular|imports?|all (?:the )?(?:callers|usages)|major versions?)\b/i;
const everywhere =
  /\b(?:everywhere|across|throughout|whole|entire|code ?base|all (?!good|right|of you)\w+|every|each|both)\b/i;
const question =
  /^(?:please |hey,? |so,? |and )?(?:what|why|how|which|who|whose|where|when|is|are|was|were|does|do|did|should|would|has|have|can (?:you|i|we) (?:see|explain|tell|help|show)|could (?:you|i|we) (?:explain|tell|help|show)|may|am)\b/i;
const telling =
  /^(?:please |can you |could you )?(?:explain|describe|summari[sz]e|show|list|print|tell|compare|translate|what's|check whether|write a (?:haiku|poem|joke))\b/i;
const greeting =
  /^(?:hi|hello|hey|good (?:morning|evening|day)|thanks?|thank you|ok(?:ay)?|yes|no|sure|great)\b[^.]{0,40}$/i;

export function scoreMessage(message: string): PlanScore {
  const text = message.trim();
  const reasons: { why: string; points: number }[] = [];
  const add = (why: string, points: number): void => {
    if (points !== 0) reasons.push({ why, points });
  };
  const big = large.exec(text);
  if (big !== null) add(`“${big[0].toLowerCase()}” is work of many parts`, 3);
  const part = strong.exec(text);
  if (part !== null) add(`“${part[0].toLowerCase()}” usually has parts`, big === null ? 2 : 1);
  const named = new Set([...text.matchAll(files)].map(([, name]) => name));
  if (named.size > 1) add(`${named.size} files or folders are named`, 2);
  if (design.test(text)) add('it is about how things are designed', 1);
  if (dependencies.test(text)) add('it is about what depends on what', 1);
  const wide = everywhere.exec(text);
  if (wide !== null) add(`“${wide[0].toLowerCase()}” reaches far`, 1);
  const asks = asksIn(text);
  if (asks > 1) add(`${asks} things are asked for`, asks > 2 ? 3 : 1);
  const isQuestion = question.test(text) || (/\?\s*$/.test(text) && text.split(/[.!?]\s/).length < 2);
  if (isQuestion) add('it is a question', -10);
  else if (telling.test(text)) add('it asks to be told something', -10);
  if (greeting.test(text) && named.size === 0) add('it is a few words between people', -10);
  const score = reasons.reduce((sum, { points }) => sum + points, 0);
  return { score, reasons, plan: score >= PLAN_THRESHOLD };
}

/** Pieces of work: what is joined by commas, `and`, `then` and stops, where it says what to do or names one more thing. */
function asksIn(text: string): number {
  const pieces = text
    .split(/(?:[,;:]|\.\s|\band\b|\bthen\b|\bfirst\b|\bbut\b|\bwith\b|\n)+/i)
    .map((piece) => piece.trim())
    .filter((piece) => /[a-z]{3}/i.test(piece));
  return pieces.filter((piece, at) => at === 0 || piece.match(work) !== null || piece.split(' ').length <= 8)
    .length;
}

/** The seed's name for it. */
export const shouldCreatePlan = (message: string): boolean => scoreMessage(message).plan;
