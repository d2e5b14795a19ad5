import { CENTRAL_BANK_FAMILY } from '../../../src/modules/quotes/quote-rate';
import type { RateObservation, RateSource } from '../../../src/kernel/ports/rate-source';
import { BitstampSource } from '../../../src/platform/rates/bitstamp-source';
import { EcbSource } from '../../../src/platform/rates/ecb-source';
import { ANSWER_LIMIT_MS, answerWith, AnsweringServer } from './answering-server';

let server: AnsweringServer;

beforeEach(async () => {
  server = await AnsweringServer.start();
});

afterEach(() => server.stop());

const observe = (source: RateSource): Promise<readonly RateObservation[]> =>
  source.observe(new AbortController().signal);
const pairsOf = (observations: readonly RateObservation[]): readonly string[] =>
  observations.map(each => `${each.asset}/${each.currency}`);

describe('Bitstamp', () => {
  const source = (): BitstampSource => new BitstampSource({ baseUrl: server.url, timeoutMs: ANSWER_LIMIT_MS });
  const ticker = (bid: unknown, ask: unknown, timestamp: unknown = '1793534340'): string =>
    JSON.stringify({ timestamp, open: '1', high: '1', low: '1', last: '1', volume: '10', bid, ask });

  /** Answers each pair by its own text, any other with the status of an unknown path. */
  const answerBy = (texts: Readonly<Record<string, string>>): void => {
    server.answer = (request, response) => {
      const text = texts[/^\/api\/v2\/ticker\/([a-z]+)\/$/.exec(request.url ?? '')?.[1] ?? ''];
      (text === undefined ? answerWith('{"code":"not-found"}', 404) : answerWith(text))(request, response);
    };
  };

  test('asks for each pair and keeps the exchange’s own time', async () => {
    answerBy({ usdtusd: ticker('0.7999', '0.8001'), usdteur: ticker('0.5', '0.5'), usdcusd: ticker('1', '1'), usdceur: ticker('2', '2') });
    const common = { source: 'bitstamp', family: 'bitstamp', observed_at: '2026-11-01T11:59:00.000Z' };
    expect(await observe(source())).toEqual([
      { ...common, asset: 'USDT', currency: 'USD', rate: '1.25' },
      { ...common, asset: 'USDT', currency: 'EUR', rate: '2' },
      { ...common, asset: 'USDC', currency: 'USD', rate: '1' },
      { ...common, asset: 'USDC', currency: 'EUR', rate: '0.5' },
    ]);
  }); // prettier-ignore

  test.each([
    ['an unknown pair', undefined],
    ['a number for a text', ticker(1.1, '1.1')],
    ['no bid', ticker(undefined, '1')],
    ['an ask below the bid', ticker('1.1', '1')],
    ['a time that is none', ticker('1', '1', 'noon')],
    ['no JSON', '<html>'],
  ])('loses with %s that pair alone', async (_, misfit) => {
    answerBy({ usdtusd: ticker('1', '1'), usdceur: ticker('1', '1'), ...(misfit && { usdteur: misfit }) });
    expect(pairsOf(await observe(source()))).toEqual(['USDT/USD', 'USDC/EUR']);
  });

  test('is unavailable where it knows no pair', async () => {
    answerBy({});
    await expect(observe(source())).rejects.toMatchObject({ code: 'provider_unavailable' });
  });
});

describe('the European Central Bank', () => {
  const source = (): EcbSource =>
    new EcbSource({ baseUrl: server.url, currencies: ['EUR', 'JPY'], timeoutMs: ANSWER_LIMIT_MS });
  const answer = (rates: string, head = '"amount":1.0,"base":"USD","date":"2026-10-30"'): string =>
    `{${head},"rates":${rates}}`;

  test('says what a unit of the currency costs in dollars, since its day’s publication', async () => {
    server.answer = answerWith(answer('{"EUR":0.8,"JPY":1.6e2,"CHF":1}'));
    const common = {
      source: 'ecb',
      family: CENTRAL_BANK_FAMILY,
      asset: 'USD',
      observed_at: '2026-10-30T15:00:00.000Z',
    };
    expect(await observe(source())).toEqual([
      { ...common, currency: 'EUR', rate: '1.25' },
      { ...common, currency: 'JPY', rate: '0.00625' },
    ]);
    expect(server.requests).toEqual(['/v1/latest?base=USD&symbols=EUR,JPY']);
  });

  test.each([['"0.8"'], ['0'], ['-0.8'], ['null'], ['1e400']])('leaves %s out and keeps the others', async rate => {
    server.answer = answerWith(answer(`{"EUR":${rate},"JPY":160}`));
    expect(pairsOf(await observe(source()))).toEqual(['USD/JPY']);
    server.answer = answerWith(answer(`{"EUR":${rate}}`));
    await expect(observe(source())).rejects.toMatchObject({ message: expect.stringContaining('ecb: rates.EUR') });
  });

  test.each([
    ['amount', '"amount":100,"base":"USD","date":"2026-10-30"'],
    ['base', '"amount":1,"base":"EUR","date":"2026-10-30"'],
    ['date', '"amount":1,"base":"USD","date":"2026-13-30"'],
    ['date', '"amount":1,"base":"USD","date":"yesterday"'],
  ])('is invalid with another %s: %s', async (field, head) => {
    server.answer = answerWith(answer('{"EUR":0.8}', head));
    await expect(observe(source())).rejects.toMatchObject({
      code: 'provider_response_invalid',
      message: expect.stringContaining(`ecb: ${field}: `),
    });
  });
});
