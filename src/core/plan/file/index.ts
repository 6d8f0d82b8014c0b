export { parsePlanFile } from './parse.ts';
export { toPlanFile } from './print.ts';
export { planFileSchema } from './schema.ts';
