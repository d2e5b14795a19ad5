import type { z } from 'zod';
import { refuse } from '../../vocabulary/errors';

/** Throws Refusal provider_response_invalid naming the source and, where a field is at fault, the field. */
export function parseAnswer<Answer>(
  source: string,
  text: string,
  schema: z.ZodType<Answer>,
  parseJson: (text: string) => unknown = JSON.parse,
): Answer {
  return checkShape(source, readJson(source, text, parseJson), schema);
}

/** The same for a part of an answer; `place` is its place within the answer. */
export function checkShape<Value>(source: string, value: unknown, schema: z.ZodType<Value>, place?: string): Value {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = [...(place === undefined ? [] : [place]), ...(issue?.path ?? [])].join('.') || 'the answer';
  throw refuse('provider_response_invalid', { message: `${source}: ${field}: ${issue?.message}.` });
}

function readJson(source: string, text: string, parseJson: (text: string) => unknown): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw refuse('provider_response_invalid', { message: `${source} did not answer with JSON.`, cause: error });
  }
}
