import { describe, expect, test } from 'vitest';
import { parseAction } from '../action/parse.ts';
import { isSlipOnly, keepsPurpose } from './keeps.ts';
import { repairKeepsPurpose } from './repairs.ts';
import { isPushAsTold } from './told-push.ts';

const is = (from: string, to: string): string => keepsPurpose(from, to).is;

describe('a correction that would only pretend', () => {
  test.each([
    ['./deploy.sh production', 'true'],
    ['./deploy.sh production', ':'],
    ['./deploy.sh production', 'echo deployed'],
    ['./deploy.sh production', 'printf "ok\\n"'],
    ['./deploy.sh production', 'exit 0'],
    ['./deploy.sh production', '/bin/true ./deploy.sh production'],
    ['./deploy.sh production', 'sleep 1 && echo "production deployed"'],
    ['./deploy.sh production', '[ -x ./deploy.sh ]'],
    ['./deploy.sh production', './deploy.sh production || true'],
    ['./deploy.sh production', './deploy.sh production || :'],
    ['./deploy.sh production', './deploy.sh production; true'],
    ['./deploy.sh production', './deploy.sh production | cat'],
    ['./deploy.sh production', './deploy.sh production & wait'],
    ['./deploy.sh production', '! ./deploy.sh production'],
    ['./deploy.sh production', 'if ./deploy.sh production; then echo yes; fi'],
    ['./deploy.sh production', './deploy.sh production || echo "never mind"'],
    ['./deploy.sh production', 'exit 0; ./deploy.sh production'],
    ['./deploy.sh production', 'trap "exit 0" EXIT; ./deploy.sh production'],
    ['./deploy.sh production', 'set +e; ./deploy.sh production'],
    ['./deploy.sh production', './deploy.sh production --dry-run'],
    ['./deploy.sh production', 'DRY_RUN=1 ./deploy.sh production'],
    ['./deploy.sh production', './deploy.sh production > /dev/null 2>&1'],
    ['./deploy.sh production', "bash -c './deploy.sh production || true'"],
    ['make build', 'make build --just-print'],
    ['npm test', 'npm test --if-present'],
    ['npx vitest run', 'npx vitest run --passWithNoTests'],
    ['set -e\nmake\nmake install', 'make || true\nmake install'],
    ['sha256sum --check SUMS', 'sha256sum SUMS'],
  ])('%s → %s', (from, to) => {
    expect(is(from, to)).toBe('faked');
  });
});

describe('a correction that does something else is for a person', () => {
  test.each([
    ['./deploy.sh production', './deploy.sh staging'],
    ['./deploy.sh production', './deploy.sh'],
    ['./deploy.sh', './deploy.sh production'],
    ['./deploy.sh production', './build.sh production'],
    ['./deploy.sh production', 'cat ./deploy.sh production'],
    ['./deploy.sh production', 'deploy() { ls; }; deploy production'],
    ['./deploy.sh production', 'PATH=./fake:$PATH ./deploy.sh production'],
    ['PATH=bin ./deploy.sh production', 'PATH=fake:bin ./deploy.sh production'],
    ['./deploy.sh customer/acme.yml', './deploy.sh customers/acme.yml'],
    ['git merge origin/topic', 'git merge topic'],
    ['npm run build', 'touch dist/index.js'],
    ['npm run build', 'npm run lint'],
    ['tar xzf app-1.2.3.tar.gz', 'tar xzf app-1.2.4.tar.gz'],
    ['git merge featur-x', 'git merge feature-x'],
    ['git push origin mian', 'git push origin main'],
    ['kubectl delete pod web-a', 'kubectl delete pod web-b'],
    ['terraform apply', 'terraform destroy'],
    ['systemctl enable nginx', 'systemctl disable nginx'],
    ['aws s3 cp a s3://eu-data/', 'aws s3 cp a s3://us-data/'],
    ['ENV=prod make release', 'make release'],
    ['psql db < dump.sql', 'psql db'],
    ['tree > layout.txt', 'tree'],
    ['make && make install', 'make'],
    ['rake clean', 'make clean'],
    ['packer build x', 'docker build x'],
    ['curl https://h/a', 'curl http://h/a'],
    ['7z d a.zip', 'unzip a.zip'],
    ['shasum -a 256 f', 'sha1sum f'],
    ['git add .env', 'git add --force .env'],
    ['git add .env', 'git add -f .env'],
    ['git branch -d old', 'git branch -D old'],
    ['git checkout v2', 'git checkout -b v2'],
    ['git rebase --continue', 'git rebase --skip'],
    ['git rm a.txt', 'git rm --cached a.txt'],
    ['git commit -m x', 'git commit --no-verify -m x'],
    ['git reset HEAD~1', 'git reset --hard HEAD~1'],
    ['rsync -a a/ b/', 'rsync -a --delete a/ b/'],
    ['docker image rm x', 'docker image rm -f x'],
    ['./mailer --to jon', './mailer --to john'],
    ['./mailer --to=jon', './mailer --to=john'],
    ['./admin --tenant acne show', './admin --tenant acme show'],
    ['kubectl --namespace web-q get pods', 'kubectl --namespace web-w get pods'],
    ['./ctl --mode sync', './ctl --mode async'],
  ])('%s → %s', (from, to) => {
    expect(is(from, to)).toBe('changed');
  });
});

