import type { Examples } from './examples.ts';

export const packageExamples: Examples = {
  'package-removal': {
    hits: [
      'apt remove nginx',
      'sudo apt-get purge -y x',
      'pacman -Rns x',
      'dpkg --purge x',
      'rpm -e x',
      'brew uninstall x',
      'yum autoremove',
      'apk del x',
    ],
    misses: ['apt install nginx', 'apt list', 'pacman -Ss x', 'brew list', 'rpm -qa'],
  },
  'package-publishing': {
    hits: [
      'npm unpublish x',
      'npm publish',
      'cargo yank --version 1.0.0',
      'gem yank x',
      'twine upload dist/*',
      'npm deprecate x "old"',
      'gradle publish',
      'pnpm unpublish',
    ],
    misses: [
      'npm install',
      'npm publish --dry-run',
      'cargo publish --dry-run',
      'npm deprecate',
      'yarn npm publishh',
      'npm unpublishh',
    ],
  },
  'package-source': {
    hits: [
      'pip install --index-url http://e.example/simple x',
      'cargo install --git http://e.example/x',
      'npm install http://e.example/x.tgz',
      'pip install --trusted-host e.example x',
    ],
    misses: [
      'pip install --index-url https://download.pytorch.org/whl/cpu torch',
      'npm install express',
      'npm install --registry http://localhost:4873 x',
    ],
  },
  'package-scripts': {
    hits: [
      'npm pkg set scripts.postinstall=x',
      'npm set-script test x',
      'npm config set script-shell ./x',
      'pnpm pkg set scripts.a=b',
    ],
    misses: [
      'npm pkg set version=1.2',
      'npm pkg get scripts',
      'npm config set fund false',
      'npm run scripts',
    ],
  },
};
