import { parseExpects } from '../../../core/plan/index.ts';
import type { WordAt } from '../../../core/shell/index.ts';
import { shellWord } from '../../../core/shell/index.ts';
import { splice } from '../command/edit.ts';
import type { Listener } from '../probe/probe.ts';
import type { MendingRule, SeenFailure } from './rule.ts';
import { meant } from './similar.ts';

const inUse =
  /EADDRINUSE|address already in use|Address in use|port is already allocated|Port (\d+) is (?:already )?in use|bind(?:ing)? .*failed.*in use|Only one usage of each socket address|Something is already running on port|port (\d+) is already being used|failed to bind|could not bind/i;

export const portInUse: MendingRule = {
  id: 'port-in-use',
  about:
    'A port that the command names is taken: another is used where nothing else counts on it, and a left-over of the very same command is ended where this run started it.',
  async propose(seen) {
    if (!inUse.test(seen.output)) return null;
    const found = portWords(seen);
    if (found.length !== 1) return null;
    const { word, port, at } = found[0]!;
    const listener = await seen.probe.listener(port);
    if (listener === 'free' && !wasTriedAgain(seen)) {
      return { retry: true, reasoning: `Port ${port} was taken and is free now.`, confidence: 0.8 };
    }
    const holder = listener === 'free' ? null : listener;
    if (isCountedOn(seen, port)) return holder === null ? null : endLeftover(seen, holder, port);
    const other = await freePort(seen, port);
    if (other === null) return null;
    return {
      modify: splice(seen.command, [
        { pos: word.pos + at, end: word.pos + at + String(port).length, text: String(other) },
      ]),
      reasoning: `Port ${port} is taken${describe(holder)}; ${other} is free.`,
      confidence: 0.78,
    };
  },
};

/** Whoever has the port is not to be seen, and did not go away. */
const wasTriedAgain = ({ failure }: SeenFailure): boolean =>
  failure.earlier.some(({ correction }) => correction?.action === 'retry');

