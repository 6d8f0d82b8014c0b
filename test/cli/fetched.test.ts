import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { type Bench, openBench, planOf } from '../support/cli.ts';
import { start } from '../support/processes.ts';
import { BIN } from '../support/program.ts';
import { inTerminal, sitDown } from '../terminal/terminal.ts';

const page =
  '# Set up\n\n## Install\n\n```sh\necho hello > made\n```\n\n## Clean\n\n```sh\necho bye > cleaned\n```\n';
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** A page on this machine that can be changed, and how often it was asked for. */
async function served<T>(work: (at: { address: string; text: string; asked: number }) => Promise<T>) {
  const at = { address: '', text: page, asked: 0 };
  const server = createServer((_, response) => {
    at.asked += 1;
    response.end(at.text);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  at.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/setup.md`;
  try {
    return await work(at);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function withBench(work: (bench: Bench) => Promise<void>) {
  const bench = openBench({ here: true });
  try {
    await work(bench);
  } finally {
    bench.clean();
  }
}

it('what nobody has seen is not agreed on by --yes, nor where nobody can be asked', () =>
  served((at) =>
    withBench(async (bench) => {
      for (const flags of [['--yes'], [], ['--json'], ['--detach', '--yes']]) {
        const { code, stderr } = await bench.run(['run', at.address, ...flags]);
        expect([code, at.asked]).toEqual([3, 0]);
        expect(stderr).toContain(`nobody has seen what ${at.address} says`);
      }
      expect(JSON.parse((await bench.run(['runs', '--json'])).stdout)).toEqual([]);
      const looked = await bench.run(['run', at.address, '--dry-run']);
      expect(looked).toMatchObject({ code: 0, stderr: expect.stringContaining(`sha256 ${hashOf(page)}`) });
      expect(looked.stdout).toContain('echo hello > made');
      expect(existsSync(bench.path('made'))).toBe(false);
    }),
  ));

it('by its hash it is run, once fetched, and kept with the run as it was', () =>
  served((at) =>
    withBench(async (bench) => {
      const by = ['--only', 'Install', '--sha256', hashOf(page).toUpperCase()];
      const { code, stderr } = await bench.run(['run', at.address, ...by]);
      expect(code, stderr).toBe(0);
      expect(at.asked).toBe(1);
      expect([existsSync(bench.path('made')), existsSync(bench.path('cleaned'))]).toEqual([true, false]);
      at.text = 'something else';
      expect((await bench.run(['show', '--fetched'])).stdout).toBe(page);
      const [created] = (await bench.run(['show', '--events'])).stdout.split('\n');
      expect(JSON.parse(created!)).toMatchObject({
        fetched: { address: at.address, sha256: hashOf(page), bytes: page.length },
        plan: { steps: [{ source: { file: at.address, line: 5 } }] },
      });
    }),
  ));

it('what is there now and is not what was agreed on is refused, and no run is made', () =>
  served((at) =>
    withBench(async (bench) => {
      at.text = page.replace('hello', 'other');
      const { code, stderr } = await bench.run(['run', at.address, '--yes', '--sha256', hashOf(page)]);
      expect(code).toBe(2);
      expect(stderr).toContain(`is not what was agreed on: its sha256 is ${hashOf(at.text)}`);
      expect(JSON.parse((await bench.run(['runs', '--json'])).stdout)).toEqual([]);
      const short = await bench.run(['run', at.address, '--sha256', 'abc']);
      expect(short).toMatchObject({ code: 2, stderr: expect.stringContaining('64 digits') });
      bench.write('plan.yaml', planOf('true'));
      const file = await bench.run(['run', 'plan.yaml', '--sha256', hashOf(page)]);
      expect(file).toMatchObject({ code: 2, stderr: expect.stringContaining('a plan at an address') });
      expect((await bench.run(['show', '--fetched'])).code).toBe(2);
    }),
  ));

it('a step of a run fetches no plan', () =>
  served((at) =>
    withBench(async (bench) => {
      const again = `'${process.execPath}' '${BIN}' run ${at.address} --sha256 ${hashOf(page)}`;
      bench.write('plan.yaml', planOf(`PLANWRIGHT_HOME='${bench.home}' ${again}`));
      const { code, stdout, stderr } = await bench.start(['run', 'plan.yaml', '--yes']).ended;
      expect(code).toBe(1);
      expect(stdout + stderr).toContain('runs fetch no plans');
      expect([at.asked, existsSync(bench.path('made'))]).toEqual([0, false]);
    }),
  ));

it('of a page from stdin a heading is taken, whatever its steps are called', () =>
  withBench(async (bench) => {
    const two = page.replace('\n## Clean', '\n```sh\necho more > also\n```\n\n## Clean');
    const args = [BIN, 'run', '-', '--only', 'Install', '--yes'];
    const env = { ...process.env, PLANWRIGHT_HOME: bench.home };
    const options = { cwd: bench.workspace, env, input: two };
    const { code, stderr } = await start(process.execPath, args, options).ended;
    expect(code, stderr).toBe(0);
    const made = ['made', 'also', 'cleaned'].map((name) => existsSync(bench.path(name)));
    expect(made).toEqual([true, true, false]);
  }));

inTerminal('at a terminal', () => {
  it('its steps are shown with its hash, and run when a person has agreed', (test) =>
    served(async (at) => {
      const { bench, pane, type, ended } = sitDown(test);
      type(`run ${at.address}`);
      const asked = await pane.until(/\/n:$/);
      expect(asked.replaceAll('\n', '')).toContain(hashOf(page));
      expect(asked).toContain('echo hello > made');
      at.text = page.replace('hello', 'other');
      pane.send('y');
      expect((await ended()).code).toBe(0);
      expect([at.asked, existsSync(bench.path('made'))]).toEqual([1, true]);
    }));
});
