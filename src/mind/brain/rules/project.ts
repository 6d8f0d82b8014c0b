import { shellWord } from '../../../core/shell/index.ts';
import { insertAfter } from '../command/edit.ts';
import { type MendingRule, only, verbOf } from './rule.ts';

export const manifestElsewhere: MendingRule = {
  id: 'project-one-folder-down',
  about: 'The project file that the tool looks for lies in exactly one folder below.',
  async propose(seen) {
    for (const { programs, said, file, option, after } of projects) {
      const simple = only(seen, ...programs);
      if (simple === null || !said.test(seen.output)) continue;
      if ((await seen.probe.kind(file)) === 'file') continue;
      const found: string[] = [];
      for (const entry of ((await seen.probe.entries('.')) ?? []).slice(0, 60)) {
        if (entry === 'node_modules' || entry.startsWith('.')) continue;
        if ((await seen.probe.kind(`${entry}/${file}`)) === 'file') found.push(entry);
      }
      if (found.length !== 1) continue;
      const at = (after === 'verb' ? verbOf(simple) : null) ?? simple.name;
      return {
        modify: insertAfter(seen.tree, at, option(shellWord(found[0]!))),
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
  readonly option: (folder: string) => string;
  /** Where the option stands: after the name of the program, unless said. */
  readonly after?: 'verb';
}

const projects: readonly Project[] = [
  {
    programs: ['npm'],
    said: /Could not read package\.json|ENOENT[^\n]*package\.json/,
    file: 'package.json',
    option: (folder) => `--prefix ${folder}`,
  },
  {
    programs: ['pnpm'],
    said: /ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND|No package\.json/,
    file: 'package.json',
    option: (folder) => `-C ${folder}`,
  },
  {
    programs: ['yarn'],
    said: /Couldn't find a package\.json/,
    file: 'package.json',
    option: (folder) => `--cwd ${folder}`,
  },
  {
    programs: ['cargo'],
    said: /could not find `Cargo\.toml`/,
    file: 'Cargo.toml',
    option: (folder) => `--manifest-path ${folder}/Cargo.toml`,
    after: 'verb',
  },
  {
    programs: ['make', 'gmake'],
    said: /no makefile found|No rule to make target [^\n]*Stop/i,
    file: 'Makefile',
    option: (folder) => `-C ${folder}`,
  },
  {
    programs: ['mvn'],
    said: /there is no POM in this directory/,
    file: 'pom.xml',
    option: (folder) => `-f ${folder}/pom.xml`,
  },
  {
    programs: ['go'],
    said: /go\.mod file not found|cannot find main module/,
    file: 'go.mod',
    option: (folder) => `-C ${folder}`,
    after: 'verb',
  },
  {
    programs: ['docker', 'docker-compose'],
    said: /no configuration file provided: not found/,
    file: 'docker-compose.yml',
    option: (folder) => `-f ${folder}/docker-compose.yml`,
    after: 'verb',
  },
  {
    programs: ['terraform'],
    said: /No configuration files|contains no Terraform configuration/,
    file: 'main.tf',
    option: (folder) => `-chdir=${folder}`,
  },
];
