import {
  type ChatRequestBody,
  type ChatState,
  MAX_TITLE,
  type Mode,
  parseModelName,
  turnsOf,
} from '../index.ts';
import { meterWords } from './chat.ts';

/**
 * What a line that is typed in a conversation comes to: something to ask of the conversation, a plan file to run, something
 * to say, or to leave.
 */
export type TypedLine =
  | { kind: 'ask'; body: ChatRequestBody }
  /** `inputs` are `KEY=VALUE`. */
  | { kind: 'run'; file: string; inputs: string[] }
  | { kind: 'tell'; lines: string[] }
  | { kind: 'leave' };

interface Slash {
  usage: string;
  about: string;
  does(rest: string, state: ChatState): TypedLine;
}

const modes: readonly Mode[] = ['teacher', 'planner', 'agentic'];

const tell = (...lines: string[]): TypedLine => ({ kind: 'tell', lines });
const ask = (body: ChatRequestBody): TypedLine => ({ kind: 'ask', body });

const commands: Record<string, Slash> = {
  plan: {
    usage: '/plan [MESSAGE]',
    about: 'Make a plan of it, whatever it looks like; alone: why the last one was planned or not',
    does: (text, state) => (text === '' ? why(state) : ask({ type: 'message-sent', text, plan: 'always' })),
  },
  noplan: {
    usage: '/noplan [MESSAGE]',
    about: 'Answer without a plan; alone: drop the one that is waiting',
    does: (text) =>
      ask(text === '' ? { type: 'plan-dropped' } : { type: 'message-sent', text, plan: 'never' }),
  },
  run: {
    usage: '/run FILE [KEY=VALUE …]',
    about: 'Run a plan file or a runbook, once you have agreed on it',
    does(text) {
      const words = text.match(/"[^"]*"|\S+/g)?.map((word) => word.replace(/^"(.*)"$/, '$1')) ?? [];
      const [file, ...inputs] = words.filter((word) => word !== '--set');
      return file === undefined ? tell('Say which file: /run FILE.') : { kind: 'run', file, inputs };
    },
  },
  mode: {
    usage: '/mode teacher|planner|agentic',
    about: 'How much is asked before something is changed',
    does(text, { options }) {
      const mode = modes.find((one) => one === text);
      return mode === undefined
        ? tell(`The mode is ${options?.mode}. It can be ${modes.join(', ')}.`)
        : ask({ type: 'options-requested', mode });
    },
  },
  model: {
    usage: '/model [PROVIDER/MODEL | auto]',
    about: 'Whom to talk to',
    does(text, { options }) {
      if (text === 'auto') return ask({ type: 'options-requested', model: null });
      const model = parseModelName(text);
      if (model !== null) return ask({ type: 'options-requested', model });
      const now =
        options?.model === undefined ? 'as it is configured' : Object.values(options.model).join('/');
      return tell(`The model is ${now}. /model PROVIDER/MODEL takes another; planwright models lists them.`);
    },
  },
  undo: {
    usage: '/undo [MESSAGE NUMBER]',
    about: 'Take back the last message, its changes too; or that one and all after it',
    does: (text) => ask({ type: 'undo-requested', ...(/^\d+$/.test(text) ? { turn: Number(text) } : {}) }),
  },
  cost: {
    usage: '/cost',
    about: 'What the conversation has cost',
    does: (_, state) => tell(`${meterWords(state)}.`),
  },
  corrections: {
    usage: '/corrections',
    about: 'What was tried in another way, and what came of it',
    does(_, state) {
      const lines = turnsOf(state).flatMap(({ n, corrections, correctionFailed }) => [
        ...corrections.map(
          ({ signal, status, n: tries }) =>
            `message ${n}, ${tries}: ${signal.originalTool} (${signal.originalError}) → ${signal.fallbackTools.join(' or ')}: ${status}`,
        ),
        ...(correctionFailed === null ? [] : [`message ${n}: given up`]),
      ]);
      return tell(...(lines.length === 0 ? ['Nothing had to be tried in another way.'] : lines));
    },
  },
  compact: {
    usage: '/compact',
    about: 'Keep what was said so far in short',
    does: () => ask({ type: 'compact-requested' }),
  },
  clear: {
    usage: '/clear',
    about: 'Begin anew: what was said is no longer told to the model',
    does: () => ask({ type: 'clear-requested' }),
  },
  rename: {
    usage: '/rename NAME',
    about: 'Call the conversation something else',
    does: (text) =>
      text === ''
        ? tell('Say what to call it: /rename NAME.')
        : ask({ type: 'rename-requested', title: text.slice(0, MAX_TITLE) }),
  },
  stop: {
    usage: '/stop',
    about: 'Stop the message that is open',
    does: () => ask({ type: 'stop-requested' }),
  },
  help: {
    usage: '/help',
    about: 'This',
    does: () =>
      tell(
        ...Object.values(commands).map(({ usage, about }) => `${usage.padEnd(34)}${about}`),
        `${'!COMMAND'.padEnd(34)}Run a command`,
        `${'@FILE'.padEnd(34)}In a message: read this file first, or show this picture`,
      ),
  },
  exit: {
    usage: '/exit',
    about: 'Leave; planwright chat --resume comes back',
    does: () => ({ kind: 'leave' }),
  },
};

export const slashNames: readonly string[] = Object.keys(commands).map((name) => `/${name}`);
/** Those that begin so, with what they do. */
export const slashLike = (typed: string): { name: string; usage: string; about: string }[] =>
  Object.entries(commands)
    .map(([name, { usage, about }]) => ({ name: `/${name}`, usage, about }))
    .filter(({ name }) => name.startsWith(typed));

/** A line as it was typed. */
export function readLine(line: string, state: ChatState): TypedLine {
  const text = line.trim();
  const [, name = '', rest = ''] = /^\/([a-z]+)(?:\s+([\s\S]*))?$/.exec(text) ?? [];
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command !== undefined) return command.does(rest.trim(), state);
  if (/^\/[a-z]+$/.test(text)) return tell(`There is no ${text}: /help lists what there is.`);
  return ask({ type: 'message-sent', text });
}

function why(state: ChatState): TypedLine {
  const considered = turnsOf(state).at(-1)?.considered;
  if (considered == null) return tell('Nothing has been asked yet. /plan MESSAGE makes a plan of it.');
  const { score, plan, reasons } = considered;
  return tell(
    `Score ${score}, from 3 on it is planned: ${plan ? 'a plan' : 'no plan'}.`,
    ...reasons.map((reason) => `${reason.points > 0 ? '+' : ''}${reason.points}  ${reason.why}`),
  );
}
