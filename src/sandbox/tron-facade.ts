import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SECOND_MS, type Clock } from '../kernel/clock';
import { isRefusal } from '../vocabulary/errors';
import type { Log } from '../kernel/ports/log';
import { JsonRpc } from '../platform/chains/evm/json-rpc';
import { ContractApi } from './tron/contract-api';
import { JsonRpcApi } from './tron/json-rpc-api';
import { ParameterFault } from './tron/parameters';
import { BodyTooLarge, parametersOf } from './tron/request-body';
import { TronBroadcast } from './tron/tron-broadcast';
import { noFaults, type TronFault, type TronFaults } from './tron/tron-faults';
import { TronIndex, type View } from './tron/tron-index';
import { WalletApi } from './tron/wallet-api';

const HOST = '127.0.0.1';
const RPC_TIMEOUT_MS = 10 * SECOND_MS;
const LITE_NODE_TEXT = 'this API is closed because this node is a lite fullnode';

type TronFacadeOptions = {
  /** The URL of the local node behind the facade. */
  readonly rpcUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  /** A free port where absent. */
  readonly port?: number;
  /** Troubles to show, which their owner may change at any time. */
  readonly faults?: TronFaults;
};

type Operation = (parameters: unknown, view: View) => Promise<object>;

/**
 * The interface of a TRON full node, before a local chain of the EVM: `/wallet/*`, `/walletsolidity/*` and `/jsonrpc`.
 * The facade keeps only facts that the chain tells. So any number of facades may stand before one chain, and come and
 * go.
 */
export class TronFacade {
  private readonly operations: ReadonlyMap<string, Operation>;
  private readonly jsonRpc: JsonRpcApi;
  private readonly faults: TronFaults;

  private constructor(
    private readonly server: Server,
    private readonly log: Log,
    { rpcUrl, clock, faults = noFaults() }: TronFacadeOptions,
  ) {
    this.faults = faults;
    const index = new TronIndex(new JsonRpc(rpcUrl, RPC_TIMEOUT_MS), faults);
    this.jsonRpc = new JsonRpcApi(index);
    this.operations = operationsOf(new WalletApi(index), new ContractApi(index, new TronBroadcast(index), clock));
    server.on('request', (request, response) => void this.handle(request, response));
  }

  static async start(options: TronFacadeOptions): Promise<TronFacade> {
    const server = createServer();
    const facade = new TronFacade(server, options.log, options);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options.port ?? 0, HOST, resolve));
    options.log.info({ url: facade.url, chain: options.rpcUrl }, 'local TRON node listening');
    return facade;
  }

  get url(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}`;
  }

  /** Requests under way are cut off. */
  async close(): Promise<void> {
    const closed = new Promise(resolve => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    try {
      const fault = this.faults.answer(pathname);
      if (fault === 'hang') return;
      if (fault !== null) return fail(response, fault);
      if (request.method !== 'GET' && request.method !== 'POST') return send(response, 405, '');
      const serve = this.operationAt(pathname);
      if (!serve) return send(response, 404, '');
      sendJson(response, await serve(await parametersOf(request, searchParams)));
    } catch (error) {
      if (error instanceof BodyTooLarge) {
        // The rest of the body would pass for the next request.
        response.setHeader('connection', 'close');
        return send(response, 413, '');
      }
      if (error instanceof ParameterFault) return sendJson(response, { Error: `invalid parameter : ${error.message}` });
      this.log.warn({ err: error, path: pathname }, 'local TRON node failed');
      sendJson(response, { Error: `${isRefusal(error) ? error.code : 'internal'} : the local chain gave no answer` });
    }
  }

  private operationAt(path: string): ((parameters: unknown) => Promise<object>) | null {
    if (path === '/jsonrpc') return body => this.jsonRpc.serve(body);
    const [, folder, name] = /^\/(wallet|walletsolidity)\/([a-z]+)$/.exec(path) ?? [];
    const view = folder === 'wallet' ? 'full' : 'solid';
    const operation = this.operations.get(name ?? '');
    if (!operation || (view === 'solid' && FULL_NODE_ONLY.has(name ?? ''))) return null;
    return parameters => operation(parameters, view);
  }
}

const FULL_NODE_ONLY = new Set(['triggersmartcontract', 'broadcasttransaction', 'broadcasthex', 'getcontract']);

function operationsOf(wallet: WalletApi, contracts: ContractApi): ReadonlyMap<string, Operation> {
  return new Map<string, Operation>([
    ['getnowblock', (parameters, view) => wallet.getNowBlock(parameters, view)],
    ['getblock', (parameters, view) => wallet.getBlock(parameters, view)],
    ['getblockbynum', (parameters, view) => wallet.getBlockByNumber(parameters, view)],
    ['getblockbyid', (parameters, view) => wallet.getBlockById(parameters, view)],
    ['getblockbylimitnext', (parameters, view) => wallet.getBlockByLimitNext(parameters, view)],
    ['gettransactioninfobyblocknum', (parameters, view) => wallet.getTransactionInfoByBlockNumber(parameters, view)],
    ['gettransactioninfobyid', (parameters, view) => wallet.getTransactionInfoById(parameters, view)],
    ['gettransactionbyid', (parameters, view) => wallet.getTransactionById(parameters, view)],
    ['triggerconstantcontract', (parameters, view) => contracts.triggerConstantContract(parameters, view)],
    ['triggersmartcontract', parameters => contracts.triggerSmartContract(parameters)],
    ['broadcasttransaction', parameters => contracts.broadcastTransaction(parameters)],
    ['broadcasthex', parameters => contracts.broadcastHex(parameters)],
    ['getcontract', parameters => contracts.getContract(parameters)],
  ]);
}

function fail(response: ServerResponse, fault: Exclude<TronFault, 'hang'>): void {
  if (fault === 'lite_node') return send(response, 200, LITE_NODE_TEXT);
  if ('status' in fault) return send(response, fault.status, '');
  sendJson(response, { Error: fault.error });
}

function sendJson(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json');
  send(response, 200, JSON.stringify(body));
}

function send(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}
