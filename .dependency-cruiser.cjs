/**
 * Who may import whom. `npm run check` fails on any other arrow (scripts/arrows.ts), and test/house plants one
 * of each kind to see that it does. Rooms and arrows are those of ARCHITECTURE.md.
 */

const { join } = require('node:path');

/** From the top down: a floor imports those below it. */
const floors = ['doors', 'mind', 'world', 'core'];

/** The arrows within each floor, room by room. A room that is not here may import nothing and not be imported. */
const rooms = {
  core: {
    contract: [],
    shell: ['contract'],
    risk: ['contract', 'shell'],
    plan: ['contract', 'risk', 'shell'],
    stream: ['contract'],
    run: ['contract', 'plan', 'risk', 'shell', 'stream'],
    chat: ['contract', 'run', 'stream'],
    tasks: ['contract', 'stream'],
    guard: ['contract', 'stream', 'shell'],
    schedules: ['contract', 'stream'],
  },
  world: {
    store: ['process'],
    process: [],
    workspace: ['process'],
    tools: ['process', 'workspace'],
    mcp: ['process'],
    actions: ['process', 'workspace', 'tools'],
    worktrees: ['process', 'workspace'],
    models: [],
    queue: [],
    calendar: [],
  },
  mind: { brain: [], planner: [], chat: ['planner', 'brain'], tasks: ['chat'] },
  doors: {
    app: [],
    mcp: ['app'],
    server: ['app', 'mcp'],
    cli: ['app', 'server', 'mcp', 'acp'],
    guard: ['app'],
    acp: ['app'],
  },
};

/**
 * What a room offers without the rest of it, besides its `index.ts`: `NAME.ts` or `NAME/index.ts` in the room. A part
 * that is heavy, or that is wanted where the rest is not, so that a command loads what it uses. ARCHITECTURE.md lists
 * them too.
 */
const subDoors = {
  'core/contract': ['told', 'told/evidence', 'tasks', 'guard', 'schedules'],
  'core/plan': ['nearest', 'file', 'runbook', 'substitute', 'templates', 'validate'],
  'core/risk': ['explain', 'policy', 'secrets'],
  'core/chat': ['kept'],
  'core/run': ['kept'],
  'core/tasks': ['kept'],
  'core/guard': ['kept', 'settings'],
  'core/schedules': ['kept'],
  'world/actions': ['resolve'],
  'world/process': [
    'environment',
    'git',
    'identity',
    'lineage',
    'monotonic',
    'peer',
    'random',
    'sockets',
    'way-out',
  ],
  'world/queue': ['fleet'],
  'world/store': ['folder', 'postgres'],
  'world/worktrees': ['source'],
  'mind/brain': ['memory/memory', 'probe'],
  // Each of its use-cases: the index is what the library offers.
  'doors/app': [
    'agreed',
    'app',
    'asker',
    'begin-run',
    'changed-file',
    'chapters',
    'chat-options',
    'config',
    'database',
    'deciding-clients',
    'demo/make',
    'demo/sample',
    'diagnose',
    'doctor',
    'drafts',
    'drivers',
    'errors',
    'explain',
    'fetch-plan',
    'files-like',
    'find-step',
    'fleet-setup',
    'follow',
    'follow-chat',
    'given-plan',
    'guard',
    'guard/hook',
    'guard/setup',
    'inputs',
    'judge',
    'keys',
    'live-text',
    'mcp',
    'meant',
    'memory',
    'metrics',
    'migrate',
    'options',
    'outcome',
    'passes',
    'performer',
    'places',
    'planning',
    'plans',
    'reporting',
    'retention',
    'rules',
    'runs',
    'schedules',
    'secrets',
    'streams',
    'tasks',
    'templates',
    'trust',
    'typed-folder',
    'undo',
    'worker',
  ],
};

/** Unit tests sit beside their source; these are the names that they and their helpers go by. */
const tests = '(\\.test\\.ts|/testing\\.ts|/testing/[^/]+\\.ts|/test-support\\.ts|/conformance/[^/]+\\.ts)$';

const floorRules = floors.slice(1).map((floor, at) => ({
  name: `up-from-${floor}`,
  severity: 'error',
  comment: `${floor} imports downwards only (doors → mind → world → core). Let it offer a port, and implement that above.`,
  from: { path: `^src/${floor}/` },
  to: { path: `^src/(${floors.slice(0, at + 1).join('|')})/` },
}));

