import { MAX_PICTURES, type Picture, pictureProblem, pictureType } from '@contract';
import { attempt, say } from './ask.ts';
import { client } from './client.ts';

/** A picture that somebody has chosen, and that nobody was sent yet. */
export interface ChosenPicture {
  name: string;
  /** In base 64. */
  data: string;
  /** For the page to show it. */
  url: string;
}

/** Those of the files that can be sent; of the others it says why not. */
export async function readPictures(files: readonly File[]): Promise<ChosenPicture[]> {
  const read: ChosenPicture[] = [];
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const name = file.name || 'picture';
    const problem = pictureProblem(name, bytes);
    if (problem !== null) {
      say(`${problem}.`, true);
      continue;
    }
    const data = base64Of(bytes);
    read.push({ name, data, url: `data:${pictureType(bytes)};base64,${data}` });
  }
  return read;
}

/** As many as a message may have; that there were more is said. */
export function atMostPictures(chosen: readonly ChosenPicture[]): readonly ChosenPicture[] {
  if (chosen.length <= MAX_PICTURES) return chosen;
  say(`A message has ${MAX_PICTURES} pictures at most.`, true);
  return chosen.slice(0, MAX_PICTURES);
}

function base64Of(bytes: Uint8Array): string {
  const step = 0x8000;
  let text = '';
  for (let at = 0; at < bytes.length; at += step)
    text += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(text);
}

/** Keeps them with the conversation; null, and it is said why, where one cannot be. */
export async function keepPictures(
  chat: string,
  chosen: readonly ChosenPicture[],
): Promise<Picture[] | null> {
  const kept: Picture[] = [];
  for (const { name, data } of chosen) {
    const picture = await attempt(() => client.keepPicture(chat, { name, data }));
    if (picture === null) return null;
    kept.push(picture);
  }
  return kept;
}

export const pictureUrl = (chat: string, { hash }: Pick<Picture, 'hash'>): string =>
  `/api/chats/${chat}/pictures/${hash}`;
