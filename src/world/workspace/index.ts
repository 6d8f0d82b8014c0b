export { type Entry, type EntryKind, entryAt, specialError } from './confine/entry.ts';
export { type ConfinementCode, ConfinementError } from './confine/errors.ts';
export type { Folder } from './confine/folder.ts';
export { type LocateOptions, locate, type Place, type Where } from './confine/locate.ts';
