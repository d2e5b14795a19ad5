import { TOKENS } from '../../src/vocabulary/tokens';
import { TronFacade } from '../../src/sandbox/tron-facade';
import { noFaults } from '../../src/sandbox/tron/tron-faults';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { TronCustomer } from '../support/tron-customer';
import { silentLog, startSandbox, temporaryFolder } from './local-chain';

const TIMEOUT_MS = 5_000;
export const USDT = TOKENS['usdt-tron'].contract.test;
export const MERCHANT = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';

export type Json = Record<string, unknown>;

/**
 * A local TRON chain on which a block comes only when asked for, a facade with faults, and a customer who has one
 * without.
 */
export async function startTronStage() {
  const { folder, remove } = temporaryFolder();
  const sandbox = await startSandbox(folder, { network: 'tron', blockTimeSeconds: null });
  const faults = noFaults();
  const facade = await TronFacade.start({ rpcUrl: sandbox.rpcUrl, clock: new SystemClock(), log: silentLog, faults });
  const customer = await TronCustomer.onSandbox(folder);
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${facade.url}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS), ...init });
  const post = async (path: string, body: unknown = {}): Promise<Json> =>
    (await (await ask(path, { method: 'POST', body: JSON.stringify(body) })).json()) as Json;
  const rpc = (method: string, ...params: unknown[]): Promise<Json> =>
    post('/jsonrpc', { jsonrpc: '2.0', id: 1, method, params });
  const stop = async (): Promise<void> => {
    await customer.close();
    await facade.close();
    await sandbox.stop();
    remove();
  };
  return { sandbox, faults, facade, customer, tronWeb: customer.tronWeb, ask, post, rpc, stop };
}

export type TronStage = Awaited<ReturnType<typeof startTronStage>>;
