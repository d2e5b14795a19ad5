import { cliEnd } from '../support/command-line';
import { eventually } from '../support/service-process';
import { Deployment } from './deployment';
import { Shop } from './shop';

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 10);
const PAYMENTS = Number(process.env.KILL_PAYMENTS ?? 110);
const LONGEST_PAUSE_MS = 3_000;
const SETTLING_LIMIT_MS = 120_000;

/** The checks of the command line program that a service must pass once it is left alone. */
const CHECKS = [['projections', 'status'], ['projections', 'verify'], ['audit', 'verify'], ['coverage']] as const;

/**
 * Kills each process of a deployment, and the event store's server, round after round while customers pay. Exits 0 only
 * where every payment is confirmed and credited once, every webhook came, and the log and the read models hold.
 */
async function main(): Promise<void> {
  const deployment = new Deployment({
    eventStoreUrl: required('EVENTSTORE_URL'),
    mongodbUrl: required('MONGODB_URL'),
    serverCommand: required('EVENTSTORE_COMMAND'),
  });
  let isClean = false;
  try {
    await deployment.start();
    const shop = await Shop.open(deployment);
    isClean = await killWhileSelling(deployment, shop);
    await shop.close();
  } finally {
    await deployment.stop();
    if (isClean) deployment.remove();
    else console.log(`the logs are in ${deployment.dataFolder}`);
  }
  process.exitCode = isClean ? 0 : 1;
}

async function killWhileSelling(deployment: Deployment, shop: Shop): Promise<boolean> {
  const faults: string[] = [];
  const sales: Promise<unknown>[] = [];
  const sell = (): Promise<unknown> => shop.sell().catch((error: unknown) => faults.push(String(error)));
  for (let round = 1; round <= ROUNDS; round++) {
    const due = Math.ceil((PAYMENTS * round) / ROUNDS);
    while (sales.length < due) sales.push(sell());
    await deployment.killEach(LONGEST_PAUSE_MS, Math.random);
    console.log(`round ${round} of ${ROUNDS}: every process was killed, ${sales.length} payments begun`);
  }
  await Promise.all(sales);
  faults.push(...(await shop.faults()));
  for (const check of CHECKS) {
    const passed = await holds(deployment, check).catch((error: unknown) => String(error));
    console.log(`${check.join(' ')}: ${passed === true ? 'holds' : passed}`);
    if (passed !== true) faults.push(`${check.join(' ')} fails`);
  }
  for (const { name, kills, endedByItself } of deployment.processes) {
    console.log(`${name}: killed ${kills} times, ended by itself ${endedByItself} times`);
    if (endedByItself > 0) faults.push(`${name} ended by itself`);
  }
  console.log(`${shop.payments.length} payments, ${shop.eventsTold} events told in ${shop.deliveries} deliveries`);
  for (const fault of faults) console.log(`FAULT ${fault}`);
  console.log(faults.length === 0 ? 'all holds' : `${faults.length} faults`);
  return faults.length === 0;
}

/** A check that lags behind the log passes once it has caught up. */
function holds({ dataFolder, env }: Deployment, check: readonly string[]): Promise<true> {
  return eventually(check.join(' '), SETTLING_LIMIT_MS, async () => {
    return (await cliEnd(dataFolder, check, env)).code === 0 || null;
  });
}

function required(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set`);
  return value;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
