import type { Examples } from './examples.ts';

export const deletionExamples: Examples = {
  'empties-folder': {
    hits: [
      'cargo clean --target-dir src',
      'python3 -m venv --clear src',
      'vite build --outDir src --emptyOutDir',
    ],
    misses: [
      'cargo clean',
      'python3 -m venv --clear .venv',
      'vite build --outDir dist --emptyOutDir',
      'uv venv',
    ],
  },
  'delete-vital': {
    hits: [
      'rm -rf /',
      'rm -rf ~',
      'rm -r --no-preserve-root /',
      'rm -rf /*',
      'sudo rm -rf "$HOME"',
      'cd / && rm -rf .',
      'rm -rf ../..',
      'find / -delete',
      'rm -rf /etc',
      'rm -rf ~/{*,.*}',
      'mv /* /tmp',
      'rsync -a --delete empty/ /',
      'env -u A rm -rf /',
      'rm -rf /usr/../',
    ],
    misses: [
      'rm -rf ./build',
      'rm -rf /tmp/x',
      'rm file',
      'find . -delete',
      'mv a b',
      'rsync -a a/ b/',
      'rm -rf ~/project/dist',
    ],
  },
  delete: {
    hits: [
      'rm x',
      'rm -rf build',
      '/bin/rm x',
      'sudo rm x',
      'unlink f',
      'rmdir d',
      'shred f',
      'find . -name x -delete',
      'xargs rm',
      'find . -exec rm {} +',
      "bash -c 'rm x'",
      'timeout 5 rm x',
      'RM -RF x',
    ],
    misses: ['echo rm x', 'grep rm f', 'find . -name delete', 'ls rm', 'trash-list'],
  },
  'empty-file': {
    hits: ['truncate -s0 f', 'mv f /dev/null', 'mv a /dev/null b'],
    misses: ['mv a b', 'cp /dev/null a'],
  },
  'mirror-deletes': {
    hits: [
      'rsync -av --delete a/ b/',
      'rclone sync a r:b',
      'azcopy sync --delete-destination=true a b',
      'mc mirror --remove a b',
      'aws s3 sync a s3://b --delete',
    ],
    misses: ['rsync -av a/ b/', 'rclone copy a r:b', 'rclone sync a r:b --dry-run', 'aws s3 sync a s3://b'],
  },
  'archive-deletes': {
    hits: [
      'tar czf a.tgz --remove-files build',
      'zip -rm a.zip build',
      'tar xPf a.tar',
      "7z d a.7z '*'",
      'tar xf a.tar --recursive-unlink',
      "zip -d a.zip '*'",
    ],
    misses: ['tar czf a.tgz build', 'tar xf a.tar', 'zip -r a.zip build', '7z a a.7z build', 'unzip a.zip'],
  },
};
