import type { Examples } from './examples.ts';

export const secretExamples: Examples = {
  'secret-store': {
    hits: [
      'security find-generic-password -w -s x',
      'secret-tool lookup a b',
      'pass show x',
      'gpg --export-secret-keys',
    ],
    misses: ['security list-keychains', 'gpg --list-keys', 'pass ls'],
  },
  'environment-dump': {
    hits: ['printenv', 'env', 'set', 'export -p'],
    misses: ['env ls', 'printenv HOME', 'set -e'],
  },
  'secret-variable': {
    hits: ['echo $GITHUB_TOKEN', 'printenv DB_PASSWORD', 'echo "$AWS_SECRET_ACCESS_KEY"'],
    misses: ['echo $HOME', 'printenv PATH', 'echo token'],
  },
  'secret-read': {
    hits: [
      'cat ~/.ssh/id_rsa',
      'cp .env backup',
      'head -1 /etc/shadow',
      'cat /home/*/.aws/credentials',
      'grep TOKEN .env.local',
      'cat ~/.bash_history',
    ],
    misses: [
      'cp .env.example .env',
      'openssl genrsa -out server.key 2048',
      'cat ~/.ssh/id_rsa.pub',
      'cat .env.example',
      'ls ~/.ssh',
      'cat src/key.ts',
      'find . -name .env',
    ],
  },
};
