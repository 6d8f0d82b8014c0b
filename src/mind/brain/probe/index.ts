export { createProbe } from './create.ts';
export { precheck } from './precheck.ts';
export { type GitFacts, type Listener, nullProbe, type Probe } from './probe.ts';
export { stepProbe } from './step-probe.ts';