/** Words of the command that hold the port of which the message speaks (any port, where it names none). */
function portWords(seen: SeenFailure): { word: WordAt; port: number; at: number }[] {
  const named = [...seen.output.matchAll(/(?<![\d.])(?:[:\s(']|port )(\d{2,5})(?![\d.])/gi)].map((match) =>
    Number(match[1]),
  );
  const words = seen.tree.simples.flatMap(({ args, assignments, pos }) => [
    ...args,
    ...assignments.map((text) => {
      const start = seen.command.indexOf(text, pos);
      return { value: text, text, pos: start, end: start + text.length, literal: true };
    }),
  ]);
  const found = words.flatMap((word) => {
    const match = /(?<![\d.])(\d{2,5})(?!\d*[.\d])/.exec(word.text);
    if (match === null || !word.literal) return [];
    const port = Number(match[1]);
    const isPort =
      port > 1 &&
      port < 65_536 &&
      /^(?:-{0,2}\w*[pP][\w-]*=?)?(?:[\w.*[\]:-]*:)?\d+(?::\d+)?$|^PORT=\d+$|^\w*PORT\w*=\d+$/.test(
        word.text,
      );
    return isPort ? [{ word, port, at: match.index }] : [];
  });
  const spoken = found.filter(({ port }) => named.includes(port));
  return spoken.length > 0 ? spoken : found.filter(({ port }) => port >= 1024);
}

/** The expectation, the goal or a later step names the port: another one would not do. */
function isCountedOn(seen: SeenFailure, port: number): boolean {
  const { step, goal } = seen.failure;
  const names = new RegExp(`(?<!\\d)${port}(?!\\d)`);
  const expected = step.expects === undefined ? null : parseExpects(step.expects);
  if (expected !== null && names.test(step.expects ?? '')) return true;
  return names.test(goal) || names.test(step.title) || seen.context.later.some((line) => names.test(line));
}

/** The same command, left running by this very run, may be ended; what belongs to others may not. */
function endLeftover(
  seen: SeenFailure,
  listener: Listener,
  port: number,
): ReturnType<MendingRule['propose']> {
  const ours = seen.tree.simples.some(({ name, args }) => {
    const words = [name, ...args].map((word) => word.value).join(' ');
    return (
      listener.command !== null && (listener.command === words || listener.command.endsWith(`/${words}`))
    );
  });
  const isRecorded = listener.group !== undefined && seen.failure.groups?.includes(listener.group) === true;
  if (!ours || !isRecorded || listener.pid === null) return null;
  return {
    steps: [{ title: `End what was left on port ${port}`, command: `kill ${listener.pid}` }],
    reasoning: `Port ${port} is held by process ${listener.pid}, which this run started with this very command and left behind.`,
    confidence: 0.75,
  };
}

async function freePort(seen: SeenFailure, port: number): Promise<number | null> {
  for (let other = port + 1; other <= Math.min(port + 20, 65_535); other++) {
    if ((await seen.probe.listener(other)) === 'free') return other;
  }
  return null;
}

const describe = (listener: Listener | null): string =>
  listener?.pid == null
    ? ''
    : ` by process ${listener.pid}${listener.command === null ? '' : ` (${listener.command.slice(0, 60)})`}`;

/** How programs say that a variable is missing, its name captured. */
const missingVariable = [
  /(?:^|: )([A-Za-z_]\w*): unbound variable/m,
  /(?:^|: )([A-Za-z_]\w*): parameter (?:null or )?not set/m,
  /KeyError: '([A-Z][A-Z0-9_]+)'/,
  /(?:missing|required|undefined|unset|no) (?:required )?environment variable:? [`'"]?([A-Z][A-Z0-9_]+)/i,
  /environment variable [`'"]?([A-Z][A-Z0-9_]+)[`'"]? (?:is )?(?:not (?:set|defined|found)|missing|required|must be set|undefined)/i,
  /[`'"]?([A-Z][A-Z0-9_]{2,})[`'"]? (?:environment variable )?(?:is not set|must be set|is required|not set in (?:the )?environment|is not defined in (?:the )?environment)/,
];

export const missingEnvironment: MendingRule = {
  id: 'env-missing',
  about:
    'A variable is not set, but the .env file of the folder has it, or the example file gives a plain setting; or its name is one slip from one that is set.',
  async propose(seen) {
    const name = missingVariable
      .map((pattern) => pattern.exec(seen.output)?.[1])
      .find((found) => found !== undefined);
    if (name === undefined || (await seen.probe.hasEnv(name)) === true) return null;
    const file = await seen.probe.readText('.env');
    if (file !== null && new RegExp(`^\\s*(?:export\\s+)?${name}=.`, 'm').test(file)) {
      return {
        steps: [{ title: 'Load the variables of .env', command: 'set -a; . ./.env; set +a' }],
        reasoning: `\`${name}\` is not set; the file .env of this folder has it.`,
        confidence: 0.9,
      };
    }
    const setting = await exampleOf(seen, name);
    if (setting !== null) {
      return {
        steps: [{ title: `Set ${name} as ${setting.file} has it`, command: setting.command }],
        reasoning: `\`${name}\` is not set; ${setting.file} gives its usual value.`,
        confidence: 0.74,
      };
    }
    const uses = [...seen.command.matchAll(new RegExp(`\\$\\{?(${name})\\b`, 'g'))];
    const near = meant(name, (await seen.probe.envNames()) ?? []);
    if (uses.length === 0 || near === null) return null;
    const changes = uses.map((match) => {
      const pos = match.index + match[0].length - name.length;
      return { pos, end: pos + name.length, text: near };
    });
    return {
      modify: splice(seen.command, changes),
      reasoning: `\`${name}\` is not set; \`${near}\` is.`,
      confidence: 0.75,
    };
  },
};

/** Names of what nobody may make up: secrets, and what decides where something goes. */
const notToBeMadeUp =
  /KEY|TOKEN|SECRET|PASS|PWD|CREDENTIAL|AUTH|PRIVATE|CERT|DSN|CONN|SALT|SIGN|LICEN|HOOK|ACCOUNT|USER|MAIL|UR[LI]|HOST|ENDPOINT|BUCKET|DATABASE|DB|ENV|STAGE|TARGET|PROFILE|DIR|PATH|FOLDER|REGION|ZONE|CLUSTER|NAMESPACE|TENANT|PROJECT|ORG|CUSTOMER|BRANCH|VERSION|RELEASE|TAG|SITE|DOMAIN|SERVER|REMOTE|CHANNEL|AMOUNT|PRICE|LIMIT/i;
const placeholderValue = /change.?me|your|example|todo|fixme|xxx|<|>|\$|`|^$|\.\.\.|@/i;

/** A plain setting that the project's own example file gives a value. */
async function exampleOf(seen: SeenFailure, name: string): Promise<{ file: string; command: string } | null> {
  if (notToBeMadeUp.test(name)) return null;
  for (const file of ['.env.example', '.env.sample', '.env.template', '.env.dist', '.env.defaults']) {
    const text = await seen.probe.readText(file);
    const line = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}=([^\\n#]*)`, 'm').exec(text ?? '')?.[1];
    const value = line?.trim().replace(/^(["'])(.*)\1$/, '$2');
    if (value === undefined || placeholderValue.test(value)) continue;
    return { file, command: `export ${name}=${shellWord(value)}` };
  }
  return null;
}

export const outOfMemory: MendingRule = {
  id: 'out-of-memory',
  about:
    'Node ran out of its own heap limit, or a parallel build out of memory: more heap, or one job at a time.',
  propose(seen) {
    if (/JavaScript heap out of memory/.test(seen.output) && !/max-old-space-size/.test(seen.command)) {
      return {
        modify: `NODE_OPTIONS=--max-old-space-size=4096 ${seen.command}`,
        reasoning: 'Node reached the limit of its heap; it may have more.',
        confidence:
          seen.tree.simples.length === 1 &&
          seen.tree.simples[0]!.alone &&
          !seen.tree.simples[0]!.assignments.length
            ? 0.8
            : 0,
      };
    }
    if (
      !/Killed signal terminated program|virtual memory exhausted|Cannot allocate memory|out of memory/i.test(
        seen.output,
      )
    )
      return null;
    const jobs = seen.tree.simples.flatMap(({ program, args }) =>
      ['make', 'ninja', 'cargo', 'cmake'].includes(program)
        ? args.filter((arg) => /^-j\d*$|^--jobs=\d+$/.test(arg.value) && arg.value !== '-j1')
        : [],
    );
    if (jobs.length !== 1) return null;
    const { pos, end, value } = jobs[0]!;
    return {
      modify: splice(seen.command, [{ pos, end, text: value.startsWith('--') ? '--jobs=1' : '-j1' }]),
      reasoning:
        'Building so many things at a time needs more memory than there is; one at a time needs less.',
      confidence: 0.78,
    };
  },
};
