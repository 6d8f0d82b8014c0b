import { describe, expect, it } from 'vitest';
import { precheck, type StepProbe } from './precheck.ts';

describe('between steps', () => {
  const nothing: StepProbe = {
    exists: async () => false,
    commandExists: async () => false,
    hasWindowsLines: async () => true,
    isPortFree: async () => false,
  };
  const step = (action: object, expects = 'exit 0') => ({ id: 's', title: 't', action, expects }) as never;

  it.each([
    [{ kind: 'read-file', path: 'a', as: 'x' }, 'exit 0', ['`a` is not there.']],
    [{ kind: 'run-command', command: 'A=1 frob x' }, 'exit 0', ['There is no command `frob` here.']],
    [{ kind: 'run-command', command: 'cd x' }, 'exit 0', []],
    [
      { kind: 'run-command', command: './a.sh' },
      'exit 0',
      ['`./a.sh` is not there.', '`./a.sh` has Windows line ends.'],
    ],
    [
      { kind: 'run-command', command: 'python3 a.py' },
      'exit 0',
      ['`a.py` is not there.', 'There is no command `python3` here.'],
    ],
    [
      { kind: 'start', name: 's', command: 'cd x', keep: false },
      'port 8080 open',
      ['Port 8080 is in use already.'],
    ],
    [
      { kind: 'start', name: 's', command: 'cd x', keep: false },
      'url http://localhost:81/ answers 200',
      ['Port 81 is in use already.'],
    ],
    [{ kind: 'read-file', path: '{item}', as: 'x' }, 'exit 0', []],
    [{ kind: 'run-command', command: 'cd x && frob y' }, 'exit 0', ['There is no command `frob` here.']],
  ])('%j', async (action, expects, warnings) => {
    expect((await precheck(step(action, expects), nothing)).map(({ message }) => message)).toEqual(warnings);
    const unknown: StepProbe = {
      exists: async () => null,
      commandExists: async () => null,
      hasWindowsLines: async () => null,
      isPortFree: async () => null,
    };
    expect(await precheck(step(action, expects), unknown)).toEqual([]);
  });

  it('looks where `cd` goes, once that folder is there; what it says names the script as the shell does', async () => {
    const here: StepProbe = {
      ...nothing,
      exists: async (path) => path === 'svc',
      commandExists: async () => null,
    };
    const command = (text: string) => precheck(step({ kind: 'run-command', command: text }), here);
    expect(await command('cd svc && ./a.sh')).toMatchObject([
      { message: '`svc/a.sh` is not there.', said: 'bash: line 1: ./a.sh: No such file or directory' },
      { message: '`svc/a.sh` has Windows line ends.' },
    ]);
    for (const unsure of ['cd none && ./a.sh', 'cd svc || ./a.sh', 'cd "$dir" && ./a.sh'])
      expect(await command(unsure)).toEqual([]);
  });
});
