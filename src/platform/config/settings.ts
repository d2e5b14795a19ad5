import { z } from 'zod';

/**
 * One environment variable: a rule from its text to its value, its default as a user would write it, and its purpose.
 */
export function setting<T>(rule: z.ZodType<T, string>, fallback: string, description: string) {
  return rule.prefault(fallback).describe(description);
}

/** A variable without a default. */
export function optionalSetting<T>(rule: z.ZodType<T, string>, description: string) {
  return rule
    .optional()
    .transform(value => value ?? null)
    .describe(description);
}

export const text = z.string().min(1);

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine(value => value <= 65_535, 'must be a port number');

/** A whole number, written in digits. */
export function wholeNumber(min: number, max: number) {
  const shape = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, shape)
    .transform(Number)
    .refine(value => value >= min && value <= max, shape);
}

/** An absolute URL, without the slash at its end so that paths can be put behind it. */
export function url(...schemes: string[]) {
  const shape = `must be a URL that starts with ${schemes.map(scheme => `${scheme}://`).join(' or ')}`;
  return z
    .string()
    .refine(value => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)), shape)
    .transform(value => value.replace(/\/$/, ''));
}

export const httpUrl = url('http', 'https');

/**
 * A URL to which paths are added. A query or fragment would take the paths in. Readers of the URL would learn a
 * password in it.
 */
export const baseUrl = httpUrl.refine(value => {
  const { username, password } = new URL(value);
  return !/[?#\s]/.test(value) && username + password === '';
}, 'must be a URL that paths can be put behind, without query, fragment, user and white space');

/** A URL to which a TRON node's paths are added; a path that belongs to one of its interfaces would hide the others. */
export const fullNodeUrl = httpUrl.refine(value => {
  const { pathname, search, hash } = new URL(value);
  return search + hash === '' && !/\/(?:jsonrpc|wallet|walletsolidity)$/.test(pathname);
}, 'must be the URL that /wallet and /jsonrpc stand under, without them');

/** Visible ASCII, as an HTTP header takes it: an error about any other character would show the value. */
export const headerValue = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 characters of visible ASCII');

/** A comma-separated list without repetitions; the empty list is written as `none`. */
export function list<T>(item: z.ZodType<T, string>) {
  return z
    .string()
    .transform(value => (value === 'none' ? [] : value.split(',').map(entry => entry.trim())))
    .pipe(z.array(item))
    .refine(items => new Set(items).size === items.length, 'must not name anything twice');
}

export const onOff = z.enum(['on', 'off']).transform(value => value === 'on');

const BASE32 = /^[A-Z2-7]{16,128}$/;

/** The seed of an authenticator, in base32 or as the `otpauth` URI of a code to scan. */
export const totpSeed = z
  .string()
  .transform(value => seedIn(value).toUpperCase().replace(/[\s=]/g, ''))
  .refine(seed => BASE32.test(seed), 'must be base32 of 16 characters or more, or an otpauth URI with such a secret');

function seedIn(value: string): string {
  if (!/^otpauth:/i.test(value)) return value;
  return (URL.canParse(value) ? new URL(value).searchParams.get('secret') : null) ?? '';
}

export const base64Key = z
  .string()
  .transform(value => ({ value, bytes: Buffer.from(value, 'base64') }))
  .refine(
    ({ value, bytes }) => bytes.length === 32 && bytes.toString('base64') === value,
    'must be 32 bytes in base64; `openssl rand -base64 32` makes one',
  )
  .transform(({ bytes }): Uint8Array => bytes);
