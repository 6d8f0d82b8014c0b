/** A part of a parsed file. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [part: string]: unknown;
}
export const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
