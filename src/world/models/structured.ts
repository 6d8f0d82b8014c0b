import { z } from 'zod';
import { extractJson } from './extract/extract.ts';

/** A schema as providers take it. Made once for each. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  let made = schemas.get(schema);
  if (made === undefined) {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, {
      target: 'draft-7',
      io: 'input',
      unrepresentable: 'any',
    });
    made = rest;
    schemas.set(schema, made);
  }
  return made;
}
const schemas = new WeakMap<z.ZodType, Record<string, unknown>>();

/** For models that take no schema: the envelope in words, at the end, where it is best remembered. */
export const envelopeInstruction = (schema: unknown): string =>
  `\n\nAnswer with one JSON object between <json> and </json>, and nothing after it. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;

export type ReadAnswer<T> = { ok: true; value: T; how: string[] } | { ok: false; message: string };

/** The value in an answer, checked. Of several JSON texts the first that fits is taken. */
export function readStructured<T>(text: string, schema: z.ZodType<T>, cutOff: boolean): ReadAnswer<T> {
  const fits = extractJson(text, { accepts: (value) => schema.safeParse(value).success });
  if (fits.ok && !(cutOff && fits.wasCutOff)) {
    return { ok: true, value: schema.parse(fits.value), how: fits.how };
  }
  if (cutOff) return { ok: false, message: 'the answer was longer than it may be, and broke off' };
  const any = extractJson(text);
  if (!any.ok) return { ok: false, message: any.reason };
  const issue = schema.safeParse(any.value).error?.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? 'the answer' : issue.path.join('.');
  return { ok: false, message: `${where}: ${issue?.message ?? 'does not fit'}` };
}
