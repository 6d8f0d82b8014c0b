import { loadConfig } from './config.ts';
import type { Env, Places } from './places.ts';

/**
 * Whether a person has said that they decide through the client of this name (`clients.decide`). A client may answer by
 * program whatever it was to ask its person, so none does by itself. Read anew each time: what was taken back holds at once.
 */
export function decidesThrough(places: Places, env: Env, workspace: string, client: string): boolean {
  const named = loadConfig({ places, env, workspace }).values['clients.decide'];
  return (named ?? '').split(',').some((name) => name.trim() !== '' && name.trim() === client);
}
