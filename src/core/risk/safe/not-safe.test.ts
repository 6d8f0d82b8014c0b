import { describe, expect, test } from 'vitest';
import { judgeCommand } from '../judge.ts';

const context = { workspace: '/w/project', cwd: '/w/project', home: '/home/u' };
const level = (text: string, trusted = true): string => judgeCommand(text, { ...context, trusted }).level;

describe('what looks like reading and is not', () => {
  test.each([
    ['opens again for writing what it reads', ['tee /dev/stdin < f', 'tee -a /dev/stdin < f']],
    [
      'shows what a pattern outside finds',
      ['cat /p*/self/environ', 'cat /pr[o]c/1/environ', 'head ~/.config/*/*', 'cat /h*/u/x'],
    ],
    ['shows a hidden file of the home', ['cat ~/.some-tool/state', 'grep . ~/.config/tool/session']],
    [
      'searches outside',
      [
        'rg -e . ~/x',
        'rg --regexp=. /home',
        'find ~ -type f -exec head {} +',
        'find / -name h -exec cat {} +',
      ],
    ],
    [
      'hides the end of a pattern in brackets',
      ["sed '/ s#/s,[,],;/,e;#/p' f", "sed '/ s#/s,[,],;/,w d/p' f"],
    ],
    ['reads letters otherwise than we', ['xxd -pl 5 f', 'tree -Po a f', 'tree -Lo 1 f', 'less -z5O f g']],
    [
      'fills memory',
      [
        "jq -n '[range(infinite)]'",
        "jq -n '[recurse(.)]'",
        'awk \'BEGIN{print length(sprintf("%999999999d",1))}\'',
      ],
    ],
    [
      'says that it is another request',
      [
        "curl -H 'X-HTTP-Method-Override: DELETE' https://e.example/x",
        "gh api -H 'X-HTTP-Method: PUT' /repos/a/b",
      ],
    ],
    ['shows all that a cluster runs', ['kubectl cluster-info dump']],
    [
      'writes where awk seems to compare',
      ["awk 'NR>1 {if(x){y} print $1 > f}' f", "awk '$1>2 {print /;/ > $1}' f", "awk '{ print a > b }' f"],
    ],
    ['runs what is read', ['cat <(./x)', 'diff <(sort a > b) c', 'sort -o <(cat a) b']],
    ['asks for the environment', ["jq -n '$ ENV'", "yq -n '$ ENV'", 'jq -n \'"\\($ ENV)"\'']],
    [
      'shows all of a container',
      ['(.Config)', 'json $', 'print .', '. | json', 'index . "Config"', 'json .Spec', '$x := (.Config)'].map(
        (part) => `docker inspect -f '{{${part}}}' c`,
      ),
    ],
    ['writes with a word more', ['poetry version patch', 'aws configure set region help', 'uv tree']],
    ['runs the file before the option', ['python3 evil.py -mjson.tool']],
    [
      'hides a call behind a comment',
      ['psql -c "SELECT f/**/(1)"', 'sqlite3 db "SELECT f /* */ (1)"', 'mysql -e "SELECT f -- (1)"'],
    ],
    [
      'expands a secret of the environment',
      [
        'cat <<< "$GITHUB_TOKEN"',
        'cat <<E\n$API_KEY\nE',
        'for t in $DB_CREDS; do echo $t; done',
        'echo $JWT',
      ],
    ],
    [
      'sets a variable by a loop',
      ['for PATH in ./evil; do ls; done', 'for HOME in .; do ls; done', 'for https_proxy in x; do ls; done'],
    ],
    [
      'fills memory, or starts without end',
      [
        'sort /dev/zero',
        "printf '%2147483647d' 1",
        'awk \'BEGIN{while(1)x=x "a"}\'',
        "jq -n '[range(1e12)]'",
        'seq 9 | xargs -P0 -n1 ls',
      ],
    ],
    ['sets a variable by what it prints', ["printf '12%n' PATH"]],
    [
      'shows values that are secret',
      ['helm template ./c -f secrets.yaml', 'systemctl show -p Environment x'],
    ],
  ])('%s', (_, commands) => {
    for (const text of commands) expect([text, level(text)]).not.toEqual([text, 'safe']);
  });

  test.each([
    'tree -I node_modules -L 2',
    'xxd -l 64 f',
    'docker inspect -f "{{.State.Status}}" c',
    "docker inspect -f '{{range .Mounts}}{{.Source}} {{end}}' c",
    "docker ps --format 'table {{.Names}}\\t{{.Status}}'",
    'cat ~/.bashrc',
    'cat /etc/*.conf',
    'find . -name "*.md" -exec wc -l {} +',
    'rg TODO src',
    "sed 's/a/b/' f",
    "awk '{ for (i = 1; i <= NF; i++) print $i }' f",
    'jq .a f',
    'poetry version',
    'aws ec2 describe-instances help',
    'for f in a b; do echo $f; done',
    "printf '%5d\\n' 3",
    'seq 1 5',
  ])('%s stays safe', (text) => {
    expect(level(text)).toBe('safe');
  });
});

test('trust in a folder is asked for of the one that git is sent to', () => {
  const asked: (string | undefined)[] = [];
  const trusts = (folder: string | undefined): boolean => {
    asked.push(folder);
    return folder === '/w/project';
  };
  expect(judgeCommand('git status', { ...context, trusted: true, trusts }).level).toBe('safe');
  expect(judgeCommand('git -C vendor/x status', { ...context, trusted: true, trusts }).level).toBe('caution');
  expect(asked).toContain('/w/project/vendor/x');
});

test.each([
  'look . .env',
  'tsort .env',
  'zstd -c .env',
  'git show HEAD:.env',
  'git log -p -- .env',
  'git log -L1,5:.env',
  'cat terraform.tfstate',
  'cat ~/.config/planwright/keys.json',
  'cat ~/.local/share/keyrings/login.keyring',
  ': < f > /dev/stdin',
  ': 1< ~/.bashrc > /dev/stdout',
  'exec 3< ~/.bashrc; cp /dev/null /dev/fd/3',
])('%s is dangerous', (text) => {
  expect(level(text)).toBe('dangerous');
});

test.each([
  'diff <(sort a.txt) <(sort b.txt)',
  "awk 'NR>1 {s+=$2} END {print s/NR}' data.csv",
  'comm -12 <(ls a) <(ls b)',
])('%s is safe', (text) => {
  expect(level(text)).toBe('safe');
});
