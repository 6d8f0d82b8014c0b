import { basename } from 'node:path';
import { type ActionOf, MAX_PICTURE_BYTES, pictureProblem, TOOLS } from '../../../core/contract/index.ts';
import { keepPicture } from '../../tools/index.ts';
import { locate, specialError } from '../../workspace/index.ts';
import type { Attempt } from '../tools.ts';
import type { Prepare } from './change.ts';
import { readWhole } from './file-state.ts';
import { FileProblem } from './problem.ts';

/** Keeps a picture of the workspace as it is now, for a model to be shown. */
export const preparePicture =
  ({ tools, work }: Attempt): Prepare<ActionOf<'call-tool'>> =>
  async ({ args }, { where }) => {
    const { path } = TOOLS.view_picture.args.parse(args);
    const place = locate(where, path, { follow: true });
    try {
      if (place.entry.kind === 'absent') throw new FileProblem(`there is no file ${place.path}`);
      if (place.entry.kind === 'folder') throw new FileProblem(`${place.path} is a folder`);
      if (place.entry.kind === 'special') throw specialError(place.path, place.entry.stats);
      const name = basename(path);
      const content = await readWhole(place.here(), place.path, MAX_PICTURE_BYTES + 1);
      const problem = pictureProblem(name, content ?? new Uint8Array(MAX_PICTURE_BYTES + 1));
      if (content === null || problem !== null) throw new FileProblem(problem ?? name);
      const picture = await keepPicture(tools.output, work.run, name, content);
      return { changes: [], sentence: `looked at ${place.path}`, picture, close() {} };
    } finally {
      place.close();
    }
  };
