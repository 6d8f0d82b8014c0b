import type { CommandTable } from './types.ts';

const npmVerbs = {
  install: 'Installs the packages that the project needs, or the named ones.',
  i: 'Installs packages.',
  ci: 'Installs exactly what the lock file says.',
  add: 'Adds a package to the project.',
  run: 'Runs a script of package.json.',
  test: 'Runs the tests.',
  start: 'Starts the project.',
  build: 'Runs the build script.',
  publish: 'Publishes the package for everybody.',
  uninstall: 'Removes a package from the project.',
  remove: 'Removes a package from the project.',
  update: 'Installs newer versions.',
  audit: 'Looks for known weaknesses.',
  ls: 'Lists what is installed.',
  init: 'Makes a package.json.',
  exec: 'Runs a program of a package.',
  view: 'Shows a package of the registry.',
  outdated: 'Lists what has newer versions.',
};
const npmOptions = {
  '-g, --global': 'for the whole machine',
  '-D, --save-dev': 'only for development',
  '--prefix DIR': 'in this folder',
  '-w NAME, --workspace NAME': 'in this workspace',
  '--legacy-peer-deps': 'ignoring conflicts of peers',
  '--production': 'without development packages',
};

/** Languages and their build tools. */
export const developCommands: CommandTable = {
  npm: { does: 'Manages packages of a JavaScript project.', verbs: npmVerbs, options: npmOptions },
  pnpm: { does: 'Manages packages of a JavaScript project.', verbs: npmVerbs, options: npmOptions },
  yarn: { does: 'Manages packages of a JavaScript project.', verbs: npmVerbs, options: npmOptions },
  npx: {
    does: 'Runs a program of a package, downloading it if need be.',
    operands: 'the program, then its arguments',
    options: { '-y, --yes': 'without asking' },
  },
  node: {
    does: 'Runs JavaScript.',
    operands: 'the file, then its arguments',
    options: {
      '-e CODE, --eval CODE': 'this code',
      '--test': 'the tests',
      '--watch': 'again at every change',
    },
  },
  python: {
    does: 'Runs Python.',
    hands: ['-m', '-c'],
    operands: 'the file, then its arguments',
    options: { '-c CODE': 'this code', '-m MODULE': 'this module' },
  },
  python3: {
    does: 'Runs Python.',
    hands: ['-m', '-c'],
    operands: 'the file, then its arguments',
    options: { '-c CODE': 'this code', '-m MODULE': 'this module' },
  },
  pip: {
    does: 'Manages Python packages.',
    verbs: {
      install: {
        does: 'Installs packages.',
        options: {
          '-r FILE': 'those listed in this file',
          '-e PATH': 'from this folder, as it is',
          '-U, --upgrade': 'newer versions too',
          '--user': 'for this user only',
        },
      },
      uninstall: 'Removes packages.',
      list: 'Lists packages.',
      freeze: 'Lists packages with versions.',
      show: 'Shows a package.',
    },
  },
  uv: {
    does: 'Manages Python projects and packages.',
    verbs: {
      sync: 'Installs what the lock file says.',
      run: 'Runs a command in the environment of the project.',
      add: 'Adds a package.',
      pip: 'Works as pip.',
      venv: 'Makes an environment.',
      lock: 'Writes the lock file.',
    },
  },
  cargo: {
    does: 'Builds Rust projects.',
    verbs: {
      build: { does: 'Builds the project.', options: { '--release': 'with optimisation' } },
      test: 'Runs the tests.',
      run: 'Builds and runs it.',
      check: 'Checks without building.',
      install: 'Installs a program.',
      publish: 'Publishes the package for everybody.',
      fmt: 'Formats the code.',
      clippy: 'Looks for mistakes.',
      clean: 'Deletes what was built.',
      add: 'Adds a package.',
    },
  },
  go: {
    does: 'Builds Go projects.',
    verbs: {
      build: 'Builds the project.',
      test: 'Runs the tests.',
      run: 'Builds and runs it.',
      get: 'Adds a package.',
      mod: 'Manages packages.',
      install: 'Installs a program.',
      vet: 'Looks for mistakes.',
      fmt: 'Formats the code.',
    },
  },
  make: {
    does: 'Builds targets of a Makefile, running the commands written there.',
    operands: 'targets',
    options: {
      '-j NUM': 'so many at once',
      '-f FILE': 'with this file',
      '-C DIR': 'in this folder',
      '-n': 'only say what would be run',
      '-B': 'everything anew',
    },
  },
  pytest: {
    does: 'Runs Python tests.',
    operands: 'files or folders',
    options: {
      '-v': 'saying each test',
      '-x': 'stop at the first failure',
      '-k TEXT': 'only tests with such names',
      '-q': 'quietly',
    },
  },
};
