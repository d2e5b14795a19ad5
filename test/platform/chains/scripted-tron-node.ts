import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TRANSFER_TOPIC } from '../../../src/platform/chains/evm/transfer-logs';
import { evmHex } from '../../../src/platform/chains/tron/tron-address';

/**
 * A node's behaviour when it is asked: `what` is a path, or the method asked for under /jsonrpc. The node gives the
 * answer's JSON (for a method an object with `result` or `error`), or writes to the response itself and says so.
 */
export type TronBehaviour = (what: string, question: never, response: ServerResponse) => unknown;

export type Asked = { readonly what: string; readonly question: unknown; readonly headers: IncomingHttpHeaders };

/** A TRON full node on this machine whose every answer a test decides. */
export class ScriptedTronNode {
  readonly asked: Asked[] = [];

  private constructor(private readonly server: Server) {}

  static async start(behaviour: TronBehaviour): Promise<ScriptedTronNode> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const node = new ScriptedTronNode(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as { method: string; params: unknown[] };
        const path = (request.url ?? '').replace('/secret-key', '');
        const [what, question] = path === '/jsonrpc' ? [body.method, body.params] : [path, body];
        node.asked.push({ what, question, headers: request.headers });
        const answer = behaviour(what, question as never, response);
        if (answer === 'written') return;
        const envelope = path === '/jsonrpc' ? { jsonrpc: '2.0', id: 1, ...(answer as object) } : answer;
        response.end(JSON.stringify(envelope));
      });
    });
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/secret-key`;
  }

  questions(what: string): unknown[] {
    return this.asked.filter(each => each.what === what).map(({ question }) => question);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}

export type TronLogScript = { contract: string; from: string; to: string; value: bigint };

/** A log as nodes show it: 20 bytes of address without the 41 before them, hex without 0x. */
export function tronLog({ contract, from, to, value }: TronLogScript) {
  const topic = (address: string) => evmHex(address).slice(2).padStart(64, '0');
  return {
    address: evmHex(contract).slice(2),
    topics: [TRANSFER_TOPIC.slice(2), topic(from), topic(to)],
    data: value.toString(16).padStart(64, '0'),
  };
}

export type TronInfo = {
  id: string;
  blockNumber: number;
  result?: string;
  receipt?: { result?: string };
  log?: readonly { address?: string; topics?: readonly string[]; data?: string }[];
  [other: string]: unknown;
};

/** A contract call that succeeded, in the whole documented shape. */
export function tronInfo(id: string, blockNumber: number, logs: readonly TronLogScript[]): TronInfo {
  return {
    id,
    fee: 345_000,
    blockNumber,
    blockTimeStamp: 1_700_000_000_000 + blockNumber * 3_000,
    contractResult: [''],
    contract_address: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c',
    receipt: { net_usage: 345, energy_usage_total: 65_000, result: 'SUCCESS' } as { result: string },
    ...(logs.length > 0 && { log: logs.map(tronLog) }),
  };
}

/** `fork` is a hex digit that tells blocks of one height apart. */
export function tronBlockId(height: number, fork = 'a'): string {
  const start = height.toString(16).padStart(16, '0');
  return height === 0 ? `${start}${'0'.repeat(40)}cd8690dc` : start + fork.repeat(48);
}

/** A block of 2023, unless its time is told. */
export function tronBlock(
  height: number,
  txIds: readonly string[] = [],
  fork = 'a',
  timeMs = 1_700_000_000_000 + height * 3_000,
) {
  const rawData = {
    ...(height > 0 && { number: height, timestamp: timeMs }),
    txTrieRoot: '0'.repeat(64),
    parentHash: tronBlockId(Math.max(height - 1, 0), fork),
  };
  const transactions = txIds.map(txID => ({ ret: [{ contractRet: 'SUCCESS' }], txID, raw_data: {} }));
  return {
    blockID: tronBlockId(height, fork),
    block_header: { raw_data: rawData, witness_signature: '00' },
    ...(transactions.length > 0 && { transactions }),
  };
}

/**
 * An honest node of Nile whose head is `head`, whose blocks are empty but for `infos`, and on which 18 blocks are not
 * solid.
 */
export function honestTron(head: number, infos: readonly TronInfo[] = [], fork = 'a'): TronBehaviour {
  const of = (height: number) => infos.filter(({ blockNumber }) => blockNumber === height);
  const answers: Record<string, (question: never) => unknown> = {
    '/wallet/getblock': ({ id_or_num: asked, detail }: { id_or_num?: string; detail: boolean }) => {
      const height = asked === undefined ? head : Number(asked);
      return height > head ? {} : tronBlock(height, detail ? of(height).map(({ id }) => id) : [], fork);
    },
    '/walletsolidity/getblock': () => tronBlock(Math.max(head - 18, 0), [], fork),
    '/wallet/gettransactioninfobyblocknum': ({ num }: { num: number }) => of(num),
    '/wallet/gettransactioninfobyid': ({ value }: { value: string }) => infos.find(({ id }) => id === value) ?? {},
    eth_chainId: () => ({ result: '0xcd8690dc' }),
    eth_getCode: () => ({ result: '0x60' }),
    eth_call: () => ({ result: `0x${(6).toString(16).padStart(64, '0')}` }),
    eth_getLogs: ([query]: [LogQuery]) => ({ result: foundLogs(infos, query, fork) }),
  };
  return (what, question) => (answers[what] ?? (() => ({})))(question);
}

/** The same node, but for one path or method. */
export function exceptTron(
  what: string,
  instead: TronBehaviour,
  otherwise: TronBehaviour = honestTron(100),
): TronBehaviour {
  return (asked, question, response) => (asked === what ? instead : otherwise)(asked, question, response);
}

type LogQuery = { fromBlock: string; toBlock: string; address: string; topics: (string | string[] | null)[] };

function foundLogs(infos: readonly TronInfo[], { fromBlock, toBlock, address, topics }: LogQuery, fork: string) {
  const fits = (log: RawTronLog) =>
    `0x${log.address}` === address &&
    topics.every((topic, index) => topic === null || [topic].flat().includes(`0x${log.topics?.[index]}`));
  return infos
    .filter(({ blockNumber }) => blockNumber >= Number(fromBlock) && blockNumber <= Number(toBlock))
    .flatMap(({ id, blockNumber, log = [] }) =>
      log.flatMap((each, index) => (fits(each) ? [rpcLog(each, id, blockNumber, index, fork)] : [])),
    );
}

type RawTronLog = NonNullable<TronInfo['log']>[number];

function rpcLog({ address, topics = [], data }: RawTronLog, id: string, height: number, index: number, fork: string) {
  return {
    address: `0x${address}`,
    topics: topics.map(topic => `0x${topic}`),
    data: `0x${data}`,
    blockNumber: `0x${height.toString(16)}`,
    blockHash: `0x${tronBlockId(height, fork)}`,
    transactionHash: `0x${id}`,
    transactionIndex: '0x0',
    logIndex: `0x${index.toString(16)}`,
    removed: false,
  };
}
