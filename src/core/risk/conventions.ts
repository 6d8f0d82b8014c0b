import { originIn } from './origins.ts';
import type { RuleInfo, SimpleCommand, Where, Written } from './types.ts';

export const packageScripts: RuleInfo = {
  id: 'action-package-scripts',
  level: 'dangerous',
  sentence: 'Changes a file that build tools and package managers run by themselves.',
  reversible: true,
};

/**
 * Files that programs run by convention, without being told their names. Writing those of the first kind is asked about;
 * those of the second are sources like others, and asked about when something is run that nobody could read.
 */
const conventions: readonly (readonly [programs: string, asked: string, sources?: string])[] = [
  ['make gmake', 'Makefile|GNUmakefile|makefile|[^/]+\\.mk'],
  [
    'npm npx pnpm pnpx yarn bun bunx corepack lerna nx turbo',
    'package\\.json|\\.pnpmfile\\.cjs|\\.yarnrc(?:\\.yml)?|\\.npmrc',
    '[^/]+\\.config\\.[cm]?[jt]s|\\.eslintrc\\.[cm]?js|bunfig\\.toml',
  ],
  [
    'pip pip3 pipx uv poetry hatch pdm flit build tox nox pytest py.test',
    'setup\\.py|pyproject\\.toml|conftest\\.py|tox\\.ini|noxfile\\.py',
    'setup\\.cfg|pytest\\.ini|sitecustomize\\.py|[^/]+\\.pth|test_[^/]+\\.py|[^/]+_test\\.py',
  ],
  ['cargo', 'build\\.rs', 'Cargo\\.toml|\\.cargo/config(?:\\.toml)?'],
  ['go', '', '[^/]+\\.go'],
  [
    'gradle gradlew',
    'build\\.gradle(?:\\.kts)?',
    'settings\\.gradle(?:\\.kts)?|gradle\\.properties|init\\.gradle',
  ],
  ['mvn mvnw', '', 'pom\\.xml|\\.mvn/[^/]+'],
  ['rake bundle gem', 'Rakefile', 'Gemfile|[^/]+\\.gemspec'],
  [
    'docker podman docker-compose buildah',
    'Dockerfile|docker-compose\\.ya?ml',
    'Containerfile|compose\\.ya?ml',
  ],
  ['just', 'justfile', 'Justfile|\\.justfile'],
  ['task', '', 'Taskfile\\.ya?ml'],
  [
    'cmake ctest cpack meson ninja bazel scons',
    '',
    'CMakeLists\\.txt|[^/]+\\.cmake|meson\\.build|build\\.ninja|BUILD(?:\\.bazel)?|SConstruct',
  ],
  ['composer', '', 'composer\\.json'],
  ['terraform tofu', '', '[^/]+\\.tf'],
  ['vagrant', '', 'Vagrantfile'],
  ['direnv', '', '\\.envrc'],
  ['claude', '\\.claude/(?:skills|agents)/.+\\.md'],
  [
    'git lefthook pre-commit husky',
    'lefthook\\.ya?ml|\\.pre-commit-config\\.ya?ml',
    '\\.gitattributes|\\.git/config|\\.git/hooks/[^/]+|\\.(?:husky|githooks)/[^/]+',
  ],
];

const named = (sources: readonly string[]): RegExp =>
  new RegExp(`(?:^|/)(?:${sources.filter(Boolean).join('|')})$`);

const asked = named(conventions.map(([, files]) => files));
const byProgram = new Map(
  conventions.flatMap(([programs, ...files]) => {
    const pattern = named(files as string[]);
    return programs.split(' ').map((program) => [program, pattern] as const);
  }),
);

/** Of a file that holds more than what is run, what says that something is. */
const runsByItself =
  /"(?:pre|post)?(?:install|prepare|publish|pack|test|start|build|version)"\s*:(?!\s*"\d)|\bcmdclass\b|entry_points|\[tool\.[\w.]*(?:scripts|hooks)|^["']?hooks["']?\s*:/m;

/** Whether writing this there is asked about. `text`: what is put into it, as far as it is known. */
export const changesScripts = (path: string, text: string | null): boolean =>
  asked.test(path) && (!/\.(?:json|toml|md)$/.test(path) || text === null || runsByItself.test(text));

/** A program that runs what it finds would run something that was written, or fetched, unseen. */
export function runsUnseen(command: SimpleCommand, written: Written, where: Where): boolean {
  if (written.files.size === 0 && written.folders.size === 0) return false;
  const module =
    /^python[\d.]*$/.test(command.name) && command.args[0]?.value === '-m' ? command.args[1] : undefined;
  const name = module?.value ?? command.name;
  const pattern = byProgram.get(name);
  if (!pattern) return false;
  for (const [file, origin] of written.files) if (origin === 'unseen' && pattern.test(file)) return true;
  // A repository that was fetched brings no hooks; what is built in it is another matter.
  if (written.folders.size === 0 || name === 'git') return false;
  const places = ['.', ...command.args.map(({ value }) => value.replace(/^-{1,2}[\w-]*=/, ''))];
  return places.some((place) => !place.startsWith('-') && originIn(written, place, where) === 'unseen');
}
