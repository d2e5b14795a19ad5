import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openToolbox } from '../../src/cli/toolbox';
import { beginDownload } from '../support/download';
import { putPayments } from '../support/export-documents';
import { freePort, runCli, ServiceProcess, serviceEnvironment } from '../support/service-process';

/** By hand: `EXPORT_ROWS=1000000` compares a million rows with ten thousand. */
const ROWS = Number(process.env.EXPORT_ROWS ?? 20_000);
const FEW_ROWS = process.env.EXPORT_ROWS === undefined ? 1_000 : 10_000;
const MOST_RATIO = 1.2;
/** Where the rows are few, each is 2 kB: a file that was held as a whole would be a quarter of the service's memory. */
const TEXTS = process.env.EXPORT_ROWS === undefined ? ['a', 'b', 'c', 'd'] : [];
const METADATA = Object.fromEntries(TEXTS.map(key => [key, 'v'.repeat(500)]));
const LIMIT_MS = 120_000 + ROWS;
const CREATE = ['merchant', 'create', '--new-data', '--name', 'Shop', '--email', 'a@example.com'];

let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'quittance-exports-'))));
afterAll(() => rmSync(folder, { recursive: true }));

type Measured = { readonly rows: number; readonly bytes: number; readonly peakKib: number };

/** From here on the peak is that of the export, and not of the start. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function peakOf(pid: number): number {
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

/** A service of its own whose merchant has so many payments, which stand in the documents alone. */
async function serviceWith(count: number): Promise<{ readonly service: ServiceProcess; readonly key: string }> {
  const options = { dataFolder: mkdtempSync(path.join(folder, 'data-')), port: await freePort() };
  const started = { ...options, env: { SANDBOX_CHAINS: 'off', MODES: 'test', RATE_LIMITS: 'off' } };
  const password = ['--password', 'seven green lanterns at dusk'];
  const created = await runCli(options.dataFolder, [...CREATE, ...password]);
  const { merchant_id: merchantId, keys } = created as { merchant_id: string; keys: { readonly test: string } };
  // The service makes its read models of the log. Only then they have documents that no event has made.
  const first = await ServiceProcess.start(started);
  await first.kill('SIGTERM');
  const toolbox = await openToolbox(serviceEnvironment(options), () => undefined, 'alice');
  await putPayments(toolbox.documents, { merchantId }, count, { metadata: METADATA });
  await toolbox.close();
  return { service: await ServiceProcess.start(started), key: keys.test };
}

async function measured(count: number): Promise<Measured> {
  const { service, key } = await serviceWith(count);
  try {
    forgetPeak(service.pid);
    const { port } = new URL(service.baseUrl);
    const response = await beginDownload({ port: Number(port), path: '/v1/exports/payments', key });
    let [lines, bytes] = [0, 0];
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length;
      for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) lines += 1;
    }
    return { rows: lines - 1, bytes, peakKib: peakOf(service.pid) };
  } finally {
    await service.kill('SIGTERM');
  }
}

test(`an export of ${ROWS} rows needs no more memory than one of ${FEW_ROWS}`, async () => {
  const [few, many] = [await measured(FEW_ROWS), await measured(ROWS)];
  console.log(`peak of the service: ${JSON.stringify({ few, many })}`);
  expect([few.rows, many.rows]).toEqual([FEW_ROWS, ROWS]);
  expect(many.bytes).toBeGreaterThan((few.bytes * ROWS) / FEW_ROWS / 2);
  expect(many.peakKib / few.peakKib).toBeLessThan(MOST_RATIO);
}, LIMIT_MS); // prettier-ignore
