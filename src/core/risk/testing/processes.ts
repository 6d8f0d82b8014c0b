import type { Examples } from './examples.ts';

export const processExamples: Examples = {
  'stays-running': {
    hits: ['setsid -f ./x', 'screen -dmS a ./x', "tmux new -d 'npm start'", 'mongod --fork'],
    misses: ['screen -ls', 'tmux ls', 'pm2 list', 'setsid ./x', 'pg_ctl status', 'gunicorn app:app'],
  },
  'types-elsewhere': {
    hits: [
      'tmux send-keys -t 0 y Enter',
      'screen -X stuff y',
      'kitty @ send-text y',
      'xdotool key Return',
      'gdb -p 123',
      'gdbus call --session --dest a.b --object-path /x --method a.b.C',
    ],
    misses: ['tmux ls', 'tmux attach', 'screen -ls', 'gdb ./a.out', 'wezterm cli list', 'strace ls', 'vim f'],
  },
  'kill-everything': {
    hits: ['kill -9 -1', 'kill -KILL -- -1', 'sudo kill -s TERM -1', 'killall5 -9', 'pkill -9 .'],
    misses: ['kill -9 123', 'kill -1 123', 'pkill node', 'killall node'],
  },
  'runs-again': {
    hits: ['fc -s', 'fc -s rm', 'fc -e vim', 'fc'],
    misses: ['fc -l', 'fc -ln -10'],
  },
  'kill-process': {
    hits: [
      'kill -9 123',
      'pkill node',
      'killall node',
      'pkill -u me',
      'fuser -k 80/tcp',
      'kill $(lsof -ti :3000)',
      'lsof -ti :3000 | xargs kill',
      'npx kill-port 3000',
      'kill -KILL 1',
      'kill 1',
    ],
    misses: ['kill -0 123', 'kill -l', 'fuser 80/tcp', 'pgrep node', 'kill 1234'],
  },
  power: {
    hits: ['shutdown -h now', 'sudo reboot', 'init 0', 'systemctl poweroff', 'halt', 'SHUTDOWN'],
    misses: ['myshutdown', 'systemctl status x', 'git init', 'shutdown --help'],
  },
  'service-change': {
    hits: [
      'systemctl stop nginx',
      'sudo systemctl disable --now docker',
      'service nginx stop',
      'launchctl bootout x',
      'pm2 delete all',
      'nginx -s stop',
      'haproxy -st 12',
    ],
    misses: [
      'systemctl status nginx',
      'systemctl restart nginx',
      'service nginx status',
      'brew services list',
      'nginx -t',
    ],
  },
};
