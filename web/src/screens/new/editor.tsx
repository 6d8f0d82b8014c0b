import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, setDiagnostics } from '@codemirror/lint';
import { searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import type { PlanProblem } from '@contract';
import { useEffect, useRef } from 'react';

interface EditorProps {
  text: string;
  label: string;
  problems: readonly PlanProblem[];
  onChange(text: string): void;
}

const look = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--text)', maxHeight: '50vh' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontSize: '12.5px',
    lineHeight: '18px',
    overflow: 'auto',
  },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--faint)', border: 'none' },
  '.cm-content': { caretColor: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
});

/** The text of a plan, with what is wrong in it under the lines. */
export function Editor({ text, label, problems, onChange }: EditorProps) {
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
          yaml(),
          syntaxHighlighting(defaultHighlightStyle, { fallback: true }),
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
  }, [label]);
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
  return <div ref={box} />;
}
