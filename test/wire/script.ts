/** What a wire server does with one request. */
export type Behaviour =
  /** Answers, in small pieces. `tokens` is what it says it counted. */
  | { text: string; tokens?: { input: number; output: number }; pieces?: number }
  /** Calls tools, after saying something where it does. */
  | { calls: readonly { name: string; args: unknown }[]; text?: string }
  /** Answers, and runs into the limit of tokens. */
  | { cutOff: string }
  | { refusal: string }
  /** Turns the request away. */
  | { status: number; message?: string; retryAfter?: number | string }
  /** Says nothing at all. */
  | { never: true }
  /** Says this much, and then nothing more, with the connection open. */
  | { stall: string }
  /** Says this much, and ends the answer without its proper end. */
  | { truncated: string }
  /** Says this much, and breaks the connection. */
  | { broken: string }
  /** Sends what is no JSON where JSON is due. */
  | { malformed: true }
  /** Says this many bytes. */
  | { huge: number };

/** What it does with each request: the same, one after the other (the last stays), or as the request says. */
export type Script = Behaviour | readonly Behaviour[] | ((request: WireRequest, index: number) => Behaviour);

export interface WireRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: Record<string, unknown>;
}

export function behaviourFor(script: Script, request: WireRequest, index: number): Behaviour {
  if (typeof script === 'function') return script(request, index);
  return isList(script) ? script[Math.min(index, script.length - 1)]! : script;
}

const isList = (script: Behaviour | readonly Behaviour[]): script is readonly Behaviour[] =>
  Array.isArray(script);

/** What of an answer is said, and how it ends. */
export interface Said {
  pieces: string[];
  calls: { id: string; name: string; input: string }[];
  tokens: { input: number; output: number };
  end: 'stop' | 'length' | 'refusal' | 'stall' | 'truncated' | 'broken';
}

let made = 0;
const defaultTokens = { input: 12, output: 7 };

/** Null where nothing is said. */
export function saidBy(behaviour: Behaviour): Said | null {
  const tokens = defaultTokens;
  if ('calls' in behaviour) {
    const calls = behaviour.calls.map(({ name, args }, at) => ({
      id: `call_${++made}_${at}`,
      name,
      input: typeof args === 'string' ? args : JSON.stringify(args),
    }));
    return { pieces: split(behaviour.text ?? '', 2), calls, tokens, end: 'stop' };
  }
  const calls: Said['calls'] = [];
  if ('text' in behaviour) {
    const { text, pieces = 4 } = behaviour;
    return { pieces: split(text, pieces), calls, tokens: behaviour.tokens ?? tokens, end: 'stop' };
  }
  if ('cutOff' in behaviour) return { pieces: split(behaviour.cutOff, 3), calls, tokens, end: 'length' };
  if ('refusal' in behaviour) return { pieces: split(behaviour.refusal, 2), calls, tokens, end: 'refusal' };
  if ('stall' in behaviour) return { pieces: split(behaviour.stall, 2), calls, tokens, end: 'stall' };
  if ('truncated' in behaviour)
    return { pieces: split(behaviour.truncated, 2), calls, tokens, end: 'truncated' };
  if ('broken' in behaviour) return { pieces: split(behaviour.broken, 2), calls, tokens, end: 'broken' };
  if ('huge' in behaviour) {
    const piece = 'x'.repeat(64_000);
    const pieces = Array.from({ length: Math.ceil(behaviour.huge / piece.length) }, () => piece);
    return { pieces, calls, tokens, end: 'stop' };
  }
  return null;
}

function split(text: string, pieces: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / pieces));
  return text === ''
    ? []
    : Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size));
}
