import type { Clock } from '../../../src/kernel/clock';
import type { RateObservation } from '../../../src/kernel/ports/rate-source';
import { EcbSource } from '../../../src/platform/rates/ecb-source';
import { PacedSource } from '../../../src/platform/rates/paced-source';
import { ANSWER_LIMIT_MS, answerWith, AnsweringServer } from './answering-server';

const MINUTE_MS = 60_000;
const GOOD = answerWith('{"amount":1,"base":"USD","date":"2026-10-30","rates":{"EUR":0.8}}');

let nowMs = 1_793_534_400_000;
const clock: Clock = { now: () => nowMs, wait: () => Promise.resolve() };
let server: AnsweringServer;

beforeEach(async () => {
  server = await AnsweringServer.start();
});

afterEach(() => server.stop());

const paced = (everyMs = 0): PacedSource => {
  const source = new EcbSource({ baseUrl: server.url, timeoutMs: ANSWER_LIMIT_MS });
  return new PacedSource(Object.assign(source, { everyMs }), clock);
};
const observe = (source: PacedSource): Promise<readonly RateObservation[]> =>
  source.observe(new AbortController().signal);

test('is the source itself but for its pace', () => {
  const inner = new EcbSource();
  const { name, family, currencies, freshForMs } = paced();
  expect({ name, family, currencies, freshForMs }).toEqual({
    name: inner.name,
    family: inner.family,
    currencies: inner.currencies,
    freshForMs: inner.freshForMs,
  });
});

test.each([429, 418])(
  'after a %d it is left alone for a minute, then for two, and at once asked as before',
  async status => {
    const source = paced();
    server.answer = answerWith('{}', status);
    await expect(observe(source)).rejects.toMatchObject({ code: 'provider_unavailable' });
    nowMs += MINUTE_MS - 1;
    await expect(observe(source)).rejects.toMatchObject({
      code: 'provider_unavailable',
      message: expect.stringContaining('left alone until'),
    });
    expect(server.requests).toHaveLength(1);
    nowMs += 1;
    await expect(observe(source)).rejects.toMatchObject({ code: 'provider_unavailable' });
    nowMs += 2 * MINUTE_MS - 1;
    await expect(observe(source)).rejects.toMatchObject({ message: expect.stringContaining('left alone until') });
    expect(server.requests).toHaveLength(2);
    nowMs += 1;
    server.answer = GOOD;
    expect(await observe(source)).toHaveLength(1);
    expect(await observe(source)).toHaveLength(1);
    server.answer = answerWith('{}', status);
    await expect(observe(source)).rejects.toThrow();
    nowMs += MINUTE_MS;
    server.answer = GOOD;
    expect(await observe(source)).toHaveLength(1);
  },
);

test.each([
  ['600', 10 * MINUTE_MS],
  ['5', MINUTE_MS],
  ['999999', 3 * 24 * 60 * MINUTE_MS],
  ['Sun, 01 Nov 2026 12:10:00 GMT', MINUTE_MS],
])('asked for a pause of %s it keeps one of %d ms', async (retryAfter, restMs) => {
  const source = paced();
  server.answer = answerWith('{}', 429, { 'retry-after': retryAfter });
  await expect(observe(source)).rejects.toThrow();
  server.answer = GOOD;
  nowMs += restMs - 1;
  await expect(observe(source)).rejects.toMatchObject({ message: expect.stringContaining('left alone until') });
  nowMs += 1;
  expect(await observe(source)).toHaveLength(1);
});

test.each<Readonly<Record<string, string>>>([{}, { 'retry-after': '86400' }])(
  'no other failure makes it rest: %p',
  async headers => {
    const source = paced();
    server.answer = answerWith('{}', 503, headers);
    await expect(observe(source)).rejects.toThrow();
    server.answer = GOOD;
    expect(await observe(source)).toHaveLength(1);
  },
);

test('one answer serves for as long as it is told', async () => {
  const source = paced(60 * MINUTE_MS);
  server.answer = GOOD;
  const first = await observe(source);
  nowMs += 60 * MINUTE_MS - 1;
  expect(await observe(source)).toBe(first);
  expect(server.requests).toHaveLength(1);
  nowMs += 1;
  await observe(source);
  expect(server.requests).toHaveLength(2);
});