describe('a correction that keeps what the step is for', () => {
  test.each([
    ['gti stauts', 'git status'],
    ['PYTHONPATH=lib python3 -m shop', 'PYTHONPATH=src:lib python3 -m shop'],
    ['node --test tests/a.test.js', 'node --test test/a.test.js'],
    ['git switch origin/topic', 'git switch topic'],
    ['python tool.py --x 1', 'python3 tool.py --x 1'],
    ['pip install x', 'python3 -m pip install x'],
    ['sudo make install', 'make install'],
    ['make install', 'sudo make install'],
    ['./run.py a', 'python3 ./run.py a'],
    ['jest', 'npx jest'],
    ['npx tsc', 'tsc'],
    ['run.sh', './run.sh'],
    ['cat my file.txt', "cat 'my file.txt'"],
    ['cat reedme.md', 'cat readme.md'],
    ['cat a.txt', 'cat docs/a.txt'],
    ['cp -r src dst', 'cp -a src dst'],
    ['cp src dst', 'cp -r src dst'],
    ['python3 -m http.server 8000', 'python3 -m http.server 8001'],
    ['PORT=3000 npm start', 'PORT=3001 npm start'],
    ['git push', 'git push --set-upstream origin main'],
    ['git commit -m x', 'git commit -a -m x'],
    ['gitstatus', 'git status'],
    ['docker-compose up', 'docker compose up'],
    ['npm tset', 'npm test'],
    ['npm run depoly', 'npm run deploy'],
    ['npm ci', 'npm install'],
    ['tar xzf a.tgz', 'tar xf a.tgz'],
    ['make || true', 'make -j1 || true'],
    ['cd sub && mak', 'cd sub && make'],
    ['git remote delete x', 'git remote remove x'],
    ['echo "x', 'echo "x"'],
    ['```\nmake all\n```', 'make all'],
    ['$ ls -l', 'ls -l'],
    ['https://example.org/a/b.git', 'git clone https://example.org/a/b.git'],
    ['git pull origin main', 'git pull origin main || { git merge --abort; false; }'],
    ['grep -q x f', 'grep -rq x f'],
    ['git comit -m x', 'git -c core.editor=true commit -m x'],
    ['./report --format jsn', './report --format json'],
    ['tool -h', 'tool --help'],
    ['curl htpp://h/a', 'curl http://h/a'],
    ['./setup.sh', "./setup.sh <<< $'y\\ny'"],
    ['tail –n 3 log', 'tail -n 3 log'],
    ['cd lib/a/index.ts', 'cd lib/a'],
    ['7z x a.zip', 'unzip a.zip'],
    ['shasum -a 256 f', 'sha256sum f'],
    ['unzip a.zip', 'python3 -m zipfile -e a.zip .'],
    ['dos2unix run.sh', "sed -i 's/\\r$//' run.sh"],
    ['tar cz a', 'tar -f out.tgz cz a'],
  ])('%s → %s', (from, to) => {
    expect(is(from, to)).toBe('kept');
  });
});

test.each([
  ['crul -s http://h/ -o f', 'curl -s http://h/ -o f', true],
  ['gerp root f > /tmp/x', 'grep root f > /tmp/x', true],
  ['curl --silnet u', 'curl --silent u', true],
  ['curl -o f htpp://127.0.0.1:80/a', 'curl -o f http://127.0.0.1:80/a', true],
  ['curl -o f htpp://127.0.0.1:80/a', 'curl -o f http://127.0.0.2:80/a', false],
  ['curl -o f https://h/a', 'curl -o f http://h/a', false],
  ['gerp root f > /tmp/x', 'grep root f > /tmp/y', false],
  ['gerp root f', 'grep root g', false],
  ['python a', 'node a', false],
  ['make', 'sudo make', false],
  ['sort --revrse f', 'sort --output f', false],
])('%s → %s is only a slip: %s', (from, to, expected) => {
  expect(isSlipOnly(from, to)).toBe(expected);
});

