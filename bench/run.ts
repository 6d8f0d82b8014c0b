// Usage: npm run bench [-- FOLDER…]
//
// Finds what bench/*/ measures, takes one after the other, prints one table and writes bench/results/latest.json.
// A missed target is shown, not punished: another machine gives other numbers. A bench that throws is a failure.

import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, type } from 'node:os';
import { dirname, join } from 'node:path';
import { judge, type Row } from './row.ts';

type Bench = () => Promise<Row[]>;
type Measured = Row & { bench: string };

const here = import.meta.dirname;
const only = process.argv.slice(2);

/** Every exported function of bench/<folder>/*.ts whose name begins with `bench`, once. */
async function findBenches(): Promise<Map<Bench, string>> {
  const found = new Map<Bench, string>();
  for (const file of globSync('*/*.ts', { cwd: here }).toSorted()) {
    const folder = dirname(file);
    if (only.length > 0 && !only.includes(folder)) continue;
    const offered: Record<string, unknown> = await import(join(here, file));
    for (const [name, value] of Object.entries(offered)) {
      if (name.startsWith('bench') && typeof value === 'function') found.set(value as Bench, folder);
    }
  }
  return found;
}

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

function line(row: Measured): string[] {
  const judged = judge(row);
  const mark = judged === null ? '' : judged.isMet ? '✓' : '✗';
  const value = `${number.format(row.value)} ${row.unit}`;
  return [row.bench, row.name, value, judged?.target ?? '', mark, row.note ?? ''];
}

function table(rows: Measured[]): string {
  const lines = [['', 'what', 'measured', 'target', '', ''], ...rows.map(line)];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const pad = (cells: string[]) => cells.map((cell, at) => cell.padEnd(widths[at]!));
  return lines.map((cells) => pad(cells).join('  ').trimEnd()).join('\n');
}

async function take(bench: Bench, folder: string): Promise<Measured[]> {
  process.stderr.write(`${folder}: ${bench.name} …\n`);
  try {
    return (await bench()).map((row) => ({ bench: folder, ...row }));
  } catch (error) {
    process.stderr.write(`${folder}: ${error instanceof Error ? error.stack : error}\n`);
    process.exitCode = 1;
    return [];
  }
}

const rows: Measured[] = [];
for (const [bench, folder] of await findBenches()) rows.push(...(await take(bench, folder)));
if (rows.length === 0) process.exitCode = 1;
process.stdout.write(`${table(rows)}\n`);

const results = join(here, 'results');
mkdirSync(results, { recursive: true });
const machine = { node: process.version, system: `${type()} ${release()}`, cores: cpus().length };
const text = JSON.stringify({ at: new Date().toISOString(), machine, rows }, null, 2);
writeFileSync(join(results, 'latest.json'), `${text}\n`);
