import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eachAtOnce } from '../../src/kernel/at-once';
import { runCli } from '../support/command-line';
import { eventually, freePort, ServiceProcess, useEngines } from '../support/service-process';
import { MARKETS, Sale } from './sale';
import { describeHistory, say, type HistoryEvent } from './story';

const STEP_LIMIT_MS = 30_000;
/** `npm run demo -- --browser`: customers pay on the payment's page, in a real browser. */
const isInBrowser = process.argv.includes('--browser');

/** The main job from end to end, on real parts, told a line a step. Exits 0 only when every step held. */
async function main(): Promise<void> {
  const named = useEngines(process.env);
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-demo-'));
  const service = await ServiceProcess.start({ dataFolder, port: await freePort() });
  const sales: Sale[] = [];
  try {
    const engines = named.length > 0 ? `the engines of ${named.join(' and ')}` : 'its embedded engines';
    say('service', `runs at ${service.baseUrl} on ${engines}, with local chains`);
    await eachAtOnce(MARKETS, MARKETS.length, async market => {
      sales.push(await Sale.open(market, dataFolder, service.baseUrl, isInBrowser));
    });
    await tell(dataFolder, sales);
  } finally {
    await service.kill('SIGTERM');
    await runCli(dataFolder, ['sandbox', 'stop']);
    for (const sale of sales) await sale.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

async function tell(dataFolder: string, sales: readonly Sale[]): Promise<void> {
  const routed = await Promise.all(sales.map(sale => sale.route(dataFolder)));
  for (const route of routed) say('route', route);
  const payments = [];
  for (const sale of sales) payments.push(await sale.take(dataFolder));
  const streams = payments.map(({ id }) => `test.payment_intent-${id}`);
  const replayed = await Promise.all(streams.map(stream => runCli(dataFolder, ['replay', stream])));
  for (const history of replayed) tellHistory(history);
  await rebuild(dataFolder);
}

function tellHistory({ stream, events, chain_intact }: Record<string, unknown>): void {
  say('replay', String(stream));
  for (const line of describeHistory(events as readonly HistoryEvent[])) say('replay', line);
  if (chain_intact !== true) throw new Error(`the hash chain of ${String(stream)} is broken`);
  say('replay', 'the hash chain holds from the first event to the last');
}

async function rebuild(dataFolder: string): Promise<void> {
  const before = await fingerprints(dataFolder);
  await runCli(dataFolder, ['projections', 'rebuild']);
  const after = await fingerprints(dataFolder);
  if (after !== before) throw new Error(`the read models were ${before} and came back as ${after}`);
  say('rebuild', 'the read models were built anew from the log and the old ones dropped');
  for (const line of after.split('\n')) say('the same', line);
}

/** A line a read model: its name and the SHA-256 over all its documents, once it has followed the log to its end. */
function fingerprints(dataFolder: string): Promise<string> {
  return eventually('read models that equal the log', STEP_LIMIT_MS, async () => {
    const { projections } = await runCli(dataFolder, ['projections', 'verify']);
    const rows = projections as readonly {
      projection: string;
      documents: number;
      equal: boolean;
      sha256_live: string;
    }[];
    if (!rows.every(({ equal }) => equal)) return null;
    const kept = rows.filter(({ documents }) => documents > 0);
    return kept.map(row => `${row.projection.padEnd(19)} ${row.sha256_live}`).join('\n');
  });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
