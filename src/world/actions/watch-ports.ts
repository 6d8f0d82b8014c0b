import { listeningPorts } from '../process/sockets.ts';

/** How often it is looked, and how many looks in a row have to find the same: what a test opens for a moment is no server. */
const LOOK_MS = 2000;
const LOOKS = 2;

/** Tells once, where processes of a running command listen on ports and go on doing so. Returns what ends the looking. */
export function watchPorts(pgid: number, tell: (ports: number[]) => void, lookMs = LOOK_MS): () => void {
  let seen = '';
  let times = 0;
  const timer = setInterval(() => {
    const ports = listeningPorts(pgid);
    times = ports.length > 0 && ports.join() === seen ? times + 1 : 1;
    seen = ports.join();
    if (ports.length === 0 || times < LOOKS) return;
    clearInterval(timer);
    tell(ports);
  }, lookMs).unref();
  return () => clearInterval(timer);
}
