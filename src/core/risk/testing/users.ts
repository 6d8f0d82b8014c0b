import type { Examples } from './examples.ts';

export const userExamples: Examples = {
  'user-change': {
    hits: [
      'useradd bob',
      'userdel -r bob',
      'passwd root',
      'usermod -aG sudo bob',
      'visudo',
      'echo a:b | chpasswd',
      'dscl . -delete /Users/bob',
    ],
    misses: ['id bob', 'groups', 'dscl . -list /Users', 'cat /etc/passwd'],
  },
  'root-shell': {
    hits: ['sudo su -', 'su root', 'sudo -i', 'sudo -s', 'sudo bash', 'doas -s'],
    misses: ['sudo ls', 'sudo -l', 'sudo -v', 'suspend'],
  },
  'scheduled-jobs': {
    hits: [
      'crontab -r',
      'crontab jobs.txt',
      "echo '* * * * * x' | crontab -",
      'at now + 1 minute',
      'systemctl enable x.service',
      'launchctl load x.plist',
    ],
    misses: ['crontab -l', 'at -l', 'systemctl status x', 'atq'],
  },
};
