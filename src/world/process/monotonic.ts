/** Milliseconds that only ever grow, as `performance.now()`, which loads ten modules of Node where nobody has asked it before. */
export function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
