import { type ChatRow, type ChatState, leanChat, leanTurn } from '../../../core/contract/index.ts';
import { filesLike } from '../../app/files-like.ts';
import { typedWorkspace } from '../../app/typed-folder.ts';
import { HttpError } from '../http/errors.ts';
import type { View } from '../views.ts';
import type { Desk, Handlers } from './handler.ts';

type Names =
  | 'createChat'
  | 'lookAtChat'
  | 'removeChat'
  | 'listTurns'
  | 'keepPicture'
  | 'viewPicture'
  | 'filesLike';

/** So many turns come with the first look. */
const LAST = 12;

/** What a conversation has that other streams have not. */
export function chatRoutes(desk: Desk): Handlers<Names> {
  const { app, views } = desk;
  const folder = (named: string) => typedWorkspace(app.workspace, named, desk.env);
  const view = async (id: string): Promise<View<ChatState>> => {
    if ((await app.streams.kindOf(id)) !== 'chat')
      throw new HttpError(404, 'no-such-stream', `there is no conversation ${JSON.stringify(id)}`);
    return (await views.any(id)) as View<ChatState>;
  };
  return {
    async createChat({ body }) {
      const { workspace: named, about, key, ...choices } = body;
      const workspace = named === undefined ? app.workspace : folder(named);
      const id = await app.chats.begin({ workspace, about, key, choices: { attended: true, ...choices } });
      return { id };
    },
    async lookAtChat({ params }) {
      const id = params['id']!;
      const { exact, seq, redactor } = await view(id);
      const row = await app.streams.row<ChatRow>(id);
      return { id, seq, row: redactor.value(row!), state: redactor.value(leanChat(exact, LAST)) };
    },
    async removeChat({ params, asker }) {
      const { removeChat } = await import('../../app/retention.ts');
      await removeChat(app, params['id']!, { by: asker });
      return {};
    },
    async listTurns({ params, query: { from, limit, whole } }) {
      const { exact, redactor } = await view(params['id']!);
      const turns = exact.past
        .filter((block) => (block.at(-1)?.n ?? 0) >= from)
        .flat()
        .filter(({ n }) => n >= from)
        .slice(0, limit);
      return { turns: redactor.value(whole === 'true' ? turns : turns.map(leanTurn)) };
    },
    keepPicture: ({ params, body: { name, data } }) =>
      app.chats.keepPicture(params['id']!, name, Buffer.from(data, 'base64')),
    async viewPicture({ params }) {
      const found = await app.chats.picture(params['id']!, params['hash']!);
      if (found === null) throw new HttpError(404, 'no-such-picture', 'there is no such picture');
      return new Response(new Uint8Array(found.bytes), {
        headers: { 'content-type': found.type, 'cache-control': 'private, max-age=86400, immutable' },
      });
    },
    filesLike: ({ query: { workspace, path } }) => ({ paths: filesLike(folder(workspace), path) }),
  };
}
