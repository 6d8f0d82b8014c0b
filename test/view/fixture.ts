/**
 * A run that a test tells key by key, drawn by the real live view in a real terminal. Each `n` goes on to the
 * next stage, so a test looks at a stage for as long as it likes. The clock is the story's: frames are stable.
 */
import process from 'node:process';
import { setInterval } from 'node:timers';
import { openQuestion } from '../../src/core/contract/told/index.ts';
import {
  command,
  dangerous,
  docsPlan,
  printAction,
  tellStory,
} from '../../src/core/contract/told/testing.ts';
import { renderOpen } from '../../src/doors/cli/render/questions.ts';
import { createStyle } from '../../src/doors/cli/render/style.ts';
import { renderFinal } from '../../src/doors/cli/render/summary.ts';
import { createLiveView } from '../../src/doors/cli/screens/live-view.ts';
import { createTail } from '../../src/doors/cli/screens/tail.ts';

const { stderr, stdin, env } = process;
const style = createStyle({ env, isTTY: stderr.isTTY });
const size = () => ({ columns: stderr.columns, rows: stderr.rows });
const story = tellStory(docsPlan());
const tail = createTail();
const view = createLiveView({
  stream: stderr,
  style,
  size,
  title: '0193a7c2',
  clock: {
    now: () => story.now,
    every(ms, tick) {
      const timer = setInterval(tick, ms);
      return () => clearInterval(timer);
    },
  },
});
const look = () => ({ style, width: size().columns, home: '/home/ada', printAction });

const stages: (() => void)[] = [
  () => story.agree().start(1).finish(1, 40).start(2).wait(3200),
  () =>
    tail.push(
      'npm warn deprecated glob@7.2.3\n\x1b[2Jadded 214 packages\x1b[31m in 3s\nüberraschung 日本語 🎉\n',
    ),
  () => {
    story.finish(2, 8000).start(3).finish(3, 1900).start(4).wait(6300);
    tail.clear();
    for (let page = 1; page <= 40; page += 1) tail.push(`rendered page ${page}\n`);
  },
  () => {
    const subject = {
      run: 'r',
      stepId: 's5',
      revision: 0,
      action: command('find build -type f -delete'),
      cwd: story.state.workspace,
      paths: [],
    };
    story.finish(4, 0).tell({
      type: 'approval-needed',
      approvalId: 's5.1',
      verdict: dangerous,
      subject,
      fingerprint: 'f',
    });
    view.suspend();
    const question = openQuestion(story.state);
    if (question === null) throw new Error('nothing is asked');
    stderr.write(`${renderOpen(question, story.state, look()).join('\n')}\n> `);
  },
  () => {
    stderr.write('a\n\n');
    story
      .ask({ type: 'approval-decided', approvalId: 's5.1', decision: 'approve' })
      .tell({ type: 'approval-granted', approvalId: 's5.1', answers: story.state.seq })
      .start(5)
      .wait(100);
    tail.clear();
    view.resume();
  },
  () => {
    story
      .fail(5, 100, {
        exitCode: 17,
        message: 'The command exited with 17.',
        stderrTail: 'cp: no such folder\n',
      })
      .tell({ type: 'run-paused', reason: 'step-failed', message: 'The command exited with 17.' });
    view.finish(renderFinal(story.state, { ...look(), now: story.now, id: '0193a7c2' }));
    stdin.setRawMode(false);
    process.exit(1);
  },
];

let stage = 0;
const advance = () => {
  stages[stage]?.();
  stage += 1;
  view.update(story.state, tail.lines());
};
// Raw, so that the terminal does not echo the keys into the frame; `q` raises what Ctrl-C would.
stdin.setRawMode(true);
stdin.on('data', (keys: Buffer) => {
  for (const key of keys.toString()) {
    if (key === 'n') advance();
    if (key === 'q') process.kill(process.pid, 'SIGINT');
  }
});
advance();
