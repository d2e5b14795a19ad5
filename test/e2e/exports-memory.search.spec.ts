import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { searchSize } from '../levels/search-size';
import { beginDownload } from '../support/download';
import { putPayments } from '../support/export-documents';
import { ServiceInProcess } from '../support/service-in-process';
import { freePort, ServiceProcess } from '../support/service-process';

/** By hand: `EXPORT_ROWS=1000000` compares a million rows with ten thousand. */
const ROWS = searchSize('EXPORT_ROWS', { small: 10_000, full: 20_000 });
const IS_BY_HAND = process.env.EXPORT_ROWS !== undefined;
const FEW_ROWS = IS_BY_HAND ? 10_000 : ROWS / 20;
const MOST_RATIO = 1.2;
/** Ten thousand rows of a search hold 40 MB: a file that was held as a whole would be a quarter of the memory. */
const TEXTS = Array.from({ length: IS_BY_HAND ? 0 : 8 }, (_, index) => `text${index}`);
const METADATA = Object.fromEntries(TEXTS.map(key => [key, 'v'.repeat(500)]));
const LIMIT_MS = 120_000 + ROWS;
/** The flags of a quick start that keep nothing in memory: what the others keep would count as the export's. */
const FLAGS = ['--single-threaded-gc', '--interrupt-budget=1000000'];
const ENV = { SANDBOX_CHAINS: 'off', MODES: 'test', RATE_LIMITS: 'off' };

let folder: string;
let port: number;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'quittance-exports-'));
  port = await freePort();
});
afterAll(() => rmSync(folder, { recursive: true }));

type Measured = { readonly rows: number; readonly bytes: number; readonly peakKib: number };

/** From here on the peak is that of the export, and not of the start. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function peakOf(pid: number): number {
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** A merchant with so many payments, which stand in the documents alone. */
type Seller = { readonly merchantId: string; readonly key: string; readonly count: number };

/** The service makes its read models of the log. Only then they have documents that no event has made. */
async function sellers(counts: readonly number[]): Promise<readonly Seller[]> {
  const service = await ServiceInProcess.start({ ...ENV, DATA_FOLDER: folder });
  const made: Seller[] = [];
  for (const count of counts) {
    const { merchant_id: merchantId, keys } = await service.register(`Shop ${count}`);
    made.push({ merchantId, key: keys.test, count });
  }
  await service.close();
  await service.beside(async ({ documents }) => {
    for (const { merchantId, count } of made)
      await putPayments(documents, { merchantId }, count, { metadata: METADATA });
  });
  return made;
}

/** Garbage that is collected late only ever adds to a peak: the lowest of so many tells what an export needs. */
const ATTEMPTS = 3;

/** The lowest peak of the export and some more of it, or the first one that is less than `enoughKib`. */
async function lowest(first: Measured, seller: Seller, enoughKib: number): Promise<Measured> {
  let least = first;
  for (let attempt = 1; attempt < ATTEMPTS && least.peakKib >= enoughKib; attempt++) {
    const again = await onService(service => measured(service, seller));
    if (again.peakKib < least.peakKib) least = again;
  }
  return least;
}

async function onService<T>(work: (service: ServiceProcess) => Promise<T>): Promise<T> {
  const service = await ServiceProcess.start({ dataFolder: folder, port, env: ENV, flags: FLAGS });
  try {
    return await work(service);
  } finally {
    await service.kill('SIGTERM');
  }
}

async function measured(service: ServiceProcess, { key }: Seller): Promise<Measured> {
  forgetPeak(service.pid);
  const response = await beginDownload({ port, path: '/v1/exports/payments', key });
  let [lines, bytes] = [0, 0];
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) lines += 1;
  }
  return { rows: lines - 1, bytes, peakKib: peakOf(service.pid) };
}

test(`an export of ${ROWS} rows needs no more memory than one of ${FEW_ROWS}`, async () => {
  const [fewer, more] = (await sellers([FEW_ROWS, ROWS])) as [Seller, Seller];
  // The second export of a service only needs more than its first.
  const [few, first] = await onService(async service => [
    await measured(service, fewer),
    await measured(service, more),
  ]) as [Measured, Measured];
  const many = await lowest(first, more, MOST_RATIO * few.peakKib);
  console.log(`peak of the service: ${JSON.stringify({ few, many })}`);
  expect([few.rows, many.rows]).toEqual([FEW_ROWS, ROWS]);
  expect(many.bytes).toBeGreaterThan((few.bytes * ROWS) / FEW_ROWS / 2);
  expect(many.peakKib / few.peakKib).toBeLessThan(MOST_RATIO);
}, LIMIT_MS); // prettier-ignore
