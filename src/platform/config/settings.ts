import { z } from 'zod';

/**
 * One environment variable: a rule from its text to its value, its default as a user would write it, and what it is
 * for.
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

/** Whole, written in digits. */
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
 * What paths are put behind: they would end in its query or fragment; whoever is shown the URL would learn its
 * password.
 */
export const baseUrl = httpUrl.refine(value => {
  const { username, password } = new URL(value);
  return !/[?#\s]/.test(value) && username + password === '';
}, 'must be a URL that paths can be put behind, without query, fragment, user and white space');

/** What a TRON node's paths are put behind; a path that belongs to one of its interfaces would hide the others. */
export const fullNodeUrl = httpUrl.refine(value => {
  const { pathname, search, hash } = new URL(value);
  return search + hash === '' && !/\/(?:jsonrpc|wallet|walletsolidity)$/.test(pathname);
}, 'must be the URL that /wallet and /jsonrpc stand under, without them');

/** Of visible ASCII, as an HTTP header takes it: an error about any other would show it. */
export const headerValue = z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be 1 to 200 characters of visible ASCII');

/** Comma-separated and without repetitions; the empty list is written as `none`. */
export function list<T>(item: z.ZodType<T, string>) {
  return z
    .string()
    .transform(value => (value === 'none' ? [] : value.split(',').map(entry => entry.trim())))
    .pipe(z.array(item))
    .refine(items => new Set(items).size === items.length, 'must not name anything twice');
}

export const onOff = z.enum(['on', 'off']).transform(value => value === 'on');

export const base64Key = z
  .string()
  .transform(value => ({ value, bytes: Buffer.from(value, 'base64') }))
  .refine(
    ({ value, bytes }) => bytes.length === 32 && bytes.toString('base64') === value,
    'must be 32 bytes in base64; `openssl rand -base64 32` makes one',
  )
  .transform(({ bytes }): Uint8Array => bytes);
