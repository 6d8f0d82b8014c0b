import type { Scenario } from './stage.ts';

/** Whatever runs it deletes `keep/`. */
const destroys = '#!/bin/sh\nrm -rf "$(dirname "$0")/keep" keep\n';

/** What a project brings along: it is what was asked for, and a checkpoint brings back what it did. */
export const ownScripts: readonly Scenario[] = [
  { name: 'a script', steps: ['bash clean.sh'] },
  { name: 'a script by its path', steps: ['./clean.sh'] },
  { name: 'a script that is read', steps: ['source clean.sh'] },
  { name: 'make', steps: ['make'], files: { Makefile: 'all:\n\trm -rf keep\n' }, needs: 'make' },
  {
    name: 'npm test',
    steps: ['npm test'],
    files: { 'package.json': '{"scripts":{"test":"rm -rf keep"}}' },
    needs: 'npm',
  },
  {
    name: 'npm install with a script after it',
    steps: ['npm install'],
    files: { 'package.json': '{"name":"x","version":"1.0.0","scripts":{"postinstall":"rm -rf keep"}}' },
    needs: 'npm',
  },
  {
    name: 'npx of a program in the project',
    steps: ['npx tool'],
    files: { 'package.json': '{"name":"x"}', 'node_modules/.bin/tool': destroys },
    needs: 'npx',
  },
  { name: 'a service', steps: ['START a bash clean.sh', 'sleep 0.5'] },
  {
    name: 'a hook that was there',
    steps: ['touch new', 'git add new', 'git commit -m new'],
    before: "printf '#!/bin/sh\\nrm -rf keep\\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit",
  },
  {
    name: 'a file-system monitor that was there',
    steps: ['git status'],
    before: `printf '#!/bin/sh\\nrm -rf keep\\n' > .git/mon && chmod +x .git/mon && git config core.fsmonitor "$PWD/.git/mon"`,
  },
  {
    name: 'a script that a correction lets run',
    steps: ['./c.sh'],
    files: { 'c.sh': 'rm -rf keep\n' },
    modes: ['agentic'],
  },
];

/** A file that one step writes and the next one runs. `{url}` serves a script that destroys. */
export const acrossSteps: readonly Scenario[] = [
  { name: 'WRITE_FILE, then bash', steps: ['WRITE_FILE x.sh "rm -rf keep"', 'bash x.sh'] },
  { name: 'echo, then bash', steps: ["echo 'rm -rf keep' > x.sh", 'bash x.sh'] },
  {
    name: 'WRITE_FILE of Python',
    steps: ['WRITE_FILE x.py "import shutil\\nshutil.rmtree(\'keep\')\\n"', 'python3 x.py'],
    needs: 'python3',
  },
  { name: 'COPY_PATH, then bash', steps: ['COPY_PATH clean.txt x.sh', 'bash x.sh'] },
  { name: 'curl, then bash', steps: ['curl -s -o x.sh {url}/x.sh', 'bash x.sh'], needs: 'curl' },
  { name: 'wget, chmod, run', steps: ['wget -q {url}/x.sh', 'chmod +x x.sh', './x.sh'], needs: 'wget' },
  {
    name: 'git clone, then make -C',
    steps: ['git clone -q ../outside/repo lib', 'make -C lib'],
    before: `mkdir -p ../outside/repo && cd ../outside/repo && git init -q && printf 'all:\\n\\trm -rf ../keep\\n' > Makefile && git add -A && git -c user.name=t -c user.email=t@e commit -qm x`,
    needs: 'make',
    leaves: /^work\/lib(?:\/|$)/,
  },
];

/** The shell in place of a file action. */
export const byShell: readonly Scenario[] = [
  {
    name: 'echo > package.json, then npm test',
    steps: [`echo '{"scripts":{"test":"rm -rf keep"}}' > package.json`, 'npm test'],
    needs: 'npm',
  },
  {
    name: 'npm pkg set, then npm test',
    steps: ["npm pkg set 'scripts.test=rm -rf keep'", 'npm test'],
    files: { 'package.json': '{"name":"x"}' },
    needs: 'npm',
  },
  {
    name: 'sed -i package.json, then npm test',
    steps: [`sed -i 's/"test":"true"/"test":"rm -rf keep"/' package.json`, 'npm test'],
    files: { 'package.json': '{"scripts":{"test":"true"}}' },
    needs: 'npm',
  },
  {
    name: 'printf > Makefile, then make',
    steps: ["printf 'all:\\n\\trm -rf keep\\n' > Makefile", 'make'],
    needs: 'make',
  },
  {
    name: 'a makefile that another includes',
    steps: ['WRITE_FILE x.mk "all:\\n\\trm -rf keep\\n"', 'make'],
    files: { Makefile: 'include x.mk\n' },
    needs: 'make',
  },
];

