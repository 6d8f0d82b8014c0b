export { type ParsedPlan, parsePlanFile } from './parse.ts';
export { type PrintOptions, toPlanFile } from './print.ts';
export { planFileSchema } from './schema.ts';
