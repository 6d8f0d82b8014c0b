import { plural } from 'plural';

/** `3 berries`, `1 berry`. */
export const counted = (count, word) => `${count} ${count === 1 ? word : plural(word)}`;
