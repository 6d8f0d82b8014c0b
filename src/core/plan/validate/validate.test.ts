import { describe, expect, test } from 'vitest';
import type { Plan } from '../../contract/index.ts';
import { parsePlanFile } from '../file/parse.ts';
import { renderProblem } from '../problem.ts';
import type { WorkspaceFacts } from './facts.ts';
import { validatePlan } from './validate.ts';

/** A plan with one step for each line; a line is `action ⟨tab⟩ key: value ⟨tab⟩ …`. */
function planOf(lines: readonly string[], head = ''): Plan {
  const steps = lines.map((line, index) => {
    const [action, ...keys] = line.split('\t');
    return [
      `  - step: Step ${index + 1}`,
      `    action: ${JSON.stringify(action)}`,
      ...keys.map((key) => `    ${key}`),
    ];
  });
  const text = ['goal: Try', head, 'plan:', ...steps.flat()].filter((line) => line !== '').join('\n');
  const result = parsePlanFile(`${text}\n`, { file: 'plan.yaml' });
  if (!result.ok) throw new Error(result.problems.map(renderProblem).join('\n'));
  return result.plan;
}

const check = async (lines: readonly string[], head = '', facts?: WorkspaceFacts) => {
  const problems = await validatePlan(planOf(lines, head), facts);
  return problems.map((problem) => `${problem.severity} ${problem.code} ${problem.step ?? '-'}`);
};

test('a good plan has nothing against it', async () => {
  const lines = [
    'CREATE_DIR out',
    'LIST_FILES src/**/*.ts AS sources',
    'FOR_EACH sources DO RUN_COMMAND wc -l {item} >> out/{index:03d}.txt',
    'REPEAT 3 DO WRITE_FILE out/{index}.txt "n"',
    'ASK "Which environment?" AS env',
    'RUN_COMMAND echo {env} {who} > out/env\tafter: [1]\texpects: file exists out/env\tundo: DELETE_PATH out/env',
    'START site python3 -m http.server 8080\texpects: port 8080 open',
    'RUN_COMMAND curl -s localhost:8080 | grep -q title',
    'STOP site',
    "RUN_COMMAND awk '{print $1}' f | git commit -am 'x' && git log @{upstream}..",
    'MANUAL "Tell the others"',
    'RUN_COMMAND vim notes.txt\tinteractive: true',
  ];
  expect(await check(lines, 'inputs: [who]')).toEqual([]);
});

test('a problem has code, step, place and mend', async () => {
  const [problem] = await validatePlan(planOf(['RUN_COMMAND true', 'STOP site']));
  expect(problem).toEqual({
    code: 'stop-before-start',
    severity: 'error',
    message: 'Step 2: `site` was not started before.',
    step: 's2',
    source: { file: 'plan.yaml', line: 5, col: 1 },
    mend: 'START site in an earlier step, or take this step out.',
  });
});

test('an input that goes nowhere is told, with how it is written here', async () => {
  const told = async (line: string) =>
    (await validatePlan(planOf([line], 'inputs: [who]'))).map(({ code, mend }) => [code, mend]);
  expect(await told('RUN_COMMAND echo {{ who }}')).toEqual([
    ['input-unused', 'Write `{who}`: one pair of braces, with nothing before it.'],
  ]);
  expect(await told('RUN_COMMAND echo "${who}"')).toEqual([
    ['input-unused', expect.stringContaining('no variable of the shell')],
  ]);
  expect(await told('RUN_COMMAND echo whole')).toEqual([
    ['input-unused', expect.stringContaining('leave the input out')],
  ]);
  expect(await told('RUN_COMMAND echo "$who"\tenv: { who: "{who}" }')).toEqual([]);
  expect(await told('RUN_COMMAND true\tundo: RUN_COMMAND echo {who}')).toEqual([]);
});

