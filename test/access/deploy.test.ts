import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readArguments } from '../../src/doors/cli/command.ts';
import { registry } from '../../src/doors/cli/registry.ts';

const folder = join(import.meta.dirname, '../../deploy');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Throws where our own command line would. */
function mustFit([name, ...args]: readonly string[]): void {
  const command = registry.find((candidate) => candidate.name === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  readArguments(command, [...args]);
}

test('what the compose file starts is there, and is told what it takes', () => {
  const { services, volumes } = parse(read('compose.yaml')) as {
    services: Record<string, { command?: string[]; volumes?: string[]; depends_on?: object }>;
    volumes: object;
  };
  expect(Object.keys(services)).toEqual(['postgres', 'setup', 'server', 'worker']);
  for (const { command, volumes: used = [], depends_on: awaited = {} } of Object.values(services)) {
    if (command !== undefined) mustFit(command);
    for (const service of Object.keys(awaited)) expect(Object.keys(services)).toContain(service);
    for (const [from = ''] of used.map((each) => each.split(':'))) {
      if (from.startsWith('./')) expect(readdirSync(folder)).toContain(from.slice(2));
      else expect(Object.keys(volumes)).toContain(from);
    }
  }
  expect(spawnSync('sh', ['-n', join(folder, 'roles.sh')]).status).toBe(0);
});

const units = readdirSync(folder).filter((name) => name.endsWith('.service'));
const canVerify = spawnSync('systemd-analyze', ['--version']).status === 0;

test('units start what there is', () => {
  expect(units).toHaveLength(2);
  for (const unit of units) {
    const [, line = ''] = /^ExecStart=\/usr\/bin\/env planwright (.+)$/m.exec(read(unit)) ?? [];
    mustFit(line.split(' '));
  }
});

test.skipIf(!canVerify)('units are as systemd wants them', () => {
  const { status, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', '--man=no', '--recursive-errors=no', ...units.map((unit) => join(folder, unit))],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, '']);
});
