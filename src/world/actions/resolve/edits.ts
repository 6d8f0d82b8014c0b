/** A script with words put in the place of others, and the way back from its offsets. */
export interface Variant {
  text: string;
  back(span: readonly [number, number]): [number, number];
}

/**
 * What the words of a script stand for, by their place in it. A word has several alternatives where a loop goes
 * round or a pattern matched a lot; variant `n` has each word's `n`th. All are judged; the worst counts.
 */
export interface Edits {
  add(pos: number, end: number, text: string): void;
  /** At least one variant, which is the script itself where nothing was to be replaced. */
  variants(source: string): Variant[];
}

const MAX_VARIANTS = 64;
const MAX_JUDGED = 400_000;

interface Edit {
  pos: number;
  end: number;
  texts: string[];
  count: number;
}

export function createEdits(sourceLength: number): Edits {
  const limit = Math.min(MAX_VARIANTS, Math.max(4, Math.floor(MAX_JUDGED / (sourceLength + 1))));
  const edits = new Map<number, Edit>();
  return {
    add(pos, end, text) {
      const edit = edits.get(pos);
      if (!edit) edits.set(pos, { pos, end, texts: [text], count: 1 });
      else if (edit.texts.length === 1 && edit.texts[0] === text) return;
      else if (edit.texts.length < limit) edit.texts.push(text);
      else {
        // More than there are variants: they share one, as further words of the same command.
        const shared = edit.count % limit;
        edit.texts[shared] = `${edit.texts[shared]} ${text}`;
      }
      if (edit) edit.count += 1;
    },
    variants(source) {
      const sorted = [...edits.values()].sort((a, b) => a.pos - b.pos);
      const count = Math.max(1, ...sorted.map((edit) => edit.texts.length));
      return Array.from({ length: count }, (_, at) => makeVariant(source, sorted, at));
    },
  };
}

function makeVariant(source: string, edits: readonly Edit[], at: number): Variant {
  let text = '';
  let copied = 0;
  /** Where each replaced word stands in the new text, and where it stood in the old one. */
  const places: { from: number; to: number; pos: number; end: number }[] = [];
  for (const edit of edits) {
    if (edit.pos < copied) continue;
    text += source.slice(copied, edit.pos);
    const made = edit.texts[Math.min(at, edit.texts.length - 1)] ?? '';
    places.push({ from: text.length, to: text.length + made.length, pos: edit.pos, end: edit.end });
    text += made;
    copied = edit.end;
  }
  text += source.slice(copied);
  const offset = (index: number, end: boolean): number => {
    let shift = 0;
    for (const place of places) {
      if (index < place.from || (end && index === place.from)) break;
      if (index < place.to || (end && index === place.to)) return end ? place.end : place.pos;
      shift = place.end - place.to;
    }
    return Math.max(0, Math.min(source.length, index + shift));
  };
  return {
    text,
    back([from, to]) {
      const start = offset(from, false);
      return [start, Math.max(start, offset(to, true))];
    },
  };
}
