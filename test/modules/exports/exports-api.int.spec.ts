import { connect } from 'node:net';
import { ConnectionError, Quittance } from '../../../clients/typescript/src';
import { parseCsv } from '../../../src/cli/csv';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { EXPORTS_LIMIT } from '../../../src/modules/exports/exports-under-way';
import { PAGE_ROWS } from '../../../src/modules/exports/export-source';
import {
  paymentIntentsReadModel,
  type PaymentIntentDocument,
} from '../../../src/modules/payment-intents/payment-intents.read-model';
import { eventually } from '../../contracts/contract-support';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { beginDownload, download } from '../../support/download';
import { createdAt, exportedPaymentId, paymentDocument, putPayments } from '../../support/export-documents';
import type { StagedMerchant } from '../../support/staged-merchant';
import { unmatchedTransfer } from '../../support/unmatched-transfer';

const LIMIT_MS = 60_000;
jest.setTimeout(LIMIT_MS);
const MANY = 10 * PAGE_ROWS;
/** Some 30 MB in all: more than the system keeps for a connection whose client takes nothing. */
const LARGE_PAGES = 40;
const LONG = Object.fromEntries(Array.from({ length: 16 }, (_, key) => [`key_${key}`, 'v'.repeat(450)]));

let stage: ApiStage;
let instance: ApiInstance;
let merchant: StagedMerchant;
let busy: StagedMerchant;
let large: StagedMerchant;
let stranger: StagedMerchant;

beforeAll(async () => {
  stage = await ApiStage.open();
  instance = await stage.startInstance();
  [merchant, busy, large, stranger] = [
    await stage.register(instance),
    await stage.register(instance),
    await stage.register(instance),
    await stage.register(instance),
  ];
  await stage.project();
  await putPayments(stage.core.documents, { merchantId: busy.id }, MANY);
  await putPayments(stage.core.documents, { merchantId: large.id }, LARGE_PAGES * PAGE_ROWS, { metadata: LONG });
}, LIMIT_MS);
afterEach(() => jest.restoreAllMocks());
afterAll(() => stage.close());

const idOf = (place: number, { id } = merchant) => exportedPaymentId(place, { merchantId: id });
type Row = Readonly<Record<string, string>>;

async function put(...documents: readonly ReturnType<typeof paymentDocument>[]): Promise<void> {
  const { name, indexes } = paymentIntentsReadModel;
  const collection = await stage.core.documents.open<PaymentIntentDocument>({ name, indexes });
  for (const document of documents) await collection.put(document);
}

/** The rows of a file in CSV, whose contract the answer keeps. */
async function rowsOf(asker: StagedMerchant, path: string, key?: string): Promise<readonly Row[]> {
  return parseCsv((await asker.done(`GET /v1/exports/${path}`, key === undefined ? {} : { key })) as string);
}

const linesOf = async (asker: StagedMerchant, path: string): Promise<readonly Record<string, unknown>[]> =>
  (await asker.done(`GET /v1/exports/${path}`)) as readonly Record<string, unknown>[];

const asked = (path: string, asker = busy) => ({
  port: instance.port,
  path: `/v1/exports/${path}`,
  key: asker.registered.keys.test,
});

/** The number of pages that exports of the account have read since. */
function pagesRead({ id }: StagedMerchant) {
  const list = jest.spyOn(instance.parts.core.readModels, 'list');
  const isOwn = ([{ name }, { equals }]: (typeof list.mock.calls)[number]) =>
    name === paymentIntentsReadModel.name && equals['merchant_id'] === id;
  return () => list.mock.calls.filter(isOwn).length;
}

/** Waits until another export is made from its first page to its last while the counted one reads no page. */
function heldUp(pages: () => number): Promise<void> {
  return eventually(async () => {
    const before = pages();
    const { status, fault } = await download(asked('payments'));
    expect([status, fault]).toEqual([200, null]);
    return pages() === before;
  });
}

