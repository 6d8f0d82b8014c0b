import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import { fenced } from './cards.ts';

/** A prompt as a conversation takes it. */
export interface ReadPrompt {
  text: string;
  /** Nothing but a file was sent: it is meant as a plan, if it is one. */
  onlyFile: string | null;
  pictures: { name: string; bytes: Uint8Array }[];
}

/** More than a person sends: of what is embedded the beginning is taken. */
const LONGEST = 200_000;

/** What was sent, in the words of a conversation: a file that it is pointed at is `@file`. Throws a sentence. */
export function readPrompt(blocks: readonly ContentBlock[], workspace: string): ReadPrompt {
  const pictures: ReadPrompt['pictures'] = [];
  const linked: string[] = [];
  let typed = '';
  let text = '';
  const attached: string[] = [];
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        typed += block.text;
        text += block.text;
        break;
      case 'resource_link': {
        const path = pathOf(block.uri, workspace);
        if (path !== null) linked.push(path);
        // What has a space in it is named, and left to whoever reads the message.
        text += path === null ? block.uri : /\s/.test(path) ? JSON.stringify(path) : `@${path}`;
        break;
      }
      case 'resource': {
        const { uri } = block.resource;
        const name = pathOf(uri, workspace) ?? uri;
        if ('text' in block.resource)
          attached.push(`${name}:\n${fenced(block.resource.text.slice(0, LONGEST))}`);
        else throw new Error(`${name} is not text: it cannot be sent`);
        text += name;
        break;
      }
      case 'image': {
        const bytes = Buffer.from(block.data, 'base64');
        pictures.push({ name: `picture ${pictures.length + 1}`, bytes });
        break;
      }
      default:
        throw new Error(`${block.type} cannot be sent: text, files and pictures can`);
    }
  }
  const said = text.trim();
  const words = said === '' && pictures.length > 0 ? 'What is in this picture?' : said;
  const isOnlyFile =
    typed.trim() === '' && linked.length === 1 && attached.length === 0 && pictures.length === 0;
  return {
    text: [words, ...attached].filter((part) => part !== '').join('\n\n'),
    onlyFile: isOnlyFile ? linked[0]! : null,
    pictures,
  };
}

/** The path of a file, from the workspace where it lies in it; null for what is no file of this machine. */
function pathOf(uri: string, workspace: string): string | null {
  if (!uri.startsWith('file:')) return null;
  try {
    const path = fileURLToPath(uri.replace(/[?#].*$/s, ''));
    const inside = relative(workspace, path);
    return inside === '' || inside.startsWith('..') ? path : inside;
  } catch {
    return null;
  }
}
