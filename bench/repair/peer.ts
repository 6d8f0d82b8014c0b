import { spawnSync } from 'node:child_process';
import { parsePlanFile } from '../../src/core/plan/file/index.ts';
import { openPlace } from './place.ts';
import type { Scenario } from './scenario.ts';
import { isInstalled, type Trial } from './trial.ts';

/** What thefuck makes of a scenario: each failed command is replaced by its first answer, unasked, as `fuck -y` does. */
export const hasPeer = (): boolean => isInstalled('thefuck');

const MOST_ANSWERS = 3;
const MAX_MS = 60_000;

/** Commands only: what else a plan may say is nothing that a shell would be corrected in. */
function commandsOf({ plan, name }: Scenario): string[] | null {
  const read = parsePlanFile(plan.replaceAll(/@PORT2?@/g, '8123'), { file: name });
  if (!read.ok) return null;
  const commands = read.plan.steps.flatMap(({ action }) =>
    action.kind === 'run-command' ? action.command : [],
  );
  return commands.length === read.plan.steps.length ? commands : null;
}

/** Same scoring as ours: `untried` where its plan is more than commands. */
export async function tryPeer(scenario: Scenario): Promise<Trial['outcome']> {
  const commands = commandsOf(scenario);
  if (commands === null || scenario.needs.some((program) => !isInstalled(program))) return 'untried';
  const place = await openPlace(scenario);
  try {
    const folder = `cd "$(cat "$HOME/.at" 2>/dev/null || pwd)" || exit 1\n`;
    const leave = '\nstatus=$?; pwd > "$HOME/.at"; exit $status';
    let isDone = true;
    for (const command of commands) {
      let text = command;
      isDone = place.script(`${folder}${text}${leave}`).ok;
      for (let answers = 0; !isDone && answers < MOST_ANSWERS; answers++) {
        const answer = correct(text, place);
        if (answer === null || answer === text) break;
        text = answer;
        isDone = place.script(`${folder}${text}${leave}`).ok;
      }
      if (!isDone) break;
    }
    const check = place.script(scenario.check).ok;
    if (scenario.worse !== null && !place.script(scenario.worse).ok) return 'worse';
    if (scenario.expect === 'declined') return isDone || !check ? 'worse' : 'declined';
    // It asks before everything; here it is told yes, as whoever types `fuck` would.
    if (scenario.expect === 'asked' && isDone && check) return 'asked';
    return isDone ? (check ? 'mended' : 'worse') : 'declined';
  } finally {
    place.clean();
  }
}

function correct(
  command: string,
  { workspace, env }: { workspace: string; env: NodeJS.ProcessEnv },
): string | null {
  const run = spawnSync('thefuck', ['--yes', command], {
    cwd: workspace,
    env: {
      ...env,
      PATH: process.env['PATH'],
      TF_SHELL: 'bash',
      TF_ALIAS: 'fuck',
      THEFUCK_REQUIRE_CONFIRMATION: 'false',
    },
    encoding: 'utf8',
    timeout: MAX_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const text = run.stdout.trim();
  return run.status === 0 && text !== '' ? text : null;
}
