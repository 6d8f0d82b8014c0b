import { execFileSync } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { bundled } from '../support/program.ts';
import { openPane, type Pane } from './tmux.ts';

/** The live view as a person sees it: in a real terminal. */

const hasTmux = (() => {
  try {
    execFileSync('tmux', ['-V']);
    return true;
  } catch {
    return false;
  }
})();

const fixture = bundled(import.meta.dirname, 'fixture.ts');
let pane: Pane;

function play(columns: number, rows: number, env: Record<string, string> = {}): Pane {
  pane = openPane(
    columns,
    rows,
    { LANG: 'C.UTF-8', LC_ALL: '', ...env },
    `clear; '${process.execPath}' '${fixture}'`,
  );
  return pane;
}

/** One copy of the goal: a frame that was not replaced in place would leave another. */
const copies = (screen: string, text: string) => screen.split(text).length - 1;

describe.runIf(hasTmux)('in a terminal', () => {
  afterEach(() => pane.close());

  test('a run at 80×24, from its first step to its summary', async () => {
    const { send, until, everything, cursorVisible } = play(80, 24);
    await until(/Running step 2 of 9 · 1 done/);
    expect(cursorVisible()).toBe(false);
    send('n');
    expect(await until(/🎉/)).toBe(
      ` Build the docs site, serve it on 8080 and check every page            0193a7c2
 ◉ Running step 2 of 9 · 1 done                                           3.2 s
 ━━━━━━━━──────────────────────────────────────────────────────────────────────

 ● 1  Make the output folder                                              0.0 s
 ⠙ 2  Install dependencies                                                3.2 s
 │    npm warn deprecated glob@7.2.3
 │    added 214 packages in 3s
 │    überraschung 日本語 🎉
 ○ 3  Lint the Markdown
 ○ 4  Render pages
 ○ 5  Publish into build/
 ○ 6  Serve build/ on port 8080
 ○ 7  Check that every page answers
 ○ 8  Write the report
 ○ 9  Tell the docs channel by hand

 Ctrl-C to rest and resume later, twice to cancel`,
    );
    send('n');
    expect(await until(/rendered page 40/)).not.toContain('rendered page 34');
    send('n');
    const asked = await until(/Step 5 of 9 is dangerous/);
    expect(asked).not.toContain('Running');
    expect(cursorVisible()).toBe(true);
    send('n');
    await until(/Running step 5 of 9/);
    send('n');
    const final = await until(/Resume {2}planwright resume 0193a7c2\n\$$/);
    expect(final).toContain(' ✗ 5  Publish into build/  exit 17 ');
    expect(final).toContain('planwright resume 0193a7c2');
    expect(cursorVisible()).toBe(true);
    expect(copies(everything(), 'Build the docs site')).toBe(1);
  });

  test('a run at 40×15 shows the steps around the current one', async () => {
    const { send, until, everything } = play(40, 15);
    await until(/Running step 2 of 9/);
    send('n', 'n');
    expect(await until(/rendered page 40/)).toBe(
      ` Build the docs site, serve it on 8080…
 ◉ Running step 4 of 9 · 3 done  19.4 s
 ━━━━━━━━━━━━──────────────────────────

      … 2 more above
 ● 3  Lint the Markdown           1.9 s
 ⠦ 4  Render pages                6.3 s
 │    rendered page 38
 │    rendered page 39
 │    rendered page 40
 ○ 5  Publish into build/
      … 4 more below

 Ctrl-C to rest, twice to cancel`,
    );
    expect(copies(everything(), 'Build the docs site')).toBe(1);
  });

  test.each([
    ['narrower', 50, 24, /Ctrl-C to rest, twice to cancel/],
    ['wider', 100, 30, /─{80}/],
    ['lower', 80, 10, /… 5 more below/],
  ])('a %s terminal is drawn anew, and shows no torn lines', async (_, columns, rows, drawn) => {
    const { resize, until } = play(80, 24);
    await until(/Running step 2 of 9 · 1 done/);
    resize(columns, rows);
    const screen = await until(drawn);
    expect(copies(screen, 'Running step 2 of 9')).toBe(1);
    expect(copies(screen, 'Install dependencies')).toBe(1);
  });

  test('NO_COLOR has shapes and no colours', async () => {
    const { until, visible } = play(80, 24, { NO_COLOR: '1' });
    await until(/Running step 2 of 9/);
    expect(visible({ colors: true })).not.toContain('\x1b');
  });

  test('with colours, done is green', async () => {
    const { until, visible } = play(80, 24);
    await until(/Running step 2 of 9/);
    expect(visible({ colors: true })).toContain('\x1b[32m●');
  });

  test('without a UTF-8 locale everything is ASCII', async () => {
    const { until } = play(80, 24, { LANG: 'C' });
    expect(await until(/Running step 2 of 9 - 1 done/)).toMatch(/^[\x0a\x20-\x7e]*$/);
  });

  test('a signal that nobody handles ends it and gives the cursor back', async () => {
    const { send, until, cursorVisible } = play(80, 24);
    await until(/Running step 2 of 9/);
    send('q');
    const screen = await until(/\n\$$/);
    expect(screen).toContain('Running step 2 of 9');
    expect(cursorVisible()).toBe(true);
  });
});
