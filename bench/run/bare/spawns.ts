// Usage: spawns.ts COUNT. The same bash, with the same pipes for its output, and nothing else, one after the other, from a
// process that is as small as one of Node can be. Prints the milliseconds that one took.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const count = Number(process.argv[2]);
const from = performance.now();
for (let n = 0; n < count; n += 1) {
  const child = spawn('bash', ['--noprofile', '--norc', '-c', 'true'], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, 'close');
}
process.stdout.write(String((performance.now() - from) / count));
