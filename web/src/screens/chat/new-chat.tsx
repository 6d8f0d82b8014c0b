import type { Mode, ModelName } from '@contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { attempt } from '../../api/ask.ts';
import { askChat } from '../../api/ask-chat.ts';
import { type ChosenPicture, keepPictures } from '../../api/chosen-pictures.ts';
import { client } from '../../api/client.ts';
import { setLook } from '../../api/look.ts';
import { useConfig, useModels } from '../../api/queries.ts';
import { chatModeMeaning } from '../../model/chat-view.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { useTypedFolder, WorkspaceField } from '../new/workspace-field.tsx';
import { chatModes, ModelChoice } from './chat-header.tsx';
import { Composer } from './composer.tsx';

/** A conversation begins with its first message: before that there is none. */
export function NewChat() {
  const navigate = useNavigate();
  const { data: config, isPending } = useConfig();
  const models = useModels().data;
  const talker = models?.roles.find(({ role }) => role === 'chat');
  const canTalk = talker?.chain.some(({ available }) => available) === true;
  const [mode, setMode] = useState<Mode | null>(null);
  const [model, setModel] = useState<ModelName | null>(null);
  const [workspace, setWorkspace] = useState<string | null>(null);
  const chosen = mode ?? config?.values.mode ?? 'planner';
  const folderText = workspace ?? config?.workspace ?? '';
  const typed = useTypedFolder(folderText);
  const begin = async (text: string, added: readonly ChosenPicture[]): Promise<boolean> => {
    const made = await attempt(() =>
      client.createChat({
        workspace: folderText,
        mode: chosen,
        key: crypto.randomUUID(),
        ...(model === null ? {} : { model }),
      }),
    );
    if (made === null) return false;
    const pictures = await keepPictures(made.id, added);
    if (pictures === null) return false;
    const shown = pictures.length === 0 ? {} : { pictures };
    if (!(await askChat(made.id, { type: 'message-sent', text, ...shown }))) return false;
    void navigate({ to: '/chats/$chat', params: { chat: made.id }, state: { isBegun: true } });
    return true;
  };
  return (
    <section aria-label="New conversation" className="h-full overflow-auto">
      <div className="mx-auto grid max-w-190 grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-[10vh] pb-10 max-md:px-3 max-md:pt-6">
        <h1 className="font-semibold text-[20px] leading-7 tracking-[-0.015em]">What is it about?</h1>
        <Composer
          workspace={typed?.folder ?? null}
          commands={false}
          disabled={folderText.trim() === '' || (typed !== undefined && typed.folder === null)}
          placeholder="“Why does npm test fail?” Simple things are answered; work of several steps becomes a plan"
          onSend={begin}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Segmented<Mode> label="Mode" value={chosen} choices={chatModes} onChange={setMode} />
          <ModelChoice value={model} onChange={setModel} />
        </div>
        <p className="text-dim">{chatModeMeaning[chosen]}.</p>
        {models !== undefined && !canTalk ? (
          <p className="rounded-md border px-3 py-2 text-dim">
            No model is set up here to talk to: templates and runbooks of the folder are offered, and a
            command that begins with <code className="mono">!</code> is run.{' '}
            <button
              type="button"
              className="text-text underline underline-offset-4"
              onClick={() => setLook({ open: 'settings', page: 'models' })}
            >
              Set up a model
            </button>
          </p>
        ) : null}
        <WorkspaceField
          text={folderText}
          typed={typed}
          pending={isPending}
          whose="the conversation"
          onChange={setWorkspace}
        />
      </div>
    </section>
  );
}