describe('a file of payments', () => {
  it('has the payments of the list in the order of the list, with amounts that can be summed', async () => {
    const description = '=cmd|"/c calc"!A1';
    await put(
      paymentDocument(0, { merchantId: merchant.id }, { description, metadata: { order: '42', note: 'a,"b"' } }),
      paymentDocument(1, { merchantId: merchant.id }, { currency: 'JPY', currency_decimals: 0 }),
      paymentDocument(2, { merchantId: merchant.id }, { currency: 'KWD', currency_decimals: 3 }),
    );
    const { data } = (await merchant.done('GET /v1/payment_intents')) as { data: readonly { id: string }[] };
    const rows = await rowsOf(merchant, 'payments');
    expect(rows.map(({ id }) => id)).toEqual(data.map(({ id }) => id));
    expect(rows.map(({ id }) => id)).toEqual([2, 1, 0].map(place => idOf(place)));
    expect(rows.map(row => [row.amount, row.currency, row.amount_decimal])).toEqual([
      ['2500', 'KWD', '2.500'],
      ['2500', 'JPY', '2500'],
      ['2500', 'EUR', '25.00'],
    ]);
    const [, , first] = rows;
    expect(first).toMatchObject({ token_id: 'usdc-base', token_amount: '27.153040', description: `'${description}` });
    expect(JSON.parse(first?.metadata ?? '')).toEqual({ order: '42', note: 'a,"b"' });
  });

  it('has the same rows as lines of JSON, whose texts are as they were given', async () => {
    const [rows, lines] = [await rowsOf(merchant, 'payments'), await linesOf(merchant, 'payments?format=jsonl')];
    const cell = (value: unknown): string => (value === null ? '' : String(value));
    expect(lines.map(({ metadata: _, description: __, ...line }) => line)).toEqual(
      lines.map((line, index) =>
        Object.fromEntries(
          Object.entries(rows[index] as Row).flatMap(([name, text]) => {
            if (name === 'metadata' || name === 'description') return [];
            expect(text).toBe(cell(line[name]));
            return [[name, line[name]]];
          }),
        ),
      ),
    );
    expect(lines[2]).toMatchObject({ description: '=cmd|"/c calc"!A1', metadata: { order: '42', note: 'a,"b"' } });
  });

  it.each([
    ['csv', 'text/csv; charset=utf-8; header=present'],
    ['jsonl', 'application/x-ndjson; charset=utf-8'],
  ])('tells in %s its type, its name, and what every answer tells', async (format, type) => {
    const range = 'from=2026-10-01T00:00:00Z&to=2026-10-31T23:59:59.999Z';
    const { headers, status } = await download(asked(`payments?format=${format}&${range}`, merchant));
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'content-disposition': `attachment; filename="payments-test-2026-10-01-to-2026-10-31.${format}"`,
      'request-id': expect.stringMatching(/^req_/),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'transfer-encoding': 'chunked',
    });
  });

  it('has every payment once, page after page', async () => {
    const rows = await rowsOf(busy, 'payments');
    const expected = Array.from({ length: MANY }, (_, place) => idOf(place, busy)).reverse();
    expect(rows.map(({ id }) => id)).toEqual(expected);
  });

  it('has the payments of a range, both ends of which belong to it', async () => {
    const [from, to] = [createdAt(150), createdAt(420)];
    const places = async (query: string) =>
      (await rowsOf(busy, `payments?${query}`)).map(({ created }) => (Date.parse(created ?? '') - first) / 1_000);
    const first = Date.parse(createdAt(0));
    const between = await places(`from=${from}&to=${to}`);
    expect([between.length, between[0], between.at(-1)]).toEqual([271, 420, 150]);
    expect(await places(`from=${createdAt(MANY - 2)}`)).toEqual([MANY - 1, MANY - 2]);
    expect(await places(`to=${createdAt(1)}`)).toEqual([1, 0]);
    expect(await places(`from=${to}&to=${to}`)).toEqual([420]);
  });

  it('has its head alone where there is no payment', async () => {
    expect((await download(asked('payments?to=2020-01-01T00:00:00Z'))).text).toMatch(
      /^id,status,created,[a-z_,]+\r\n$/,
    );
    expect(await download(asked('payments?to=2020-01-01T00:00:00Z&format=jsonl'))).toMatchObject({
      ...{ status: 200, text: '', fault: null },
    });
  });
});

it('has each transfer with its payment', async () => {
  const rows = await rowsOf(merchant, 'transfers');
  expect(rows.map(row => [row.payment_intent, row.status, row.token_amount, row.asset_symbol, row.to])).toEqual(
    [2, 1, 0].map(place => {
      const address = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A';
      return [idOf(place), 'credited', '27.153040', 'USDC', address];
    }),
  );
});