describe('a step before the failed one', () => {
  const repair = (original: string, line: string): string => {
    const parsed = parseAction(line);
    if (!parsed.ok) throw new Error(parsed.error.message);
    return repairKeepsPurpose(original, parsed.action).is;
  };

  test.each([
    ['./deploy.sh production', 'WRITE_FILE deploy.sh "#!/bin/sh\\nexit 0\\n"', 'faked'],
    ['./deploy.sh production', 'WRITE_FILE deploy.sh "#!/bin/sh\\necho deployed\\n"', 'faked'],
    ['./deploy.sh production', "RUN_COMMAND printf '#!/bin/sh\\nexit 0\\n' > deploy.sh", 'faked'],
    ['bash scripts/x.sh', 'EDIT_FILE scripts/x.sh "make" "make || true"', 'faked'],
    ['./deploy.sh production', 'WRITE_FILE deploy.sh "#!/bin/sh\\nrsync -a . host:\\n"', 'changed'],
    ['./deploy.sh production', 'RUN_COMMAND cp /bin/true deploy.sh', 'changed'],
    ['./deploy.sh production', 'RUN_COMMAND ln -sf /bin/true ./deploy.sh', 'changed'],
    ['npm test', 'WRITE_FILE package.json "{}"', 'changed'],
    ['make', "RUN_COMMAND echo 'all:' > Makefile", 'changed'],
    ['./deploy.sh', 'RUN_COMMAND cd ../other', 'changed'],
    ['deploy', 'RUN_COMMAND export PATH=$PWD/fake:$PATH', 'changed'],
    ['deploy', 'RUN_COMMAND alias deploy=true', 'changed'],
    ['./deploy.sh', 'RUN_COMMAND chmod +x ./deploy.sh', 'kept'],
    ['./deploy.sh', "RUN_COMMAND sed -i 's/\\r$//' ./deploy.sh", 'kept'],
    ['npm test', 'RUN_COMMAND npm install', 'kept'],
    ['cp a out/b', 'CREATE_DIR out', 'kept'],
    ['make', 'RUN_COMMAND (cd sub && make)', 'kept'],
    ['python3 x.py', 'RUN_COMMAND . .venv/bin/activate', 'kept'],
  ])('%s, %s: %s', (original, line, expected) => {
    expect(repair(original, line)).toBe(expected);
  });
});

test('what cannot be taken back is done in the folder that was named', () => {
  expect(is('cd clinet-a && make deploy', 'cd client-a && make deploy')).toBe('changed');
  expect(is('npm publish', '(cd lib && npm publish)')).toBe('changed');
  expect(is('cd clinet-a && make test', 'cd client-a && make test')).toBe('kept');
});

test('a path written from the folder above is the same file, and nothing else is', () => {
  const from = 'cat web/src/a.js > bundle.js';
  expect(keepsPurpose(from, 'cat src/a.js > bundle.js', { cwd: '/w/web' }).is).toBe('kept');
  expect(keepsPurpose(from, 'cat src/a.js > bundle.js', { cwd: '/w/admin' }).is).toBe('changed');
  expect(is(from, 'cat src/a.js > bundle.js')).toBe('changed');
});

test('what a step is called names the file that is meant, where one letter is another', () => {
  const title = 'Seed the store';
  expect(keepsPurpose('python3 sead.py', 'python3 seed.py', { title }).is).toBe('kept');
  expect(keepsPurpose('python3 sead.py', 'python3 seed.py', { title: 'Do it' }).is).toBe('changed');
  expect(keepsPurpose('python3 send.py', 'python3 seed.py', { title: 'Send it' }).is).toBe('changed');
});

test('a push as git says it is the push that was agreed on', () => {
  const said = 'fatal: no upstream\n\n    git push --set-upstream origin topic\n\n';
  expect(isPushAsTold('git push', 'git push --set-upstream origin topic', said)).toBe(true);
  expect(isPushAsTold('git -C w push -q', 'git -C w push --set-upstream origin topic -q', said)).toBe(true);
  expect(isPushAsTold('git push', 'git push --set-upstream evil topic', said)).toBe(false);
  expect(isPushAsTold('git push', 'git push --set-upstream origin topic --force', said)).toBe(false);
  expect(isPushAsTold('git push', 'git push --set-upstream origin topic && ./x', said)).toBe(false);
  expect(isPushAsTold('git push', 'git push --set-upstream origin topic', '')).toBe(false);
});

test('what only reads, and has to print what is expected, may be another letter; never another meaning', () => {
  const isProven = true;
  expect(keepsPurpose('ls contents', 'ls content', { isProven }).is).toBe('kept');
  expect(keepsPurpose('ls contents', 'ls content').is).toBe('changed');
  expect(keepsPurpose('cat v1.txt', 'cat v2.txt', { isProven }).is).toBe('changed');
});

test('tar without the letter of a compression is the same', () => {
  expect(is('tar xjf a.tgz', 'tar xf a.tgz')).toBe('kept');
  expect(is('tar xzf a.tgz', 'tar tf a.tgz')).toBe('changed');
});
