import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DAY_MS } from '../../../src/kernel/clock';
import { timedId } from '../../../src/vocabulary/ids';
import type { SeenRequest } from '../../../src/platform/request-log/logged-request';
import { EmbeddedDocuments } from '../../../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { REQUEST_LOGS } from '../../../src/platform/request-log/request-list';
import { KEPT_DAYS, RequestLog, STRANGERS_LOGS } from '../../../src/platform/request-log/request-log';
import { MemoryDocuments } from '../../support/memory-documents';
import { ManualClock, NOON, RecordingLog } from '../../support/payment-fixture';

let documents: MemoryDocuments;
let clock: ManualClock;
let log: RecordingLog;
let requests: RequestLog;

beforeEach(async () => {
  documents = new MemoryDocuments();
  clock = new ManualClock(NOON);
  log = new RecordingLog();
  requests = await RequestLog.open(documents, clock, log);
});

const stored = () => documents.open(REQUEST_LOGS);

function idOf(number: number): string {
  const eightyBits = Buffer.alloc(10);
  eightyBits.writeUInt32BE(number + 1);
  return timedId('req', NOON, eightyBits);
}

function seen(number: number, body: string | null = null): SeenRequest {
  return {
    requestId: idOf(number),
    merchantId: 'mch_1',
    mode: 'test',
    keyId: null,
    method: 'GET',
    route: '/v1/wallets',
    target: '/v1/wallets',
    status: 200,
    code: null,
    ms: 1,
    headers: {},
    requestBody: body,
    responseBody: null,
    ip: null,
    receivedMs: clock.now(),
  };
}

it('knows a request at once, and keeps it from the next second on', async () => {
  requests.note(seen(1));
  expect((await requests.get(idOf(1)))?.path).toBe('/v1/wallets');
  expect(await (await stored()).count()).toBe(0);
  await requests.flush();
  expect((await requests.get(idOf(1)))?.path).toBe('/v1/wallets');
  expect(await (await stored()).count()).toBe(1);
  expect(await requests.get(idOf(2))).toBeNull();
});

const ofStranger = (number: number, part: Partial<SeenRequest> = {}): SeenRequest => {
  return { ...seen(number), merchantId: null, mode: null, ...part };
};

it('keeps a few of what strangers send, and lets it push nothing else out', async () => {
  requests.note(seen(0));
  for (let number = 1; number <= 5_000; number++) requests.note(ofStranger(number));
  requests.note(seen(5_001));
  await requests.flush();
  expect(await (await stored()).count()).toBe(2);
  expect(await (await documents.open(STRANGERS_LOGS)).count()).toBe(8);
  for (const number of [0, 1, 5_001]) expect(await requests.get(idOf(number))).not.toBeNull();
  expect(log.lines).toContainEqual(expect.objectContaining({ facts: { dropped: 5_000 - 8 } }));
  requests.note(ofStranger(5_002));
  expect(await requests.get(idOf(5_002))).not.toBeNull();
});

it('keeps a short line of a stranger, for a day', async () => {
  const target = `/${'a'.repeat(9_000)}?key=${'b'.repeat(9_000)}`;
  const long = {
    target,
    headers: { 'user-agent': 'x'.repeat(9_000) },
    requestBody: '{"a":1}',
    responseBody: '{"b":2}',
  };
  requests.note(ofStranger(1, { ...long, ip: '198.51.100.1' }));
  await requests.flush();
  const kept = await requests.get(idOf(1));
  expect(kept).toMatchObject({ method: 'GET', status: 200, ip: '198.51.100.1', path: `/${'a'.repeat(199)}…` });
  expect(kept).toMatchObject({ query: null, request_headers: {}, request_body: null, response_body: null });
  clock.timeMs += DAY_MS - 1;
  await requests.flush();
  expect(await requests.get(idOf(1))).not.toBeNull();
  clock.timeMs += 1;
  await requests.flush();
  expect(await requests.get(idOf(1))).toBeNull();
});

it('takes less than a megabyte of disk in fifteen seconds, whatever strangers send', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quittance-strangers-'));
  try {
    const file = EmbeddedFile.open(folder, { role: 'service' });
    const flooded = await RequestLog.open(new EmbeddedDocuments(file), clock, log);
    for (let second = 0; second < 15; second++) {
      for (let number = 0; number < 1_000; number++)
        flooded.note(ofStranger(second * 1_000 + number, { target: `/${'a'.repeat(16_000)}` }));
      await flooded.flush();
    }
    file.close();
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(1_000_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('writes again what it could not write', async () => {
  const collection = await stored();
  const put = jest.spyOn(Object.getPrototypeOf(collection) as typeof collection, 'putAllNewer');
  for (let number = 0; number < 150; number++) requests.note(seen(number));
  put.mockRejectedValueOnce(new Error('away'));
  await expect(requests.flush()).rejects.toThrow('away');
  await requests.flush();
  expect(await collection.count()).toBe(150);
});

it('drops the oldest where too many wait, and says how many', async () => {
  for (let number = 0; number < 5_000; number++) requests.note(seen(number));
  await requests.flush();
  expect(await (await stored()).count()).toBe(4_096);
  expect(await requests.get(idOf(0))).toBeNull();
  expect(await requests.get(idOf(4999))).not.toBeNull();
  expect(log.lines).toEqual([expect.objectContaining({ level: 'warn', facts: { dropped: 904 } })]);
});

it('drops the oldest where those that wait are too long', async () => {
  const long = 'x'.repeat(1_024 * 1_024);
  for (let number = 0; number < 20; number++) requests.note(seen(number, long));
  await requests.flush();
  expect(await (await stored()).count()).toBe(15);
  expect(await requests.get(idOf(4))).toBeNull();
});

it('forgets after thirty days, more a round than come', async () => {
  for (let number = 0; number < 3_000; number++) requests.note(seen(number));
  await requests.flush();
  clock.timeMs += KEPT_DAYS * DAY_MS - 1;
  await requests.flush();
  expect(await (await stored()).count()).toBe(3_000);
  clock.timeMs += 1;
  await requests.flush();
  expect(await (await stored()).count()).toBe(3_000 - 2_048);
  await requests.flush();
  expect(await (await stored()).count()).toBe(0);
});
