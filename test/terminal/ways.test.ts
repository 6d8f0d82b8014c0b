import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inTerminal, sitDown } from './terminal.ts';

const page = `# Install

Download it:

\`\`\`sh
curl -fsS https://example.org/data > data
\`\`\`

or:

\`\`\`sh
wget -qO- https://example.org/data > data
\`\`\`
`;

inTerminal('a page with several ways to do the same', () => {
  it('asks which, and shows the plan with that one', async (test) => {
    // Both are on the machine, whatever it has otherwise.
    const programs = mkdtempSync(join(tmpdir(), 'planwright-ways-'));
    test.onTestFinished(() => rmSync(programs, { recursive: true, force: true }));
    for (const name of ['curl', 'wget']) writeFileSync(join(programs, name), '#!/bin/sh\n', { mode: 0o755 });
    const env = { PATH: `${programs}:${process.env['PATH']}` };
    const { bench, pane, type, ended } = sitDown(test, { columns: 100, env });
    bench.write('PAGE.md', page);
    type('run PAGE.md');
    await pane.until(/several ways[\s\S]*1 {2}curl[\s\S]*2 {2}wget[\s\S]*1\/2:$/);
    pane.send('2');
    const asked = await pane.until(/\/n:$/);
    expect(asked).toContain('wget -qO- https://example.org/data');
    expect(asked).toContain('curl is another way to do this, and wget was taken');
    pane.send('n');
    expect((await ended()).code).toBe(1);
  });
});
