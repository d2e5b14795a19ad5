import { createHash } from 'node:crypto';
import type { Mode } from '../../../src/vocabulary/modes';
import { ImageUnavailable } from '../../../src/kernel/ports/image-source';
import {
  LOGO_BYTES,
  LOGO_COLLECTION,
  StoredBrandLogos,
  type LogoDocument,
} from '../../../src/processes/checkout/stored-brand-logos';
import { RecordingLog } from '../../support/fixture-doubles';
import { ManualClock } from '../../support/manual-clock';
import { MemoryDocuments } from '../../support/memory-documents';

const URL = 'https://shop.example/logo.png';
const HOUR_MS = 3_600_000;
const PNG = Buffer.from('\x89PNG\r\n\x1a\n and its pixels', 'latin1');
const DIGEST = createHash('sha256').update(PNG).digest('hex');

let logos: StoredBrandLogos;
let documents: MemoryDocuments;
let clock: ManualClock;
let log: RecordingLog;
let asked: { readonly mode: Mode; readonly url: string; readonly mostBytes: number }[];
let answer: () => Promise<Uint8Array>;

beforeEach(async () => {
  documents = new MemoryDocuments();
  clock = new ManualClock(Date.parse('2026-11-01T12:00:00.000Z'));
  log = new RecordingLog();
  asked = [];
  answer = () => Promise.resolve(PNG);
  logos = await restarted();
});

/** The logos of another process over the same documents. */
async function restarted(): Promise<StoredBrandLogos> {
  const source = {
    fetch: (request: (typeof asked)[number]) => {
      asked.push(request);
      return answer();
    },
  };
  return new StoredBrandLogos(await documents.open<LogoDocument>(LOGO_COLLECTION), source, clock, log);
}

async function fetched(url = URL, merchant = 'mch_1', mode: Mode = 'test'): Promise<string | null> {
  await logos.digestOf(mode, merchant, url);
  await logos.fetched();
  return logos.digestOf(mode, merchant, url);
}

it('fetches a logo once, in the background, and serves it from then on', async () => {
  expect(await logos.digestOf('test', 'mch_1', URL)).toBeNull();
  expect(await logos.digestOf('test', 'mch_1', URL)).toBeNull();
  await logos.fetched();
  expect(await logos.digestOf('test', 'mch_1', URL)).toBe(DIGEST);
  expect(asked).toStrictEqual([{ mode: 'test', url: URL, mostBytes: LOGO_BYTES }]);
  for (const process of [logos, await restarted()]) {
    expect(await process.byDigest(DIGEST)).toStrictEqual({ type: 'image/png', bytes: PNG });
    expect(await process.digestOf('test', 'mch_1', URL)).toBe(DIGEST);
  }
  expect(asked).toHaveLength(1);
});

it.each(['', 'x', DIGEST.toUpperCase(), `${DIGEST}0`, '0'.repeat(64)])('has nothing under %j', async digest => {
  await fetched();
  expect(await logos.byDigest(digest)).toBeNull();
});

it.each<[string, () => Promise<Uint8Array>]>([
  ['blocked_address', () => Promise.reject(new ImageUnavailable('blocked_address'))],
  ['no_image', () => Promise.resolve(Buffer.from('<svg/>'))],
])('asks again after an hour at the earliest, where the answer was %s', async (reason, failing) => {
  answer = failing;
  expect(await fetched()).toBeNull();
  expect(log.lines).toMatchObject([{ facts: { merchant_id: 'mch_1', reason } }]);
  answer = () => Promise.resolve(PNG);
  clock.timeMs += HOUR_MS - 1;
  expect(await fetched()).toBeNull();
  expect(asked).toHaveLength(1);
  clock.timeMs += 1;
  expect(await fetched()).toBe(DIGEST);
});

it('fetches at once where the merchant names another logo, which takes the place of the former one', async () => {
  answer = () => Promise.reject(new ImageUnavailable('status_404'));
  expect(await fetched()).toBeNull();
  answer = () => Promise.resolve(PNG);
  expect(await fetched(`${URL}?v=2`)).toBe(DIGEST);
  const collection = await documents.open<LogoDocument>(LOGO_COLLECTION);
  expect(await collection.count()).toBe(1);
});

it('keeps merchants and modes apart', async () => {
  expect(await fetched()).toBe(DIGEST);
  answer = () => Promise.reject(new ImageUnavailable('status_404'));
  expect(await fetched(URL, 'mch_2')).toBeNull();
  expect(await fetched(URL, 'mch_1', 'live')).toBeNull();
  expect(await logos.digestOf('test', 'mch_1', URL)).toBe(DIGEST);
});

it('has few logos under way at a time', async () => {
  let release: (image: Uint8Array) => void = () => undefined;
  const held = new Promise<Uint8Array>(resolve => (release = resolve));
  answer = () => held;
  for (let number = 1; number <= 9; number++) expect(await logos.digestOf('test', `mch_${number}`, URL)).toBeNull();
  expect(asked).toHaveLength(4);
  release(PNG);
  await logos.fetched();
  expect(await fetched(URL, 'mch_9')).toBe(DIGEST);
});
