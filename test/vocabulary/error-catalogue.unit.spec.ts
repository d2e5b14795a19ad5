import { ERROR_CATALOGUE, type CatalogueEntry } from '../../src/vocabulary/error-catalogue';
import specified from '../fixtures/error-codes.json';

const catalogue: Readonly<Record<string, CatalogueEntry>> = ERROR_CATALOGUE;
const codes = Object.keys(catalogue);

function counts(values: readonly (string | number)[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const value of values) found[value] = (found[value] ?? 0) + 1;
  return found;
}

describe('error catalogue', () => {
  it('holds the specified codes, no fewer and no more', () => {
    expect([...codes].sort()).toEqual(specified.map(({ code }) => code).sort());
    expect(codes).toHaveLength(215);
  });

  it.each(specified)('gives $code its type and status', ({ code, type, status }) => {
    expect(catalogue[code]).toMatchObject({ type, status });
  });

  it('has as many codes a type as specified', () => {
    expect(counts(Object.values(catalogue).map(({ type }) => type))).toEqual({
      invalid_request_error: 179,
      payment_error: 13,
      idempotency_error: 1,
      api_error: 22,
    });
  });

  it('has as many codes a status as specified', () => {
    const specifiedCounts = { 400: 99, 401: 19, 402: 12, 403: 17, 404: 12, 405: 1, 409: 29, 413: 1, 415: 1, 429: 1 };
    const serverCounts = { 500: 13, 501: 1, 502: 3, 503: 5, 504: 1 };
    expect(counts(Object.values(catalogue).map(({ status }) => status))).toEqual({
      ...specifiedCounts,
      ...serverCounts,
    });
  });

  it('says something of its own about every code', () => {
    const titles = Object.values(catalogue).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it.each(codes)('writes the title of %s as a sentence', code => {
    // Short, from a capital (or a field's name) to a full stop, and not the code read aloud.
    const title = catalogue[code]?.title ?? '';
    expect(title).toMatch(/^\S.{10,98}[.?]$/);
    const spoken = title
      .toLowerCase()
      .replace(/[^a-z]+/g, ' ')
      .trim();
    expect(spoken).not.toBe(code.replaceAll('_', ' '));
  });
});