it('has the transfers of the queue and those set aside, of all wallets of the merchant together', async () => {
  const wallet = (await merchant.registerWallet()) as { readonly id: string };
  await merchant.verifyWallet(wallet.id);
  const ids: string[] = [];
  for (const amount of [1_000_000n, 2_000_000n, 3_000_000n]) {
    ids.unshift(await unmatchedTransfer(instance, merchant.owner.address, amount));
    stage.clock.aheadMs += 1_000;
  }
  await stage.project();
  const [, aside] = ids;
  await merchant.done(`POST /v1/unmatched_transfers/${aside}/set_aside`, { body: { outcome: 'kept', note: '+tip' } });
  const rows = await rowsOf(merchant, 'unmatched_transfers');
  expect(rows.map(row => [row.id, row.token_amount, row.status, row.set_aside_outcome, row.set_aside_note])).toEqual([
    [ids[0], '3.000000', 'unmatched', '', ''],
    [aside, '2.000000', 'set_aside', 'kept', "'+tip"],
    [ids[2], '1.000000', 'unmatched', '', ''],
  ]);
  const [{ created }] = rows as readonly [Row];
  expect((await rowsOf(merchant, `unmatched_transfers?from=${created}`)).map(({ id }) => id)).toEqual([ids[0]]);
  expect(await linesOf(merchant, 'unmatched_transfers?format=jsonl')).toHaveLength(3);
});

it.each(['payments', 'transfers', 'unmatched_transfers'])(
  'shows no other account and no other mode: %s',
  async kind => {
    expect((await rowsOf(merchant, kind)).length).toBeGreaterThan(0);
    expect(await rowsOf(stranger, kind)).toEqual([]);
    expect(await rowsOf(merchant, kind, merchant.registered.keys.live)).toEqual([]);
  },
);

