// Usage: node scripts/arrows.ts [ROOT]

import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

export interface Violation {
  rule: string;
  from: string;
  to: string;
  advice: string;
}

export interface Arrows {
  violations: Violation[];
  /** Source files that the scan did not see: it proves nothing about them. */
  unseen: string[];
  modules: number;
}

const folders = ['src', 'bin', 'scripts', 'test', 'bench', 'web/src'];

/**
 * Checks every import under `root` against the rules of its .dependency-cruiser.cjs. A scanner that cannot read
 * TypeScript passes over it in silence, so each file on the disk must be among those it saw.
 */
export async function checkArrows(root: string): Promise<Arrows> {
  const config = join(root, '.dependency-cruiser.cjs');
  const options = await extractDepcruiseOptions(config);
  const present = folders.filter((folder) => existsSync(join(root, folder)));
  const { output } = await cruise(present, { ...options, baseDir: root, validate: true });
  const { modules, summary } = output as ICruiseResult;
  const advice = new Map(options.ruleSet?.forbidden?.map(({ name, comment }) => [name, comment]));
  const seen = new Set(modules.map(({ source }) => source));
  const files = globSync('src/**/*.ts', { cwd: root });
  return {
    modules: seen.size,
    unseen: files.length === 0 ? ['src/**/*.ts'] : files.filter((file) => !seen.has(file)),
    violations: summary.violations.map(({ rule, from, to }) => ({
      rule: rule.name,
      from,
      to,
      advice: advice.get(rule.name) ?? '',
    })),
  };
}

export function report({ violations, unseen, modules }: Arrows): { ok: boolean; text: string } {
  const lines = [
    ...violations.map(({ rule, from, to, advice }) => `${from} → ${to}\n  ${rule}: ${advice}`),
    ...unseen.map((file) => `${file}\n  not scanned: nothing is known about its imports`),
  ];
  if (lines.length === 0) return { ok: true, text: `${modules} modules, every arrow as it should be` };
  return { ok: false, text: lines.join('\n') };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { ok, text } = report(await checkArrows(process.argv[2] ?? process.cwd()));
  process.stdout.write(`${text}\n`);
  process.exitCode = ok ? 0 : 1;
}
