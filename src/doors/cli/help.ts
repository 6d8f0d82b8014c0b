import type { Command, Option } from './command.ts';
import { registry } from './registry.ts';

export function generalHelp(): string {
  const width = Math.max(...registry.map((entry) => entry.name.length));
  const lines = registry.map((entry) => `  ${entry.name.padEnd(width)}  ${entry.about}`);
  return [
    'planwright: plans that a person can read, run for real, and nothing behind your back',
    '',
    'Usage: planwright COMMAND [options]',
    '',
    ...lines,
    '',
    'planwright COMMAND --help says more. A missing RUN means one of this folder, or of the nearest above it that has',
    'runs. Of an id the first four characters do.',
  ].join('\n');
}

export function commandHelp({ name, about, usage, options }: Command): string {
  const rows = Object.entries(options).map(([key, option]) => [flagOf(key, option), option.about] as const);
  const all = [...rows, ['-h, --help', 'Print this'] as const];
  const width = Math.max(...all.map(([flag]) => flag.length));
  return [
    `Usage: planwright ${name} ${usage}`.trimEnd(),
    '',
    `${about}.`,
    '',
    ...all.map(([flag, text]) => `  ${flag.padEnd(width)}  ${text}`),
  ].join('\n');
}

function flagOf(key: string, option: Option): string {
  const value = option.type === 'string' ? ` ${option.value ?? 'VALUE'}` : '';
  return `${option.short ? `-${option.short}, ` : '    '}--${key}${value}`;
}