describe('an export', () => {
  it.each([
    ['payments?format=xlsx', 'parameter_invalid', 'format'],
    ['payments?format=', 'parameter_invalid', 'format'],
    ['payments?from=yesterday', 'invalid_timestamp', 'from'],
    ['payments?to=2026-02-30T00:00:00Z', 'invalid_timestamp', 'to'],
    ['payments?from=2026-10-02T00:00:00Z&to=2026-10-01T00:00:00Z', 'invalid_range', 'from'],
    ['payments?limit=5', 'invalid_filter', 'limit'],
    ['payments?starting_after=pi_1', 'invalid_filter', 'starting_after'],
    ['payments?from=2026-10-02T00:00:00Z&from=2026-10-02T00:00:00Z', 'parameter_invalid', 'from'],
  ])('is refused as %s', async (path, code, param) => {
    expect(await merchant.call(`GET /v1/exports/${path}`)).toMatchObject({ code, body: { error: { param } } });
  });

  it('of a kind that does not exist has no route', async () => {
    expect(await merchant.call('GET /v1/exports/wallets')).toMatchObject({ status: 404, code: 'unknown_route' });
    expect(await merchant.call('POST /v1/exports/payments')).toMatchObject({ status: 405, code: 'method_not_allowed' });
  });

  it('is answered to HEAD without its file', async () => {
    const pages = pagesRead(busy);
    const { port, key, path } = asked('payments');
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}` },
    });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
    expect(pages()).toBe(0);
  });

  it('is refused with the envelope where the engine fails before the first page', async () => {
    jest.spyOn(instance.parts.core.readModels, 'list').mockRejectedValue(new StoreUnavailable('away'));
    expect(await merchant.call('GET /v1/exports/payments?format=jsonl')).toMatchObject({
      ...{ status: 503, code: 'provider_unavailable' },
    });
  });

  it.each(['csv', 'jsonl'])('breaks its connection off where the engine fails in the middle: %s', async format => {
    const { core, requestLog } = instance.parts;
    const { readModels } = core;
    const note = jest.spyOn(requestLog, 'note');
    const list = readModels.list.bind(readModels);
    let pages = 0;
    jest.spyOn(readModels, 'list').mockImplementation((...given) => {
      pages += 1;
      return pages > 3 ? Promise.reject(new StoreUnavailable('away')) : list(...given);
    });
    const { status, text, fault } = await download(asked(`payments?format=${format}`));
    expect([status, fault]).toEqual([200, 'ECONNRESET']);
    expect(text).not.toBe('');
    expect(text.split('\n').length).toBeLessThanOrEqual(3 * PAGE_ROWS + 2);
    const told = stage.logged.map(line => JSON.parse(line) as Record<string, unknown>);
    expect(told).toContainEqual(
      expect.objectContaining({
        ...{ msg: 'an answer broke off', code: 'provider_unavailable', merchant_id: busy.id },
      }),
    );
    await eventually(() => note.mock.calls.length > 0);
    expect(note.mock.calls).toMatchObject([[{ status: 200, code: 'provider_unavailable', merchantId: busy.id }]]);
  });

  it('resets a connection of HTTP/1.0, whose end would be that of the file', async () => {
    const { readModels } = instance.parts.core;
    const list = readModels.list.bind(readModels);
    let pages = 0;
    jest
      .spyOn(readModels, 'list')
      .mockImplementation((...given) => ((pages += 1) > 3 ? Promise.reject(new Error('a bug')) : list(...given)));
    const { port, path, key } = asked('payments');
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    const ended = new Promise(done => socket.once('end', () => done('ended')).once('error', done));
    socket.resume();
    expect(await ended).toMatchObject({ code: 'ECONNRESET' });
    const told = stage.logged.map(line => JSON.parse(line) as Record<string, unknown>);
    expect(told).toContainEqual(expect.objectContaining({ msg: 'an answer broke off', code: 'internal_error' }));
  });

  it('reads no further than its client takes, and ends with it', async () => {
    const pages = pagesRead(large);
    const note = jest.spyOn(instance.parts.requestLog, 'note');
    const noted = () => note.mock.calls.filter(([{ merchantId }]) => merchantId === large.id);
    const response = await beginDownload(asked('payments', large));
    await eventually(() => pages() > 3);
    await heldUp(pages);
    const untaken = pages();
    expect(untaken).toBeLessThan(LARGE_PAGES);
    expect(noted()).toEqual([]);
    response.destroy();
    await eventually(() => noted().length > 0);
    await heldUp(pages);
    expect(pages()).toBeLessThanOrEqual(untaken + 1);
    expect(noted()).toMatchObject([[{ status: 200, code: null, merchantId: large.id }]]);
    // The account's places are free again.
    for (let count = 0; count < EXPORTS_LIMIT; count++)
      expect((await download(asked('payments?to=2020-01-01T00:00:00Z', large))).status).toBe(200);
  });

  it(`is one of at most ${EXPORTS_LIMIT} of its account under way`, async () => {
    const begun = await Promise.all(
      Array.from({ length: EXPORTS_LIMIT }, () => beginDownload(asked('payments', large))),
    );
    expect(begun.map(({ statusCode }) => statusCode)).toEqual(begun.map(() => 200));
    const refused = await large.call('GET /v1/exports/transfers');
    expect(refused).toMatchObject({ status: 429, code: 'rate_limit' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await download(asked('payments'))).status).toBe(200);
    for (const response of begun) response.destroy();
    await eventually(async () => (await download(asked('payments?to=2020-01-01T00:00:00Z', large))).status === 200);
  });
});

it('is read row by row by the client, which tells a file that breaks off', async () => {
  const client = new Quittance({ apiKey: busy.registered.keys.test, baseUrl: `http://127.0.0.1:${instance.port}` });
  const ids: string[] = [];
  for await (const { id } of client.exports.payments()) ids.push(id);
  expect(ids).toEqual(Array.from({ length: MANY }, (_, place) => idOf(place, busy)).reverse());
  const { readModels } = instance.parts.core;
  const list = readModels.list.bind(readModels);
  let pages = 0;
  jest
    .spyOn(readModels, 'list')
    .mockImplementation((...given) =>
      (pages += 1) > 3 ? Promise.reject(new StoreUnavailable('away')) : list(...given),
    );
  const read = async () => {
    for await (const { id } of client.exports.payments()) expect(ids).toContain(id);
  };
  await expect(read()).rejects.toThrow(ConnectionError);
});
