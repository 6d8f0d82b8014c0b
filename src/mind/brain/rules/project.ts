import { shellWord } from '../../../core/shell/index.ts';
import { insertAfter } from '../command/edit.ts';
import { type MendingRule, only, verbOf } from './rule.ts';

export const manifestElsewhere: MendingRule = {
  id: 'project-one-folder-down',
  about: 'The project file that the tool looks for lies in exactly one folder below.',
  async propose(seen) {
    for (const { programs, said, file, text } of projects) {
      const simple = only(seen, ...programs);
      if (simple === null || !said.test(seen.output)) continue;
      if ((await seen.probe.kind(file)) === 'file') continue;
      const found: string[] = [];
      for (const entry of ((await seen.probe.entries('.')) ?? []).slice(0, 60)) {
        if (entry === 'node_modules' || entry.startsWith('.')) continue;
        if ((await seen.probe.kind(`${entry}/${file}`)) === 'file') found.push(entry);
      }
      if (found.length !== 1) continue;
      const inserted = text(shellWord(found[0]!));
      const at = inserted.after === 'verb' ? (verbOf(simple) ?? simple.name) : simple.name;
      return {
        modify: insertAfter(seen.tree, at, inserted.text),
        reasoning: `${file} is not here but in \`${found[0]}\`, the only folder that has one.`,
        confidence: 0.78,
      };
    }
    return null;
  },
};

interface Project {
  readonly programs: readonly string[];
  readonly said: RegExp;
  readonly file: string;
  readonly text: (folder: string) => { readonly text: string; readonly after: 'name' | 'verb' };
}

const projects: readonly Project[] = [
  {
    programs: ['npm'],
    said: /Could not read package\.json|ENOENT[^\n]*package\.json/,
    file: 'package.json',
    text: (folder) => ({ text: `--prefix ${folder}`, after: 'name' }),
  },
  {
    programs: ['pnpm'],
    said: /ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND|No package\.json/,
    file: 'package.json',
    text: (folder) => ({ text: `-C ${folder}`, after: 'name' }),
  },
  {
    programs: ['yarn'],
    said: /Couldn't find a package\.json/,
    file: 'package.json',
    text: (folder) => ({ text: `--cwd ${folder}`, after: 'name' }),
  },
  {
    programs: ['cargo'],
    said: /could not find `Cargo\.toml`/,
    file: 'Cargo.toml',
    text: (folder) => ({ text: `--manifest-path ${folder}/Cargo.toml`, after: 'verb' }),
  },
  {
    programs: ['make', 'gmake'],
    said: /no makefile found|No rule to make target [^\n]*Stop/i,
    file: 'Makefile',
    text: (folder) => ({ text: `-C ${folder}`, after: 'name' }),
  },
  {
    programs: ['mvn'],
    said: /there is no POM in this directory/,
    file: 'pom.xml',
    text: (folder) => ({ text: `-f ${folder}/pom.xml`, after: 'name' }),
  },
  {
    programs: ['go'],
    said: /go\.mod file not found|cannot find main module/,
    file: 'go.mod',
    text: (folder) => ({ text: `-C ${folder}`, after: 'verb' }),
  },
  {
    programs: ['docker', 'docker-compose'],
    said: /no configuration file provided: not found/,
    file: 'docker-compose.yml',
    text: (folder) => ({ text: `-f ${folder}/docker-compose.yml`, after: 'verb' }),
  },
  {
    programs: ['terraform'],
    said: /No configuration files|contains no Terraform configuration/,
    file: 'main.tf',
    text: (folder) => ({ text: `-chdir=${folder}`, after: 'name' }),
  },
];
