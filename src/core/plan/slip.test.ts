import { describe, expect, test } from 'vitest';
import { changesMeaning, isSlip } from './nearest.ts';

describe('a slip of the fingers', () => {
  test.each([
    ['gti', 'git'],
    ['sl', 'ls'],
    ['gitt', 'git'],
    ['grp', 'grep'],
    ['greo', 'grep'],
    ['pythn', 'python'],
    ['dokcer', 'docker'],
    ['README.MD', 'README.md'],
    ['requirement.txt', 'requirements.txt'],
    ['kubeclt', 'kubectl'],
  ])('%s for %s', (typed, right) => {
    expect(isSlip(typed, right)).toBe(true);
  });

  test.each([
    ['packer', 'docker'],
    ['rake', 'make'],
    ['tox', 'top'],
    ['pkill', 'kill'],
    ['act', 'cut'],
    ['just', 'dust'],
    ['isntlal', 'install'],
    ['git', 'git'],
    ['', 'ls'],
  ])('%s is none for %s', (typed, right) => {
    expect(isSlip(typed, right)).toBe(false);
  });
});

describe('a word that is about something else', () => {
  test.each([
    ['app-1.2.3.tgz', 'app-1.2.4.tgz'],
    ['eu-west-1', 'us-west-1'],
    ['eu-west', 'eu-east'],
    ['deploy:prod', 'deploy:stage'],
    ['deploy', 'deploy-prod'],
    ['install', 'uninstall'],
    ['lock', 'unlock'],
    ['start', 'restart'],
    ['up', 'down'],
    ['dropdb', 'dumpdb'],
    ['pg_drop', 'pg_dump'],
    ['web-a', 'web-b'],
    ['dev1', 'dev2'],
    ['DB_URL_1', 'DB_URL_2'],
    ['enable', 'disable'],
    ['test', 'pretest'],
    ['commit', 'pre-commit'],
    ['db:migrate', 'db:migrate:undo'],
    ['deploy', 'deploy-force'],
    ['cache', 'cache:clear'],
  ])('%s, %s', (from, to) => {
    expect(changesMeaning(from, to)).toBe(true);
  });

  test.each([
    ['stagin', 'staging'],
    ['instal', 'install'],
    ['tset', 'test'],
    ['readme', 'README'],
    ['local', 'remote/local'],
    ['v1.2', 'v1.2'],
    ['prodution', 'production'],
  ])('%s, %s: only a slip', (from, to) => {
    expect(changesMeaning(from, to)).toBe(false);
  });
});
