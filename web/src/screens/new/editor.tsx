import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, setDiagnostics } from '@codemirror/lint';
import { searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import type { PlanProblem } from '@contract';
import { useEffect, useRef } from 'react';
import { markdownStart, markdownToken } from '../../model/markdown.ts';
import { highlight, look } from './editor-look.ts';

interface EditorProps {
  text: string;
  kind: 'plan' | 'runbook';
  label: string;
  problems: readonly PlanProblem[];
  onChange(text: string): void;
}

const markdown = StreamLanguage.define({ startState: markdownStart, token: markdownToken });

/** The text of a plan, with what is wrong in it under the lines. */
export function Editor({ text, kind, label, problems, onChange }: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const first = useRef(text);
  const changed = useRef(onChange);
  changed.current = onChange;
  useEffect(() => {
    const editor = new EditorView({
      parent: box.current!,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          lineNumbers(),
          history(),
          kind === 'runbook' ? markdown : yaml(),
          kind === 'runbook' ? EditorView.lineWrapping : [],
          syntaxHighlighting(highlight),
          keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
          linter(null),
          lintGutter(),
          look,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, kind]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const { doc } = editor.state;
    const diagnostics = problems.flatMap(({ source, message, severity }): Diagnostic[] => {
      if (source === undefined || source.line > doc.lines) return [];
      const line = doc.line(Math.max(1, source.line));
      return [
        { from: Math.min(line.to, line.from + Math.max(0, source.col - 1)), to: line.to, severity, message },
      ];
    });
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [problems]);
  return <div ref={box} className="min-w-0" />;
}
