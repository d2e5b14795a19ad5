import { timedId } from '../../../src/vocabulary/ids';
import type { SeenRequest } from '../../../src/platform/request-log/logged-request';
import type { RequestListQuery } from '../../../src/platform/request-log/request-list';
import { RequestLog } from '../../../src/platform/request-log/request-log';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON, RecordingLog } from '../../support/payment-fixture';

const ALL = { statusClass: null, keyId: null, path: null };
let requests: RequestLog;
let noted: string[];

beforeEach(async () => {
  requests = await RequestLog.open(new MemoryDocuments(), new ManualClock(NOON), new RecordingLog());
  noted = [];
});

function note(facts: Partial<SeenRequest> = {}): void {
  const requestId = timedId('req', NOON + noted.length, new Uint8Array(10));
  noted.push(requestId);
  requests.note({
    requestId,
    merchantId: 'mch_1',
    mode: 'test',
    keyId: 'key_1',
    method: 'GET',
    route: null,
    target: '/v1/wallets',
    status: 200,
    code: null,
    ms: 1,
    headers: { accept: 'application/json' },
    requestBody: '{}',
    responseBody: '{}',
    ip: null,
    receivedMs: NOON,
    ...facts,
  });
}

async function listed(query: Partial<RequestListQuery> = {}) {
  await requests.flush();
  const asked = { merchantId: 'mch_1', mode: 'test', filters: ALL, after: null, limit: 20, ...query } as const;
  const { requests: found, next } = await requests.list(asked);
  return { numbers: found.map(({ request_id }) => noted.indexOf(request_id)), next, found };
}

it('lists the requests of one merchant in one mode, the newest first, without bodies and headers', async () => {
  note();
  note({ merchantId: 'mch_2' });
  note({ mode: 'live' });
  note();
  const { numbers, next, found } = await listed();
  expect(numbers).toEqual([3, 0]);
  expect(next).toBeNull();
  expect(Object.keys(found[0] ?? {})).not.toContain('response_body');
  expect((await requests.get(noted[0] as string))?.response_body).toBe('{}');
});

it('goes on behind the last one of a page', async () => {
  for (let count = 0; count < 5; count++) note();
  const first = await listed({ limit: 2 });
  expect(first.numbers).toEqual([4, 3]);
  const second = await listed({ limit: 2, after: first.next });
  expect(second.numbers).toEqual([2, 1]);
  const third = await listed({ limit: 2, after: second.next });
  expect([third.numbers, third.next]).toEqual([[0], null]);
});

it.each([
  ['a class of statuses', { statusClass: 4 }, [3, 1]],
  ['a key', { keyId: 'key_2' }, [2, 1]],
  ['the beginning of a path', { path: '/v1/invoices' }, [3, 2]],
  ['a key and a class', { keyId: 'key_2', statusClass: 4 }, [1]],
  ['all of them', { keyId: 'key_1', statusClass: 4, path: '/v1/inv' }, [3]],
  ['a path that nobody asked for', { path: '/v1/fees' }, []],
])('is narrowed by %s', async (_, filters, expected) => {
  note();
  note({ status: 404, keyId: 'key_2' });
  note({ keyId: 'key_2', target: '/v1/invoices?limit=1' });
  note({ status: 422, target: '/v1/invoices/inv_1' });
  expect((await listed({ filters: { ...ALL, ...filters } })).numbers).toEqual(expected);
});

it('ends a long look for a rare path early, and tells where to go on', async () => {
  note({ target: '/v1/fees' });
  for (let count = 0; count < 2_001; count++) note();
  const rare = { ...ALL, path: '/v1/fees' };
  const { numbers, next } = await listed({ filters: rare });
  expect([numbers, next === null]).toEqual([[], false]);
  expect((await listed({ filters: rare, after: next })).numbers).toEqual([0]);
});
