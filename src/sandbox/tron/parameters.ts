import { z } from 'zod';
import { evmTwin, tronTwin } from '../../platform/chains/tron/tron-address';

const MAX_DATA_DIGITS = 32_768;

/** A request that java-tron answers by an error within a 200. */
export class ParameterFault extends Error {}

/** Numbers and flags stand as themselves in a POST and as text in a GET. */
export const number = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d{1,15}$/)
      .transform(Number),
  ])
  .refine(Number.isSafeInteger);
const truth = z.union([z.boolean(), z.enum(['true', 'false']).transform(text => text === 'true')]);
const hex = z
  .string()
  .regex(/^(?:[0-9a-fA-F]{2})*$/)
  .max(MAX_DATA_DIGITS);
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
/** 0x and 20 bytes, from either of TRON's forms. The zero address is taken too: everybody may read in its name. */
const address = z.string().transform((text, context) => {
  const twin = evmTwin(text);
  if (twin !== null) return twin;
  if (text === tronTwin(ZERO_ADDRESS) || text === `41${ZERO_ADDRESS.slice(2)}`) return ZERO_ADDRESS;
  context.addIssue({ code: 'custom', message: 'is no TRON address' });
  return z.NEVER;
});
const visible = truth.default(false);

export const ofBlock = z.object({ num: number, visible });
export const ofId = z.object({
  value: z
    .string()
    .max(64)
    .transform(text => text.toLowerCase()),
  visible,
});
export const ofBlockOrHead = z.object({
  id_or_num: z.union([z.string(), z.number()]).optional(),
  detail: truth.default(false),
  visible,
});
export const ofRange = z.object({ startNum: number, endNum: number, visible });
export const ofAnything = z.object({ visible });
export const ofContract = z.object({ value: address, visible });
export const ofCall = z
  .object({
    owner_address: address,
    contract_address: address,
    function_selector: z.string().max(512).optional(),
    parameter: hex.default(''),
    data: hex.optional(),
    fee_limit: number.default(0),
    call_value: number.default(0),
    visible,
  })
  .refine(({ data, function_selector: selector }) => (data ?? selector) !== undefined, {
    message: 'needs data or function_selector',
  });
export type Call = z.output<typeof ofCall>;
export const ofBroadcast = z.object({
  txID: hex,
  raw_data_hex: hex,
  signature: z.array(hex).max(8).default([]),
  visible,
});
export const ofHexBroadcast = z.object({ transaction: hex });

/** Throws ParameterFault, which names the parameter. */
export function parsed<T>(shape: z.ZodType<T>, parameters: unknown): T {
  const result = shape.safeParse(parameters);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new ParameterFault(`${issue?.path.join('.') || 'the request'}: ${issue?.message ?? 'unknown'}`);
}