const roomRules = Object.entries(rooms).flatMap(([floor, arrows]) =>
  Object.entries(arrows).map(([room, others]) => ({
    name: `arrow-from-${floor}-${room}`,
    severity: 'error',
    comment: `On its own floor, ${room} may import ${others.join(', ') || 'no other room'}.`,
    from: { path: `^src/${floor}/${room}/` },
    to: { path: `^src/${floor}/`, pathNot: `^src/${floor}/(${[room, ...others].join('|')})/` },
  })),
);

const known = Object.entries(rooms)
  .map(([floor, arrows]) => `${floor}/(${Object.keys(arrows).join('|')})`)
  .join('|');

/** Every way into a room from another. */
const doorways = [
  '[^/]+/[^/]+/index',
  ...Object.entries(subDoors).flatMap(([room, names]) => names.map((name) => `${room}/${name}(/index)?`)),
].join('|');

module.exports = {
  forbidden: [
    ...floorRules,
    ...roomRules,
    {
      name: 'unknown-room',
      severity: 'error',
      comment: 'A new room is first drawn in ARCHITECTURE.md and given its arrows here.',
      from: {},
      to: { path: '^src/', pathNot: `^src/(${known})/` },
    },
    {
      name: 'past-the-door',
      severity: 'error',
      comment:
        "Between rooms one imports a door only: the other room's index.ts, or a sub-door that is declared here.",
      from: { path: '^src/([^/]+/[^/]+)/', pathNot: tests },
      to: { path: '^src/', pathNot: ['^src/$1/', `^src/(${doorways})\\.ts$`] },
    },
    {
      name: 'past-the-door-from-outside',
      severity: 'error',
      comment:
        "What is not under src/ and no test comes in by a room's door too, or takes what its tests have.",
      from: { path: '^(bin|scripts|examples)/' },
      to: { path: '^src/', pathNot: [`^src/(${doorways}|doors/cli/main)\\.ts$`, tests] },
    },
    {
      name: 'web-beyond-contract',
      severity: 'error',
      comment: 'The web app imports core/contract only; all else it asks the server for.',
      from: { path: '^web/' },
      to: {
        path: '^(src|test|bench|scripts)/',
        pathNot: '^src/core/contract/((told|tasks|guard)/)?index\\.ts$',
      },
    },
    {
      name: 'grammar-past-the-shell-room',
      severity: 'error',
      comment: 'Shell text is read in core/shell only, so that its readers cannot disagree. Ask its door.',
      from: { path: '^(src|bin)/', pathNot: ['^src/core/shell/', tests] },
      to: { path: 'node_modules/unbash/' },
    },
    {
      name: 'cycle',
      severity: 'error',
      comment: 'Two files that need each other are one thing, or hide a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'built-in-in-core',
      severity: 'error',
      comment: 'The core is pure: no files, no processes, no clock. Take a port, or an argument.',
      from: { path: '^src/core/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'tests-in-product',
      severity: 'error',
      comment: 'What ships does not import what is only there to test or to measure it.',
      from: { path: '^(src|bin|web/src)/', pathNot: tests },
      to: { path: [tests, '^(test|bench|scripts)/'] },
    },
    {
      name: 'dev-dependency-in-product',
      severity: 'error',
      comment:
        'It would be missing where the package is installed. Move it to "dependencies", or do without.',
      from: { path: '^(src|bin)/', pathNot: tests },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'unresolvable',
      severity: 'error',
      comment: 'There is nothing at the other end of this import.',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|test-results|bench/results)/' },
    // Imports of types are arrows as well.
    tsPreCompilationDeps: true,
    // A linked node_modules is still node_modules.
    preserveSymlinks: true,
    detectProcessBuiltinModuleCalls: true,
    // As web/ calls it.
    enhancedResolveOptions: {
      alias: {
        '@contract': join(__dirname, 'src/core/contract/index.ts'),
        '@told': join(__dirname, 'src/core/contract/told/index.ts'),
        '@tasks': join(__dirname, 'src/core/contract/tasks/index.ts'),
        '@guard': join(__dirname, 'src/core/contract/guard/index.ts'),
      },
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
};

// For test/house; dependency-cruiser refuses keys that it does not know where it can see them.
Object.defineProperty(module.exports, 'subDoors', { value: subDoors });
