import { spawn } from 'node:child_process';
import type { Env } from '../app/places.ts';

/** Opens an address where there is a screen to open it on. Says whether it tried; that nothing opened is no failure. */
export function openBrowser(env: Env, address: string): boolean {
  const program = browserOf(env);
  if (program === null) return false;
  const child = spawn(program, [address], { env: { ...env }, stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
  return true;
}

function browserOf(env: Env): string | null {
  if (env['BROWSER']) return env['BROWSER'];
  if (process.platform === 'darwin') return 'open';
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : null;
}
