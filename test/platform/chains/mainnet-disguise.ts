import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TOKENS, type TokenId } from '../../../src/vocabulary/tokens';
import { NETWORKS, type NetworkId } from '../../../src/vocabulary/networks';
import { bytesOf } from '../../../src/platform/outbound/http-client';
import { send } from '../../../src/platform/outbound/http-request';
import { evmHex } from '../../../src/platform/chains/tron/tron-address';

const TOKEN_IDS: Readonly<Record<NetworkId, TokenId>> = { tron: 'usdt-tron', bnb: 'usdt-bnb', base: 'usdc-base' };

/**
 * A provider of the main network before a local chain, whose chain id and token contract it gives out as the main
 * network's. Several may stand before one chain, each a host of its own.
 */
export class MainnetDisguise {
  /** While true it has no receipt of any transaction. */
  hidesReceipts = false;

  private constructor(
    private readonly network: NetworkId,
    private readonly target: string,
    private readonly server: Server,
  ) {}

  static async start(network: NetworkId, target: string): Promise<MainnetDisguise> {
    const server = createServer((request, response) => {
      disguise.answer(request, response).catch(() => response.destroy());
    });
    const disguise = new MainnetDisguise(network, target, server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return disguise;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise(resolve => this.server.close(() => resolve()));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const question = Buffer.concat(chunks).toString();
    const path = request.url ?? '/';
    if (this.hidesReceipts && path === '/wallet/gettransactioninfobyid') return void response.end('{}');
    if (this.hidesReceipts && question.includes('"eth_getTransactionReceipt"'))
      return void response.end('{"jsonrpc":"2.0","id":1,"result":null}');
    const { answer } = send(`${this.target}${path}`, { 'content-type': 'application/json' }, this.inner(question));
    response.end(this.outer((await bytesOf((await answer).body)).toString()));
  }

  private inner(text: string): string {
    const { live, test } = this.contracts();
    return text.replace(new RegExp(live, 'gi'), test);
  }

  /** A chain id is all of an answer, or the end of TRON's first block's id. */
  private outer(text: string): string {
    const { live, test } = this.contracts();
    const [liveId, testId] = (['live', 'test'] as const).map(mode => this.chainId(mode));
    const [before, after] = this.network === 'tron' ? [`${testId}"`, `${liveId}"`] : [`"0x${testId}"`, `"0x${liveId}"`];
    return text.replace(new RegExp(test, 'gi'), live).replaceAll(before, after);
  }

  private chainId(mode: 'live' | 'test'): string {
    return NETWORKS[this.network].chainId[mode].toString(16);
  }

  /** Forty digits without 0x. */
  private contracts() {
    const { live, test } = TOKENS[TOKEN_IDS[this.network]].contract;
    const digits = (contract: string): string =>
      (this.network === 'tron' ? evmHex(contract) : contract).slice(2).toLowerCase();
    return { live: digits(live), test: digits(test) };
  }
}
