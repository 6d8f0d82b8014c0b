import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colour is a state, in the editor too: the parts of a text are told apart by weight and shade alone. */
export const highlight = HighlightStyle.define([
  {
    tag: [tags.propertyName, tags.definition(tags.propertyName), tags.heading],
    color: 'var(--text)',
    fontWeight: '600',
  },
  {
    tag: [tags.strong, tags.keyword, tags.atom, tags.bool, tags.number],
    color: 'var(--text)',
    fontWeight: '500',
  },
  { tag: [tags.string, tags.content, tags.special(tags.string), tags.monospace], color: 'var(--text)' },
  { tag: [tags.comment, tags.meta, tags.punctuation, tags.separator, tags.list], color: 'var(--faint)' },
  { tag: [tags.quote, tags.emphasis], color: 'var(--dim)', fontStyle: 'italic' },
  { tag: tags.link, color: 'var(--dim)', textDecoration: 'underline' },
  { tag: tags.invalid, color: 'var(--fail)' },
]);

const mark = (sign: string, colour: string) => ({
  content: 'normal',
  '&::before': { content: `"${sign}"`, color: colour, fontSize: '11px', lineHeight: '18px' },
});

export const look = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--dim)', maxHeight: '50vh' },
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
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground, & > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    { backgroundColor: 'var(--sel)' },
  '.cm-lint-marker-error': mark('✕', 'var(--fail)'),
  '.cm-lint-marker-warning': mark('▲', 'var(--wait)'),
  '.cm-lint-marker-info': mark('●', 'var(--faint)'),
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
  },
  '.cm-panels': { borderRadius: '0' },
  '.cm-textfield': {
    backgroundColor: 'var(--bg)',
    border: '1px solid var(--line-strong)',
    color: 'var(--text)',
  },
  '.cm-button': {
    background: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    color: 'var(--text)',
  },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--text) 22%, transparent)' },
  '.cm-diagnostic': { fontFamily: 'var(--font-sans)', fontSize: '13px' },
});