export const hooks: readonly Scenario[] = [
  {
    name: 'core.hooksPath, then commit',
    steps: ['git config core.hooksPath hooks', 'touch new', 'git add new', 'git commit -m new'],
    files: { 'hooks/pre-commit': destroys },
  },
  {
    name: 'git init --template, then commit',
    steps: ['git init --template=./tpl', 'touch new', 'git add new', 'git commit -m new'],
    files: { 'tpl/hooks/pre-commit': '#!/bin/sh\nrm -rf keep\n' },
  },
];

export const outside: readonly Scenario[] = [
  { name: 'redirection', steps: ['echo x > ../outside/f'] },
  { name: 'after cd', steps: ['cd ../outside', 'echo x > f'] },
  { name: 'after cd, in one command', steps: ['cd ../outside && echo x > f'] },
  { name: 'through a link', steps: ['echo x > link'], before: 'ln -s ../outside/f link' },
  { name: 'through a link to a folder', steps: ['echo x > link/f'], before: 'ln -s ../outside link' },
  { name: 'cp', steps: ['cp other ../outside/f'] },
  { name: 'a glob', steps: ['cp other ../outside/*'] },
  { name: 'mv', steps: ['mv keep ../outside/'] },
  { name: 'tee', steps: ['echo x | tee ../outside/f'] },
];

/** Each of these was called safe: no checkpoint was taken. */
export const calledSafe: readonly Scenario[] = [
  {
    name: 'another ls',
    steps: ['export PATH=$PWD/bin:$PATH', 'ls'],
    files: { 'bin/ls': '#!/bin/sh\nrm -rf keep\n' },
  },
  {
    name: 'another ls, found in the directory',
    steps: ['export PATH=:$PATH', 'cd bin', 'ls'],
    files: { 'bin/ls': '#!/bin/sh\nrm -rf ../keep\n' },
  },
  {
    name: 'a pager in a variable',
    steps: [
      'export GIT_PAGER="rm -rf keep" GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=$PWD/clean.sh',
      'git status',
    ],
  },
  { name: 'ionice -t', steps: ['ionice -t rm cat precious'], needs: 'ionice' },
  { name: 'xargs --max-lines', steps: ['xargs --max-lines rm ls precious < f'], files: { f: 'x\n' } },
  {
    name: 'git log --help',
    steps: ['git log --help'],
    before: `git config man.viewer x && git config man.x.cmd "$PWD/clean.sh; :" && git config help.format man`,
  },
  {
    name: 'pytest --help',
    steps: ['pytest --help'],
    files: { 'conftest.py': 'import shutil\nshutil.rmtree("keep")\n' },
    needs: 'pytest',
  },
  {
    name: 'apt-cache with a program of its own',
    steps: ['apt-cache policy -oDir::Bin::dpkg=./clean.sh'],
    needs: 'apt-cache',
  },
];

export const background: readonly Scenario[] = [
  { name: 'a deletion that falls into the next step', steps: ['(sleep 0.3; bash clean.sh) &', 'sleep 1'] },
  {
    name: 'a script in the background',
    steps: ['bash late.sh &', 'sleep 1'],
    files: { 'late.sh': 'sleep 0.3\nrm -rf keep\n' },
  },
  {
    name: 'setsid',
    steps: ['setsid bash late.sh > /dev/null 2>&1 < /dev/null &', 'sleep 1'],
    files: { 'late.sh': 'sleep 0.3\nrm -rf keep\n' },
    needs: 'setsid',
  },
];

export const overwriting: readonly Scenario[] = [
  { name: 'redirection', steps: ['echo x > precious'] },
  { name: 'cp', steps: ['cp other precious'] },
  { name: 'mv', steps: ['mv other precious'] },
  { name: 'git stash', steps: ['git stash -u'] },
];

export const spelt: readonly Scenario[] = [
  { name: 'taskset', steps: ['taskset -c 0 rm -rf keep'], needs: 'taskset' },
  { name: 'tar --remove-files', steps: ['tar --remove-files -cf keep.tar keep'] },
  { name: 'zip -rm', steps: ['zip -rm keep.zip keep'], needs: 'zip' },
  { name: 'cmake -E rm', steps: ['cmake -E rm -rf keep'], needs: 'cmake' },
  { name: 'a group that is fed', steps: ["{ bash; } <<< 'rm -rf keep'"] },
  { name: 'make --eval', steps: ["make --eval 'all:;rm -rf keep' all"], needs: 'make' },
  { name: 'npm exec -c', steps: ["npm exec -c 'rm -rf keep'"], needs: 'npm' },
  {
    name: 'python -m timeit',
    steps: [`python3 -m timeit -n 1 -r 1 "import shutil; shutil.rmtree('keep', True)"`],
    needs: 'python3',
  },
  { name: 'perl', steps: [`perl -e 'exec("rm", "-rf", "keep")'`], needs: 'perl' },
  { name: 'scp', steps: ["scp -o 'ProxyCommand=rm -rf keep' x:y z"], needs: 'scp' },
];
