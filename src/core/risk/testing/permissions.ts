import type { Examples } from './examples.ts';

export const permissionExamples: Examples = {
  'permissions-vital': {
    hits: [
      'chmod -R 777 /',
      'chown -R me ~',
      'chmod --rec 000 /',
      'cd / && chmod -R 000 "$PWD"',
      'sudo chown -R root:root /*',
      'chmod 000 /',
    ],
    misses: ['chmod -R 755 src', 'chmod 755 /tmp/x', 'chown me file'],
  },
  'permissions-recursive': {
    hits: ['chmod -R 755 src', 'chown -R me:me .', 'chgrp --recursive x y', 'chattr -R +i d'],
    misses: ['chmod 755 f', 'chown me f', 'chmod +x run.sh'],
  },
  'permissions-open': {
    hits: ['chmod 777 f', 'chmod a+w f', 'chmod u+s f', 'chmod 4755 f', 'setcap cap_net_raw+ep f'],
    misses: ['chmod 755 f', 'chmod +x f', 'chmod 644 f', 'chmod g+w f'],
  },
  'permissions-system': {
    hits: ['chmod 600 /etc/ssl/cert', 'chown me /usr/bin/x', 'chattr +i /etc/resolv.conf'],
    misses: ['chmod 600 etc/ssl', 'chmod +x ./usr/bin/x'],
  },
};
