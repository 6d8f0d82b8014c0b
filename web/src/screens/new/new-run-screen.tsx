import type { Input, Mode, PlanProblem } from '@contract';
import { ApiError } from '@contract';
import { useNavigate } from '@tanstack/react-router';
import { capital } from '@told';
import { FileUp, X } from 'lucide-react';
import { type DragEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { say } from '../../api/ask.ts';
import { client } from '../../api/client.ts';
import { setLook } from '../../api/look.ts';
import { useConfig, useModels } from '../../api/queries.ts';
import { givenInputs, missingInputs } from '../../model/inputs.ts';
import { modeMeaning, modeName } from '../../model/words.ts';
import { useTitle } from '../../shell/announcer.tsx';
import { Needs } from '../../shell/needs.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { Gallery } from './gallery.tsx';
import { InputsForm } from './inputs-form.tsx';
import { PartField } from './part-field.tsx';
import { type Dropped, readFile } from './plan-files.ts';
import { Problems } from './problems.tsx';
import { Recent } from './recent.tsx';
import { useTypedFolder, WorkspaceField } from './workspace-field.tsx';

const Editor = lazy(() => import('./editor.tsx').then((m) => ({ default: m.Editor })));

const modes = (['teacher', 'planner', 'agentic'] as const).map((value) => ({
  value,
  label: modeName[value],
  title: modeMeaning[value],
  machine: value === 'agentic',
}));

const textOf = ({ text, kind, name }: Dropped, part: string) => ({
  ...{ text, kind, name },
  ...(part === '' ? {} : { only: part }),
});

/** A goal in words, or a file: then the plan is shown before anything is run. */
export function NewRunScreen() {
  useTitle('New run');
  const navigate = useNavigate();
  const { data: config, isPending } = useConfig();
  const models = useModels().data;
  const planner = models?.roles.find(({ role }) => role === 'planner');
  const canPlan = planner?.chain.some(({ available }) => available) === true;
  const [goal, setGoal] = useState('');
  const [file, setFile] = useState<Dropped | null>(null);
  const [mode, setMode] = useState<Mode | null>(null);
  const [workspace, setWorkspace] = useState<string | null>(null);
  const [inputs, setInputs] = useState<readonly Input[]>([]);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [part, setPart] = useState('');
  const [parts, setParts] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<readonly PlanProblem[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const chosen = mode ?? config?.values.mode ?? 'planner';
  const folderText = workspace ?? config?.workspace ?? '';
  const typedFolder = useTypedFolder(folderText);
  const picker = useRef<HTMLInputElement>(null);
  // What stands in the editor at the moment of the click, drawn already or not.
  const latest = useRef<Dropped | null>(null);
  const put = (next: Dropped | null) => {
    latest.current = next;
    setFile(next);
  };
  // Files are read at their own pace: the one that was chosen last counts.
  const wanted = useRef<File | null>(null);
  const take = async (given: File | undefined) => {
    if (given === undefined) return;
    wanted.current = given;
    const read = await readFile(given);
    if (wanted.current !== given) return;
    if (read === null) return say('That file is too large to be a plan.', true);
    choose(read);
  };
  const choose = (chosenFile: Dropped | null) => {
    wanted.current = null;
    put(chosenFile);
    setInputs([]);
    setPart('');
    setParts([]);
    setTyped({});
    setProblems([]);
    setFailure(null);
  };
  useEffect(() => {
    if (file === null) return;
    let isOld = false;
    const timer = setTimeout(async () => {
      try {
        const { text, kind, name } = file;
        const found = await client.validatePlan({
          text,
          kind,
          name,
          ...(part === '' ? {} : { only: part }),
          ...(typedFolder?.folder == null ? {} : { workspace: typedFolder.folder }),
        });
        if (isOld) return;
        setProblems(found.problems);
        if (found.parts !== undefined) setParts(found.parts);
        if (found.ok) setInputs(found.plan.inputs ?? []);
      } catch {
        // The server says the same again when the run is created.
      }
    }, 250);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [file, part, typedFolder?.folder]);
  const create = async () => {
    setBusy(true);
    setFailure(null);
    try {
      const given = latest.current;
      const source = given === null ? { goal: goal.trim() } : textOf(given, part);
      const { id } = await client.createRun({
        source,
        mode: chosen,
        key: crypto.randomUUID(),
        workspace: folderText,
        ...(given === null ? {} : { inputs: givenInputs(inputs, typed) }),
      });
      void navigate({ to: '/runs/$id', params: { id } });
    } catch (error) {
      if (error instanceof ApiError && error.problems !== undefined) setProblems(error.problems);
      setFailure(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  const missing = file === null ? [] : missingInputs(inputs, typed);
  // Known to be wrong, not merely unknown yet: the server looks again when the run is created.
  const isFolderBad = typedFolder !== undefined && typedFolder.folder === null;
  const ready =
    folderText.trim() !== '' &&
    !isFolderBad &&
    missing.length === 0 &&
    (file === null ? goal.trim() !== '' : !problems.some(({ severity }) => severity === 'error'));
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    <section
      aria-label="New run"
      className="h-full overflow-auto"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <div className="mx-auto grid max-w-190 grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-[6vh] pb-10 max-md:pt-6">
        <h1 className="font-semibold text-[20px] leading-7 tracking-[-0.015em]">What should be done?</h1>
        <div className={cx('rounded-md border bg-surface', over ? 'border-text' : 'border-line-strong')}>
          {file === null ? (
            <textarea
              // biome-ignore lint/a11y/noAutofocus: the screen is there to type into it
              autoFocus
              aria-label="Goal"
              rows={4}
              value={goal}
              placeholder="Say it in your words: “Build the docs site, serve it on 8080 and check every page”"
              onChange={(event) => setGoal(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && ready && !busy)
                  void create();
              }}
              className="block w-full resize-y bg-transparent px-3.5 py-3 text-[15px] leading-6 outline-none placeholder:text-faint"
            />
          ) : (
            <div>
              <div className="flex h-9 items-center gap-2 border-b px-3.5">
                <code className="mono truncate">{file.name}</code>
                <span className="text-faint">{file.kind === 'plan' ? 'plan file' : 'runbook'}</span>
                <IconButton label="Take the file out" className="ml-auto" onClick={() => choose(null)}>
                  <X size={14} />
                </IconButton>
              </div>
              <Suspense
                fallback={<pre className="mono max-h-[50vh] overflow-auto p-3.5 text-dim">{file.text}</pre>}
              >
                <Editor
                  key={file.name}
                  text={file.text}
                  kind={file.kind}
                  label={`Text of ${file.name}`}
                  problems={problems}
                  onChange={(text) => put({ ...file, text })}
                />
              </Suspense>
            </div>
          )}
          <Needs scope="ask">
            <div className="flex flex-wrap items-center gap-2 border-t px-2.5 py-2">
              <Segmented<Mode> label="Mode" value={chosen} choices={modes} onChange={setMode} />
              <Button look="ghost" icon={<FileUp size={14} />} onClick={() => picker.current?.click()}>
                Runbook or plan file…
              </Button>
              <input
                ref={picker}
                type="file"
                aria-label="Runbook or plan file"
                accept=".md,.markdown,.yaml,.yml,.json"
                className="sr-only"
                tabIndex={-1}
                onChange={(event) => void take(event.target.files?.[0])}
              />
              <Button
                look="primary"
                className="ml-auto"
                disabled={!ready || busy}
                onClick={() => void create()}
              >
                {busy ? 'Reading it…' : file === null ? 'Make a plan' : 'Show the plan'}
              </Button>
            </div>
          </Needs>
        </div>
        <p className="text-dim">{modeMeaning[chosen]}. You see every step before anything is run.</p>
        {file === null && models !== undefined && !canPlan ? (
          <p className="rounded-md border px-3 py-2 text-dim">
            No model is set up here that could make a plan from words: a goal that a template is about uses
            that template. Runbooks and plan files run without one.{' '}
            <button
              type="button"
              className="text-text underline underline-offset-4"
              onClick={() => setLook({ open: 'settings', page: 'models' })}
            >
              Set up a model
            </button>
          </p>
        ) : null}
        {failure === null ? null : (
          <p role="alert" className="text-fail">
            {capital(failure)}
          </p>
        )}
        {file?.kind === 'runbook' ? <PartField parts={parts} part={part} onChange={setPart} /> : null}
        <Problems problems={problems} />
        {file === null ? null : <InputsForm inputs={inputs} typed={typed} onChange={setTyped} />}
        <WorkspaceField text={folderText} typed={typedFolder} pending={isPending} onChange={setWorkspace} />
        {file === null ? (
          <>
            <Recent
              onChoose={(chosenFile, folder) => {
                choose(chosenFile);
                setWorkspace(folder);
              }}
            />
            <Gallery onChoose={choose} />
          </>
        ) : null}
      </div>
    </section>
  );
}
