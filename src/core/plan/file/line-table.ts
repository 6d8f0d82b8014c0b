/** Turns offsets into lines and columns, both from 1. Built once a file, then a binary search each. */
export interface LineTable {
  at(offset: number): { line: number; col: number };
}

export function lineTable(text: string): LineTable {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    at(offset) {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (starts[middle]! <= offset) low = middle;
        else high = middle - 1;
      }
      return { line: low + 1, col: offset - starts[low]! + 1 };
    },
  };
}
