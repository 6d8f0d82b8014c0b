import type {
  CreateTerminalRequest,
  TerminalExitStatus,
  TerminalOutputResponse,
} from '@agentclientprotocol/sdk';
import { argumentsAsText } from '../../../../core/shell/index.ts';
import type { AgentHost } from '../../agent.ts';

interface Terminal {
  output: string;
  isCut: boolean;
  most: number;
  ended: Promise<TerminalExitStatus>;
  exit: TerminalExitStatus | null;
  kill: AbortController;
}

/** So much of what a command prints is kept for its agent. */
const MOST_OUTPUT = 1024 * 1024;

/** So many commands run at once, and so many that have ended are kept until they are released. */
const [MOST_LIVING, MOST_KEPT] = [50, 1000];

/** Commands that an agent has us run: the house's own, judged and confined like any other. */
export class Terminals {
  readonly #host: AgentHost;
  readonly #all = new Map<string, Terminal>();
  #made = 0;

  constructor(host: AgentHost) {
    this.#host = host;
  }

  create({ command, args = [], env = [], cwd, outputByteLimit }: CreateTerminalRequest): string {
    const living = [...this.#all.values()].filter(({ exit }) => exit === null).length;
    if (living >= MOST_LIVING || this.#all.size >= MOST_KEPT)
      throw new Error('it has too many terminals: release some of them');
    this.#made += 1;
    const id = `terminal-${this.#made}`;
    const kill = new AbortController();
    const set = env.map(({ name, value }) => `${name}=${value}`);
    // A command without words of its own is a line for the shell, as most agents write it.
    const line = args.length === 0 ? command : argumentsAsText([command, ...args]);
    const script = set.length === 0 ? line : `export ${argumentsAsText(set)}; ${line}`;
    const terminal: Terminal = {
      ...{ output: '', isCut: false, exit: null, kill },
      most: Math.min(outputByteLimit ?? MOST_OUTPUT, MOST_OUTPUT),
      ended: Promise.resolve({}),
    };
    const take = (text: string): void => {
      const whole = terminal.output + text;
      terminal.isCut ||= whole.length > terminal.most;
      terminal.output = terminal.most === 0 ? '' : whole.slice(-terminal.most);
    };
    const run = async (): Promise<TerminalExitStatus> => {
      const result = await this.#host.perform(
        { kind: 'run-command', command: script },
        { cwd: cwd ?? undefined, signal: kill.signal, onOutput: take },
      );
      // What was not let run has said nothing: why is what the agent is told.
      if (result.exitCode === null && result.message !== undefined) take(`${result.message}\n`);
      return (terminal.exit = { exitCode: result.exitCode ?? 1, signal: result.signal });
    };
    terminal.ended = run();
    this.#all.set(id, terminal);
    return id;
  }

  look(id: string): TerminalOutputResponse {
    const { output, isCut: truncated, exit: exitStatus } = this.#named(id);
    return { output, truncated, exitStatus };
  }

  exited(id: string): Promise<TerminalExitStatus> {
    return this.#named(id).ended;
  }

  async kill(id: string): Promise<void> {
    const { kill, ended } = this.#named(id);
    kill.abort('cancelled');
    await ended;
  }

  async release(id: string): Promise<void> {
    await this.kill(id);
    this.#all.delete(id);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#all.keys()].map((id) => this.release(id)));
  }

  #named(id: string): Terminal {
    const found = this.#all.get(id);
    if (found === undefined) throw new Error(`there is no terminal ${id}`);
    return found;
  }
}