describe('each rule is broken by', () => {
  test.each<[string, string[], string?]>([
    ['error multi-line-command s1', ['RUN_COMMAND "a\\nb"']],
    ['error env-unused s1', ['WRITE_FILE a "x"\tenv: { CI: 1 }']],
    ['error wrong-env s1', ['RUN_COMMAND ls\tenv: { BASH_ENV: x.sh }']],
    ['error wrong-env s1', ['RUN_COMMAND ls\tenv: { PLANWRIGHT_RUN: x }']],
    ['error wrong-env s1', ['RUN_COMMAND ls\tenv: { CI: "a\\0b" }']],
    ['error item-outside-loop s1', ['RUN_COMMAND ls\tenv: { FILE: "{item}" }']],
    ['error list-as-text s2', ['LIST_FILES * AS all', 'RUN_COMMAND ls\tenv: { ALL: "{all}" }']],
    ['error retry-unused s1', ['MANUAL "Look"\tretry: 2']],
    ['error retry-unused s1', ['RUN_COMMAND vim a\tinteractive: true\tretry: 2']],
    ['warning retry-twice s1', ['RUN_COMMAND git commit -m x && git push\tretry: 2']],
    ['error control-character s1', ['RUN_SCRIPT "a\\u0000b"']],
    ['error after-later s1', ['RUN_COMMAND ls\tafter: [2]', 'RUN_COMMAND ls']],
    ['error after-self s1', ['RUN_COMMAND ls\tafter: [1]']],
    ['error tool-unknown s1', ['CALL_TOOL browse {"q": "x"}']],
    ['error tool-unknown s1', ['CALL_TOOL run_command {"command": "ls"}']],
    ['error tool-arguments s1', ['CALL_TOOL search {"q": "x"}']],
    ['error tool-arguments s2', ['RUN_COMMAND ls', 'RUN_COMMAND ls\tundo: CALL_TOOL search']],
    ['error outside-workspace s1', ['CALL_TOOL write_file {"path": "../a", "content": "x"}']],
    ['error ask-in-loop s1', ['REPEAT 2 DO MANUAL "Look"']],
    ['error ask-in-loop s1', ['REPEAT 2 DO ASK "Which?" AS which']],
    ['warning expects-unclear s1', ['RUN_COMMAND ls\texpects: port abc open']],
    ['error unknown-key s1', ['FOR_EACH sources DO RUN_COMMAND wc {item}']],
    ['error key-too-late s1', ['FOR_EACH sources DO RUN_COMMAND wc {item}', 'LIST_FILES * AS sources']],
    ['error not-a-list s2', ['READ_FILE a AS text', 'FOR_EACH text DO RUN_COMMAND wc {item}']],
    ['error create-dir-in-for-each s2', ['LIST_FILES * AS x', 'FOR_EACH x DO CREATE_DIR out/{index}']],
    ['error unknown-key s1', ['RUN_COMMAND echo {nobody}']],
    ['error unknown-key s1', ['WRITE_FILE out/{nobody} "x"']],
    ['error unknown-key s1', ['RUN_COMMAND echo {env}']],
    ['error key-too-late s1', ['RUN_COMMAND echo {env}', 'ASK "?" AS env']],
    ['error unknown-key s2', ['ASK "?" AS owner', 'RUN_COMMAND gh api repos/{ownr}']],
    ['error item-outside-loop s1', ['RUN_COMMAND wc {item}']],
    ['error item-outside-loop s1', ['REPEAT 3 DO RUN_COMMAND wc {item}']],
    ['error item-outside-loop s1', ['WRITE_FILE a "{item}"']],
    ['error unknown-key s2', ['ASK "?" AS environment', 'WRITE_FILE a "{enviroment}"']],
    ['error placeholder-place s1', ['REPEAT 2 DO RUN_COMMAND echo "{index}"']],
    ['error placeholder-place s2', ['ASK "?" AS env', 'RUN_COMMAND eval {env}']],
    ['error list-as-text s2', ['LIST_FILES * AS files', 'RUN_COMMAND wc {files}']],
    ['error reserved-key s1', ['ASK "?" AS item']],
    ['warning key-again s2', ['ASK "?" AS a', 'ASK "?" AS a']],
    ['error stop-before-start s1', ['STOP site']],
    ['error stop-before-start s3', ['START a x\texpects: port 1 open', 'STOP a', 'STOP a']],
    ['error duplicate-service s2', ['START a x\texpects: port 1 open', 'START a y\texpects: port 1 open']],
    ['error start-in-loop s1', ['REPEAT 2 DO START a x\texpects: port 1 open']],
    ['warning service-ready-unknown s1', ['START a x']],
    ['error service-ready-unknown s1', ['START a x\texpects: exit 0']],
    ['error outside-workspace s1', ['WRITE_FILE ../a "x"']],
    ['error outside-workspace s1', ['DELETE_PATH a/../../b']],
    ['error outside-workspace s1', ['READ_FILE /etc/passwd AS x']],
    ['error outside-workspace s1', ['CREATE_DIR ~/x']],
    ['error outside-workspace s1', ['COPY_PATH a C:\\\\x']],
    ['error outside-workspace s1', ['LIST_FILES ../** AS x']],
    ['error outside-workspace s1', ['REPEAT 2 DO WRITE_FILE {index}/../../x "x"']],
    ['error outside-workspace s1', ['RUN_COMMAND ls\tundo: DELETE_PATH ../x']],
    ['error whole-workspace s1', ['DELETE_PATH .']],
    ['error whole-workspace s1', ['MOVE_PATH ./ x']],
    ['error placeholder-content s1', ['WRITE_FILE a "TODO"']],
    ['error placeholder-content s1', ['WRITE_FILE a "# TODO: write the configuration\\n"']],
    ['error placeholder-content s1', ['WRITE_FILE a "..."']],
    ['error placeholder-content s1', ['WRITE_FILE a "x\\n// ... rest of the code\\n"']],
    ['error placeholder-content s1', ['WRITE_FILE a "Lorem ipsum dolor sit amet"']],
    ['error placeholder-content s1', ['WRITE_FILE .env "TOKEN=<your-token>"']],
    ['error placeholder-content s1', ['WRITE_FILE .env "TOKEN=YOUR_API_KEY"']],
    ['error placeholder-content s1', ['EDIT_FILE a "x" "[insert name here]"']],
    ['error placeholder-content s1', ['RUN_COMMAND curl -H "Authorization: <API_TOKEN>" x']],
    ['error placeholder-content s1', ['RUN_COMMAND cp /path/to/file .']],
    ['warning placeholder-content s1', ['WRITE_FILE a.py "import os\\n# TODO handle errors\\nprint(1)\\n"']],
    ['warning placeholder-content s1', ['RUN_COMMAND tar -cf x.tar ...']],
    ['error not-native s1', ['RUN_COMMAND Get-ChildItem -Recurse']],
    ['error not-native s1', ['RUN_COMMAND echo $env:PATH']],
    ['warning shell-syntax s1', ['RUN_COMMAND echo "unclosed']],
  ])('%s: %j', async (expected, lines, head) => {
    expect(await check(lines, head)).toContain(expected);
  });

  test.each([
    ['ls', 'error invalid-plan -', { steps: [] }],
    [
      'ls',
      'error loop-limit -',
      {
        steps: [
          { id: 'a', title: 'a', action: { kind: 'repeat', times: 10_001, do: { kind: 'stop', name: 'a' } } },
        ],
      },
    ],
    [
      'ls',
      'error duplicate-id a',
      { steps: ['x', 'y'].map((title) => ({ id: 'a', title, action: { kind: 'manual', text: 'x' } })) },
    ],
    [
      'ls',
      'error after-unknown a',
      { steps: [{ id: 'a', title: 'a', after: ['z'], action: { kind: 'manual', text: 'x' } }] },
    ],
    [
      'ls',
      'error too-many-steps -',
      {
        steps: Array.from({ length: 10_001 }, (_, i) => ({
          id: `a${i}`,
          title: 'a',
          action: { kind: 'manual', text: 'x' },
        })),
      },
    ],
  ])('a plan that no file gave: %s %s', async (_, expected, change) => {
    const plan = { goal: 'x', shell: 'bash', revision: 0, ...change } as unknown as Plan;
    const problems = await validatePlan(plan);
    expect(problems.map((problem) => `${problem.severity} ${problem.code} ${problem.step ?? '-'}`)).toContain(
      expected,
    );
  });

  test('an action that is not allowed here', async () => {
    const problems = await validatePlan(planOf(['RUN_COMMAND ls', 'REPEAT 2 DO STOP x']), undefined, {
      allowedActions: ['run-command', 'repeat'],
    });
    expect(problems.find((problem) => problem.code === 'action-not-allowed')).toMatchObject({
      step: 's2',
      mend: expect.stringContaining('RUN_COMMAND'),
    });
  });

  test('a secret, which the message does not repeat', async () => {
    const findSecret = (text: string) => {
      const start = text.indexOf('hunter2');
      return start < 0 ? null : { start, end: start + 7, kind: 'password' };
    };
    const plan = planOf(
      ['RUN_COMMAND login hunter2 {p}', 'WRITE_FILE a "hunter2"'],
      'inputs: [{name: p, default: hunter2}]',
    );
    const problems = await validatePlan(plan, undefined, { findSecret });
    expect(problems.map((problem) => problem.code)).toEqual([
      'secret-literal',
      'secret-literal',
      'secret-literal',
    ]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });
});

describe('what only looks wrong is left alone', () => {
  test.each([
    'WRITE_FILE settings.xml "<server><username>bob</username><password>${env.P}</password></server>"',
    'WRITE_FILE README.md "Run tool path/to/file.\\nUse <path> for the path.\\n"',
    'RUN_COMMAND gh api repos/{owner}/{repo}/issues',
    'RUN_COMMAND ls | xargs -I {file} cp {file} out',
    'RUN_COMMAND scp a $env:work',
    'RUN_COMMAND docker build -t name -i .',
    'RUN_COMMAND go test ./...',
    'READ_FILE a AS key\tundo: WRITE_FILE a "{key}"',
    'WRITE_FILE a.css "a {color: red}\\n.b{top}"',
    'WRITE_FILE todo.md "# Things TODO\\n- buy milk\\n"',
  ])('%s', async (line) => {
    expect(await check([line])).toEqual([]);
  });
});

describe('what would wait for a terminal', () => {
  test.each([
    ...[
      'vim a',
      'nano a',
      'sudo vi a',
      'less a',
      'man ls',
      'top',
      'htop',
      'ssh host',
      'ssh -p 22 -i k host',
      'read x',
      'read -p "? " x',
    ],
    ...[
      'python3',
      'python3 -i',
      'node',
      'bash',
      'psql mydb',
      'mysql -u root',
      'sqlite3 a.db',
      'git commit',
      'git commit -a',
    ],
    ...[
      'git -C x commit',
      'git rebase -i HEAD~3',
      'git add -p',
      'crontab -e',
      'passwd bob',
      'select x in a b; do echo $x; done',
      'docker run -it x bash',
      'docker exec -it x sh',
    ],
    ...[
      'npm init',
      'npm login',
      'gh auth login',
      'rm -i a',
      'ssh-keygen -t ed25519',
      'su - bob',
      'tmux',
      'watch ls',
      'cat a && vim b',
    ],
  ])('%s', async (command) => {
    expect(await check([`RUN_COMMAND ${command}`])).toContain('error waits-for-terminal s1');
    expect(await check([`RUN_COMMAND ${command}\tinteractive: true`])).toEqual([]);
  });

  test.each(['sudo apt-get update', 'apt-get install curl', 'sudo apt install curl'])(
    '%s may',
    async (command) => {
      expect(await check([`RUN_COMMAND ${command}`])).toEqual(['warning waits-for-terminal s1']);
    },
  );

  test.each([
    ...[
      'vim --version',
      'echo x | less',
      'ssh host uptime',
      'ssh -N -L 1:a:2 host',
      'echo x | read y',
      'read x < f',
      'python3 -c "1"',
    ],
    ...[
      'python3 a.py',
      'python3 -m venv .venv',
      'node --version',
      'echo 1 | node',
      'bash a.sh',
      'psql -c "select 1"',
      'sqlite3 a.db "select 1"',
    ],
    ...[
      'git commit -m x',
      'git commit -am x',
      'git commit --amend --no-edit',
      'git rebase main',
      'git add .',
      'docker run --rm x',
      'npm init -y',
    ],
    ...[
      'rm -f a',
      'apt-get install -y curl',
      'yes | apt-get install curl',
      'sudo -n true',
      'while read l; do echo $l; done < f',
      'top -b -n 1',
    ],
    ...[
      'cat a | while read l; do echo $l; done',
      'bash -s < a.sh',
      'python3 - <<E\\nprint(1)\\nE',
      'emacs --batch -l x',
      'ssh-keygen -N "" -f k',
    ],
  ])('%s does not', async (command) => {
    const action = command.includes('\\n') ? `RUN_SCRIPT "${command}"` : `RUN_COMMAND ${command}`;
    expect(await check([action])).toEqual([]);
  });

  test.each([
    'python3 -m http.server',
    'flask run',
    'uvicorn app:app',
    'tail -f log',
    'npm run dev &',
    'sleep infinity',
  ])('%s should be a service', async (command) => {
    expect(await check([`RUN_COMMAND ${command}`])).toEqual(['warning use-start s1']);
    expect(await check([`START x ${command}\texpects: port 1 open`])).toEqual([]);
  });
  test.each(['gunicorn -D app:app', 'timeout 5 flask run', 'flask routes', 'uvicorn --version'])(
    '%s ends',
    async (command) => {
      expect(await check([`RUN_COMMAND ${command}`])).toEqual([]);
    },
  );
});

describe('PowerShell plans', () => {
  const pwsh = (line: string) => check([line], 'shell: pwsh');
  test.each([
    'dir /s /b',
    'echo %PATH%',
    'Write-Output "%USERPROFILE%"',
    'del /q old.txt',
    'DEL /F /Q old.txt',
    'copy /y a b',
    'rd /s /q build',
    'if exist a.txt del a.txt',
    'if not exist out mkdir out',
    'set FOO=bar',
    'set /p NAME=Who',
    'type a.txt > nul',
    'ping -n 1 host 2>nul',
    'for %f in (*.txt) do type %f',
    'for /f %%i in (list.txt) do echo %%i',
    'mklink link target',
    '@echo off',
    'cd /d D:',
    'start /b server.exe',
    'rem a remark',
    'chmod +x run.sh',
    'sudo apt-get install -y jq',
    'apt-get install jq',
    'systemctl restart nginx',
    'kill -9 4711',
    'ps -ef',
    'echo -n hello',
    'sha256sum a.txt',
  ])('is not native to PowerShell: %s', async (command) => {
    expect(await pwsh(`RUN_COMMAND ${command}`)).toContain('error not-native s1');
  });
  test.each([
    'dir',
    'dir src',
    'del old.txt',
    'copy a b',
    'cd /tmp',
    'set name value',
    'Get-Date -UFormat "%Y%m%d-%H%M"',
    'Get-ChildItem | % { $_.Name }',
    'git log --format="%an%ae"',
    'Write-Output "if exist"',
    'kill -Id 4711',
    'ps -Name node',
    'if (Test-Path a.txt) { Remove-Item a.txt }',
    'echo hello',
    '$null = 1',
    'type a.txt > $null',
    '7 % 3',
    'start https://example.org',
    'Write-Output "100% sure, 5%"',
    'robocopy a b /mir',
    'xcopy a b /s',
  ])('is native to PowerShell: %s', async (command) => {
    expect((await pwsh(`RUN_COMMAND ${command}`)).filter((each) => each.startsWith('error'))).toEqual([]);
  });
  test.each([
    ...[
      'export A=1',
      'source x.sh',
      'if [[ -f a ]]; then ls; fi',
      'for f in *; do echo $f; done',
      'echo ${x:-y}',
      'A=1 npm test',
      'ls > /dev/null',
    ],
    ...['grep x a', 'rm -rf a', 'ls -la', 'mkdir -p a/b', 'touch a', 'Get-Content a | grep x', 'which git'],
  ])('not native: %s', async (command) => {
    expect(await pwsh(`RUN_COMMAND ${command}`)).toContain('error not-native s1');
  });
  test.each(['Get-Childitems a', 'Fetch-Data x', 'Get-Stuff', 'Remove-Folder a', 'ls | Convert-ToJson'])(
    'invented: %s',
    async (command) => {
      expect(await pwsh(`RUN_COMMAND ${command}`)).toContain('error invented-cmdlet s1');
    },
  );
  test.each([
    ...[
      'Get-ChildItem -Recurse | Where-Object { $_.Length -gt 1 } | ForEach-Object { $_.Name }',
      'npm test',
      'git status && git log',
      'Remove-Item -Recurse -Force a',
    ],
    ...[
      '$x = Get-Content a; Write-Output "export A=1; grep x"',
      "Write-Host 'Get-Stuff'",
      'get-childitem | sort-object',
    ],
    ...[
      'function Get-Stuff { 1 }; Get-Stuff',
      'Import-Module Az; Get-AzVM',
      'if (Test-Path a) { Remove-Item a }',
      'mkdir a',
      'rm a',
    ],
  ])('fine: %s', async (command) => {
    expect(await pwsh(`RUN_COMMAND ${command}`)).toEqual([]);
  });
  test.each(['Read-Host "x"', 'Get-Credential', 'Remove-Item a -Confirm'])('waits: %s', async (command) => {
    expect(await pwsh(`RUN_COMMAND ${command}`)).toContain('error waits-for-terminal s1');
  });
});

describe('against the workspace', () => {
  const links: Record<string, string> = {
    out: '/elsewhere',
    'out/': '/elsewhere',
    dangling: '/etc/new',
    loop: '',
  };
  const files = new Set(['a.txt', 'pipe']);
  const facts: WorkspaceFacts = {
    exists: async (path) => files.has(path) || path === '/w',
    kind: (path) => (path === 'pipe' ? 'other' : files.has(path) ? 'file' : null),
    realpath(path) {
      if (path === '.') return '/w';
      if (path.startsWith('/')) return path;
      const [first = ''] = path.split('/');
      const target = links[first];
      if (target === '') return null;
      return target === undefined ? `/w/${path}` : `${target}${path.slice(first.length)}`;
    },
    commandExists: (name) => ['ls', 'npm'].includes(name),
  };
  const against = (...lines: string[]) => check(lines, '', facts);

  test.each([
    ['WRITE_FILE out/x "a"'],
    ['WRITE_FILE dangling "a"'],
    ['WRITE_FILE loop "a"'],
    ['WRITE_FILE /w2/x "a"'],
    ['WRITE_FILE pipe "a"'],
    ['LIST_FILES out/*.txt AS x'],
    ['REPEAT 2 DO WRITE_FILE out/{index} "a"'],
  ])('refused: %s', async (line) => {
    expect(await against(line)).toContain('error outside-workspace s1');
  });

  test('inside is fine, absolute too', async () => {
    expect(
      await against(
        'WRITE_FILE /w/x "a"',
        'CREATE_DIR b',
        'WRITE_FILE b/c "a"',
        'READ_FILE a.txt AS t',
        'READ_FILE b/c AS u',
      ),
    ).toEqual([]);
  });

  test('files and commands that are not there are told', async () => {
    expect(await against('READ_FILE gone.txt AS x')).toEqual(['warning missing-file s1']);
    expect(await against('RUN_COMMAND npm run build', 'READ_FILE gone.txt AS x')).toEqual([]);
    expect(await against('WRITE_FILE no/where/x.txt "some text"')).toEqual(['warning missing-folder s1']);
    expect(await against('CREATE_DIR no/where', 'WRITE_FILE no/where/x.txt "some text"')).toEqual([]);
    expect(await against('RUN_COMMAND npm run build', 'WRITE_FILE no/where/x.txt "some text"')).toEqual([]);
    expect(await against('RUN_COMMAND lss -l | cd x && f() { ls; }; f; ./own; $tool')).toEqual([
      'warning command-not-found s1',
    ]);
  });

  test('a function of an earlier step is no command that is missing', async () => {
    expect(await against('RUN_SCRIPT "f() { ls; }"', 'RUN_COMMAND f', 'RUN_COMMAND lss')).toEqual([
      'warning command-not-found s3',
    ]);
  });

  test('a command that is missing is told once, however many steps need it', async () => {
    expect(await against('RUN_COMMAND lss', 'RUN_COMMAND lss -l', 'RUN_COMMAND lss && lss -a')).toEqual([
      'warning command-not-found s1',
    ]);
  });
});
