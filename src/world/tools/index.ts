export { keepByHash, readByHash } from './kept.ts';
export { keepPicture, readPicture } from './picture.ts';
export { replaceOnce } from './replace.ts';
export { search } from './search.ts';
