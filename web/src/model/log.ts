import { type AnsiLook, ansiLine, plainText } from './ansi.ts';

/** The text of an output as lines, grown by bytes as they come. */
export class LogLines {
  private readonly decoder = new TextDecoder();
  private readonly raw: string[] = [];
  private readonly looks: (AnsiLook | undefined)[] = [];
  private rest = '';
  /** Where each line begins in the whole output, and where the next one will. */
  private readonly starts: number[] = [0];
  private errors: readonly (readonly [number, number])[] = [];

  /** `at`: the place of these bytes in the whole output. */
  add(bytes: Uint8Array, at = 0): void {
    // What was left out between is no part of a line.
    if (this.rest === '') this.starts[this.raw.length] = at;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1))
      this.starts.push(at + end + 1);
    const text = this.rest + this.decoder.decode(bytes, { stream: true });
    const lines = text.split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.raw.push(line);
  }

  /** Tells which places of the whole output came from stderr, in order. */
  tell(errors: readonly (readonly [number, number])[]): void {
    this.errors = errors;
  }

  isError(line: number): boolean {
    const at = this.starts[line];
    if (at === undefined) return false;
    let [low, high] = [0, this.errors.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.errors[middle]![1] > at) high = middle;
      else low = middle + 1;
    }
    return low < this.errors.length && this.errors[low]![0] <= at;
  }

  get count(): number {
    return this.raw.length + (this.rest === '' ? 0 : 1);
  }

  /** From 0, escapes included. */
  line(at: number): string {
    return this.raw[at] ?? (at === this.raw.length ? this.rest : '');
  }

  text(at: number): string {
    return plainText(this.line(at));
  }

  all(): string {
    const lines: string[] = [];
    for (let at = 0; at < this.count; at += 1) lines.push(this.text(at));
    return lines.join('\n');
  }

  /** The look that a line begins in: what the lines before it left, found from the last one that is known. */
  lookAt(at: number): AnsiLook {
    let from = Math.min(at, this.looks.length - 1);
    while (from > 0 && this.looks[from] === undefined) from -= 1;
    let look = from >= 0 ? (this.looks[from] ?? {}) : {};
    for (let n = Math.max(0, from); n < at; n += 1) {
      look = ansiLine(this.line(n), look).look;
      this.looks[n + 1] = look;
    }
    return look;
  }

  /** Which lines hold the text, whatever its case; at most so many. */
  find(query: string, most = 10_000): number[] {
    const wanted = query.toLowerCase();
    const found: number[] = [];
    if (wanted === '') return found;
    for (let at = 0; at < this.count && found.length < most; at += 1)
      if (this.text(at).toLowerCase().includes(wanted)) found.push(at);
    return found;
  }
}
