import { witnessOf } from '../providers/witness';
import { JsonRpc, type StreamingRpc } from './json-rpc';
import { LogAccess } from './log-access';
import { LogSpan } from './log-span';
import { quantity } from './rpc-shapes';

export type Provider = {
  /** The provider's host. */
  readonly name: string;
  readonly rpc: StreamingRpc;
  readonly span: LogSpan;
  readonly access: LogAccess;
};

export function connectEvm(url: string, timeoutMs: number, headers: Readonly<Record<string, string>> = {}): Provider {
  return {
    name: witnessOf(url),
    rpc: new JsonRpc(url, timeoutMs, headers),
    span: new LogSpan(),
    access: new LogAccess(),
  };
}

export async function servedChainId({ rpc }: Provider): Promise<number> {
  return rpc.call('eth_chainId', [], quantity);
}
