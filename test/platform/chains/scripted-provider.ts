import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };

/** A provider's behaviour when `method` is asked for: a JSON-RPC answer, or a response that it writes itself. */
export type Behaviour = (method: string, params: readonly unknown[], response: ServerResponse) => Answer | 'written';

/** A JSON-RPC provider on this machine whose every answer a test decides. */
export class ScriptedProvider {
  readonly asked: { readonly method: string; readonly params: readonly unknown[] }[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(behaviour: Behaviour): Promise<ScriptedProvider> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const provider = new ScriptedProvider(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-key`,
    );
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; method: string; params: unknown[] };
        provider.asked.push({ method: body.method, params: body.params });
        const answer = behaviour(body.method, body.params, response);
        if (answer !== 'written') response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, ...answer }));
      });
    });
    return provider;
  }

  count(method: string): number {
    return this.asked.filter(asked => asked.method === method).length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}

const hashOf = (height: number) => `0x${height.toString(16).padStart(64, '0')}`;

/** `timestamp` in seconds: of 2023 by default. */
export function rpcBlock(height: number, timestamp = 0x65000000) {
  return {
    number: `0x${height.toString(16)}`,
    hash: hashOf(height),
    parentHash: hashOf(height - 1),
    timestamp: `0x${timestamp.toString(16)}`,
    transactions: [] as string[],
  };
}

/** An honest provider of BNB testnet whose head is block `head` and whose blocks are empty and of one time. */
export function honest(head: number, timestamp?: number): Behaviour {
  return (method, params) => {
    if (method === 'eth_chainId') return { result: '0x61' };
    if (method === 'eth_call') return { result: `0x${(18).toString(16).padStart(64, '0')}` };
    if (method === 'eth_getLogs') return { result: [] };
    if (method === 'eth_getBlockByNumber') {
      const height = { latest: head, finalized: head - 2 }[params[0] as string] ?? Number(params[0]);
      return { result: height > head ? null : rpcBlock(height, timestamp) };
    }
    if (method === 'eth_getBlockByHash') {
      const height = Number(params[0]);
      return { result: height > head ? null : rpcBlock(height) };
    }
    return { result: null };
  };
}

/** The same provider, but for one method. */
export function except(method: string, instead: Behaviour, otherwise: Behaviour = honest(100)): Behaviour {
  return (asked, params, response) => (asked === method ? instead : otherwise)(asked, params, response);
}
