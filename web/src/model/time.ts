/** `0.2 s`, `11.2 s`, `2 m 04 s`, `1 h 05 m`: as wide as it needs to be, tabular beside others. */
export function duration(ms: number): string {
  const s = Math.max(0, ms) / 1000;
  if (s < 100) return `${s.toFixed(1)} s`;
  const whole = Math.floor(s);
  if (whole < 3600) return `${Math.floor(whole / 60)} m ${pad(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${pad(Math.floor((whole % 3600) / 60))} m`;
}

/** `02:14`, `1:02:14`. */
export function stopwatch(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  const tail = `${pad(Math.floor((s % 3600) / 60))}:${pad(s % 60)}`;
  return s < 3600 ? tail : `${Math.floor(s / 3600)}:${tail}`;
}

export function ago(at: number, now: number): string {
  const s = Math.floor((now - at) / 1000);
  if (s < 5) return 'just now';
  if (s < 60) return `${s} s ago`;
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h ago`;
  const days = Math.floor(s / 86_400);
  return days < 30 ? `${days} d ago` : new Date(at).toLocaleDateString('en', { dateStyle: 'medium' });
}

export const clockTime = (at: number): string =>
  new Date(at).toLocaleTimeString('en', {
    hour12: false,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });

export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  if (n < 1_000_000) return `${(n / 1000).toFixed(1)} kB`;
  return `${(n / 1_000_000).toFixed(1)} MB`;
}

const pad = (n: number) => String(n).padStart(2, '0');
