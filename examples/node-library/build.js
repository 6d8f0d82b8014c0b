import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
const plural = read('node_modules/plural/index.js').replace('export ', '');
const counted = read('src/counted.js').replace(/^import .*\n/m, '');
const main = 'console.log(counted(Number(process.argv[2]), process.argv[3]));\n';

mkdirSync('dist', { recursive: true });
writeFileSync('dist/counted.js', [plural, counted, main].join('\n'));
