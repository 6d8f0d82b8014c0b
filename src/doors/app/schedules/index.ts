export type { Agreeable } from './agreement.ts';
