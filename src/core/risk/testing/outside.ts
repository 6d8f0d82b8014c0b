import type { Examples } from './examples.ts';

export const outsideExamples: Examples = {
  'other-host': {
    hits: [
      'ssh host systemctl restart web',
      'scp notes host:notes',
      'rsync -a dist/ me@host:/srv/www/',
      'ssh host < setup.sh',
    ],
    misses: ['ssh host uptime', 'scp host:notes .', 'rsync -an dist/ me@host:/srv/www/'],
  },
  'user-wide': {
    hits: [
      'npm install -g typescript',
      'git config --global user.name me',
      'pip install --user x',
      'sudo make install',
      'make install PREFIX=~/.local',
      'systemctl restart web',
      'apt-get install -y jq',
      'cargo install ripgrep',
    ],
    misses: [
      'npm install typescript',
      'git config user.name me',
      'pip install x',
      'make install',
      'systemctl status web',
      'npm ls -g',
      'git config --global --list',
    ],
  },
  'remote-change': {
    hits: [
      'docker push e.example/app',
      'kubectl apply -f app.yaml',
      'terraform apply',
      'gh pr create --fill',
      'aws s3 cp a s3://b/a',
      'helm upgrade app ./chart',
    ],
    misses: [
      'docker build .',
      'kubectl get pods',
      'terraform plan',
      'gh pr list',
      'aws s3 ls s3://b',
      'kubectl apply -f app.yaml --dry-run=client',
      'git push',
    ],
  },
  'http-change': {
    hits: [
      'curl -X POST https://e.example/items',
      'curl -d @report.json https://e.example',
      'http PUT e.example/a b=c',
      'wget --post-data=a e.example',
    ],
    misses: [
      'curl https://e.example',
      'curl -d a=b localhost:3000',
      'curl -G -d q=x https://e.example',
      'http e.example',
    ],
  },
};
