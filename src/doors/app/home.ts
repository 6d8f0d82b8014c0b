import { homedir } from 'node:os';
import type { Env } from './places.ts';

export const homeOf = (env: Env): string => env['HOME'] || homedir();
