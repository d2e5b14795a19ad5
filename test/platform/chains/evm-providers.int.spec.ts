import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock';
import type { ErrorCode } from '../../../src/vocabulary/errors';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { TRANSFER_TOPIC, addressTopic } from '../../../src/platform/chains/evm/transfer-logs';
import { MAX_RESPONSE_BYTES } from '../../../src/platform/chains/http-post';
import { body, EvmStage, refusalOf, status } from './evm-stage';
import { except, honest, rpcBlock, type Behaviour, type ScriptedProvider } from './scripted-provider';

const CONTRACT = TOKENS['usdt-bnb'].contract.test;
const MERCHANT = '0x000000000000000000000000000000000000bEEF';
const PAYER = '0x000000000000000000000000000000000000dEaD';
const TX_HASH = `0x${'ab'.repeat(32)}`;

let stage: EvmStage;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

const provider = (behaviour: Behaviour) => stage.provider(behaviour);
const chainOf = (providers: readonly ScriptedProvider[], timeoutMs?: number) => stage.chainOf(providers, timeoutMs);

describe('one provider', () => {
  const faults: [string, ErrorCode, Behaviour][] = [
    ['a status 429', 'provider_unavailable', status(429)],
    ['a status 503', 'provider_unavailable', status(503)],
    ['a status 403', 'provider_unavailable', status(403)],
    ['a redirect', 'provider_unavailable', (method, params, response) => {
      response.setHeader('location', 'http://127.0.0.1:1/');
      return status(302)(method, params, response);
    }],
    ['a connection that breaks', 'provider_unavailable', (_method, _params, response) => {
      response.socket?.destroy();
      return 'written';
    }],
    ['an error of the node', 'provider_unavailable', () => ({ error: { code: -32000, message: 'header not found' } })],
    ['text that is not JSON', 'provider_response_invalid', body('<html>')],
    ['JSON that is no answer', 'provider_response_invalid', body('{"jsonrpc":"2.0"}')],
    ['the answer to another question', 'provider_response_invalid', body('{"jsonrpc":"2.0","id":2,"result":null}')],
    ['an answer without end', 'provider_response_invalid', body('x'.repeat(MAX_RESPONSE_BYTES + 1))],
    ['a number that is none', 'provider_response_invalid', () => ({ result: { ...rpcBlock(7), number: '7' } })],
    ['a number above 2^53', 'provider_response_invalid', () => ({ result: { ...rpcBlock(7), number: '0xffffffffffffff' } })],
    ['a time in milliseconds', 'provider_response_invalid', () => ({ result: { ...rpcBlock(7), timestamp: '0x1a0c4a1ac00' } })],
    ['a hash that is too short', 'provider_response_invalid', () => ({ result: { ...rpcBlock(7), hash: '0x07' } })],
    ['another block than asked for', 'provider_response_invalid', () => ({ result: rpcBlock(8) })],
  ]; // prettier-ignore

  test.each(faults)('%s is refused as %s, naming the method', async (_name, code, behaviour) => {
    const chain = chainOf([await provider(except('eth_getBlockByNumber', behaviour))]);
    const refusal = await refusalOf(chain.blockAt(7));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain('eth_getBlockByNumber');
    expect(refusal.message).not.toContain('secret-key');
  });

  test('an answer that drips is given up after the same time-out', async () => {
    const drips: Behaviour = (_method, _params, response) => {
      response.on('close', () => clearInterval(drip));
      const drip = setInterval(() => response.write(' '), 10);
      return 'written';
    };
    const chain = chainOf([await provider(drips)], 200);
    expect((await refusalOf(chain.head())).code).toBe('provider_unavailable');
  });

  test('silence is provider_unavailable after the time-out', async () => {
    const chain = chainOf([await provider(() => 'written')], 50);
    expect((await refusalOf(chain.head())).code).toBe('provider_unavailable');
  });

  test.each<[string, Behaviour]>([
    ['an error', () => ({ error: { code: -32602, message: 'unknown block tag' } })],
    ['nothing', () => ({ result: null })],
  ])('a node that answers the finalized tag with %s has no finality to offer', async (_name, behaviour) => {
    const chain = chainOf([await provider(except('eth_getBlockByNumber', behaviour))]);
    expect((await refusalOf(chain.finalizedHeight())).code).toBe('provider_response_invalid');
  });

  test('another chain is provider_network_mismatch, and it is never asked for anything else', async () => {
    const mainnet = await provider(except('eth_chainId', () => ({ result: '0x38' })));
    const chain = chainOf([mainnet]);
    expect((await refusalOf(chain.check())).code).toBe('provider_network_mismatch');
    expect((await refusalOf(chain.head())).code).toBe('provider_network_mismatch');
    expect(mainnet.asked.map(({ method }) => method)).toEqual(['eth_chainId']);
  });

  test.each<[string, Behaviour]>([
    ['other decimals', () => ({ result: `0x${(6).toString(16).padStart(64, '0')}` })],
    ['no contract', () => ({ result: '0x' })],
    ['a contract that reverts', () => ({ error: { code: 3, message: 'execution reverted' } })],
  ])('%s at the approved address is invalid_token_config', async (_name, behaviour) => {
    const present = honest(100, stage.clock.now() / SECOND_MS);
    const one = await provider(except('eth_call', behaviour, present));
    const chain = chainOf([one]);
    expect(await refusalOf(chain.check())).toMatchObject({ code: 'invalid_token_config', param: 'usdt-bnb' });
    const { length } = one.asked;
    expect((await refusalOf(chain.head())).code).toBe('invalid_token_config');
    expect(one.asked).toHaveLength(length);
    stage.clock.timeMs += 5 * MINUTE_MS;
    expect((await refusalOf(chain.head())).code).toBe('invalid_token_config');
  });

  test.each<[string, Behaviour]>([
    ['no contract', () => ({ result: '0x' })],
    ['a contract that reverts', () => ({ error: { code: 3, message: 'execution reverted' } })],
  ])('%s yet, while it takes in old blocks, is no fault of the configuration: it is asked again later', async (_name, behaviour) => {
    let isSyncing = true;
    const one = await provider((...asked) => (isSyncing ? except('eth_call', behaviour) : honest(200))(...asked));
    const chain = chainOf([one]);
    const refusal = await refusalOf(chain.check());
    expect(refusal.code).toBe('provider_unavailable');
    expect(refusal.message).toContain('has not got usdt-bnb yet');
    isSyncing = false;
    stage.clock.timeMs += MINUTE_MS;
    expect((await chain.head()).number).toBe(200);
  }); // prettier-ignore

  test('without any provider everything is refused', async () => {
    expect((await refusalOf(chainOf([]).head())).code).toBe('invalid_config');
  });
});

describe('logs that their receipt does not bear out', () => {
  const log = {
    address: CONTRACT.toLowerCase(),
    topics: [TRANSFER_TOPIC, addressTopic(PAYER), addressTopic(MERCHANT)],
    data: `0x${'5'.padStart(64, '0')}`,
    logIndex: '0x4',
    transactionHash: TX_HASH,
    blockNumber: '0x7',
    blockHash: rpcBlock(7).hash,
    removed: true,
  };
  const receipt = {
    transactionHash: TX_HASH,
    status: '0x1',
    blockNumber: '0x7',
    blockHash: log.blockHash,
    logs: [log],
  };
  const found = (logs: unknown, answer: unknown) =>
    except(
      'eth_getLogs',
      () => ({ result: logs }),
      except('eth_getTransactionReceipt', () => ({ result: answer })),
    );

  test('an honest pair is a transfer, whatever `removed` says', async () => {
    const chain = chainOf([await provider(found([log], receipt))]);
    const { transfers } = await chain.transfersInBlock(log.blockHash, CONTRACT, [MERCHANT]);
    expect(transfers).toMatchObject([{ txHash: TX_HASH, ordinal: 0, from: PAYER, to: MERCHANT, valueBaseUnits: 5n }]);
  });

  const otherHash = rpcBlock(8).hash;
  test.each<[string, unknown, unknown]>([
    ['a receipt of failure', [log], { ...receipt, status: '0x0' }],
    ['a receipt of another transaction', [log], { ...receipt, transactionHash: otherHash }],
    ['a receipt without the log', [log], { ...receipt, logs: [] }],
    ['a receipt in which nothing is transferred', [log], { ...receipt, logs: [{ ...log, data: `0x${'0'.repeat(64)}` }] }],
    ['a receipt with another value', [log], { ...receipt, logs: [{ ...log, data: `0x${'6'.padStart(64, '0')}` }] }],
    ['a receipt with another payer', [log], { ...receipt, logs: [{ ...log, topics: [TRANSFER_TOPIC, addressTopic(CONTRACT), log.topics[2]] }] }],
    ['a receipt with the log at another place', [{ ...log, logIndex: '0x5' }], receipt],
    ['the same log twice', [log, log], { ...receipt, logs: [log, { ...log, logIndex: '0x5' }] }],
    ['a receipt whose logs have a gap', [log], { ...receipt, logs: [{ ...log, logIndex: '0x2' }, log] }],
    ['a payer that is no address', [log], { ...receipt, logs: [{ ...log, topics: [TRANSFER_TOPIC, otherHash.replace('0x0', '0xf'), log.topics[2]] }] }],
  ])('with %s the transaction is unread', async (_name, logs, answer) => {
    const chain = chainOf([await provider(found(logs, answer))]);
    expect(await chain.transfersInBlock(log.blockHash, CONTRACT, [MERCHANT])).toStrictEqual({
      transfers: [],
      unread: [{ number: 7, hash: log.blockHash, reason: 'unreadable', txHash: TX_HASH }],
    });
  }); // prettier-ignore

  test.each<[string, unknown, unknown]>([
    ['no receipt', [log], null],
    ['a receipt in another block', [log], { ...receipt, blockHash: otherHash, logs: [{ ...log, blockHash: otherHash }] }],
    ['a log of another block', [{ ...log, blockHash: otherHash }], receipt],
  ])('%s is provider_response_invalid, since the chain may have moved', async (_name, logs, answer) => {
    const chain = chainOf([await provider(found(logs, answer))]);
    const refusal = await refusalOf(chain.transfersInBlock(log.blockHash, CONTRACT, [MERCHANT]));
    expect(refusal.code).toBe('provider_response_invalid');
  }); // prettier-ignore

  test.each<[string, unknown]>([
    ['no receipt', null],
    ['a receipt in another block', { ...receipt, blockHash: otherHash, logs: [{ ...log, blockHash: otherHash }] }],
  ])('of a final block %s leaves the transaction unread', async (_name, answer) => {
    const chain = chainOf([await provider(found([log], answer))]);
    expect(await chain.transfersInRange(7, 7, CONTRACT, [MERCHANT])).toStrictEqual({
      endHash: log.blockHash,
      transfers: [],
      unread: [{ number: 7, hash: log.blockHash, reason: 'unreadable', txHash: TX_HASH }],
    });
  });

  test.each([
    ['too long', `${log.data}00`],
    ['no word', '0x05'],
  ])('a log whose value is %s is read by its receipt', async (_name, data) => {
    const chain = chainOf([await provider(found([{ ...log, data }], receipt))]);
    expect(await chain.transfersInBlock(log.blockHash, CONTRACT, [MERCHANT])).toMatchObject({
      transfers: [{ txHash: TX_HASH, ordinal: 0, valueBaseUnits: 5n }],
      unread: [],
    });
  });

  test('logs that nobody asked for are left out', async () => {
    const { topics } = log;
    const others = [
      { ...log, address: PAYER.toLowerCase() },
      { ...log, topics: [TRANSFER_TOPIC, topics[1], addressTopic(PAYER)] },
      { ...log, topics: [...topics, topics[1]] },
      { ...log, topics: topics.slice(0, 2) },
      { ...log, topics: [topics[1], topics[1], topics[2]] },
    ];
    const chain = chainOf([await provider(found(others, null))]);
    expect((await chain.transfersInBlock(log.blockHash, CONTRACT, [MERCHANT])).transfers).toEqual([]);
  });

  test('no logs of a block that the node has not got is an error', async () => {
    const node = await provider(honest(100));
    const unseen = rpcBlock(101).hash;
    expect((await refusalOf(chainOf([node]).transfersInBlock(unseen, CONTRACT, [MERCHANT]))).code).toBe(
      'provider_unavailable',
    );
    expect(node.count('eth_getLogs')).toBe(0);
  });
});

describe('several providers', () => {
  test('the next one answers for one that fails, and goes on doing so', async () => {
    const [first, second] = [await provider(status(503)), await provider(honest(100))];
    const chain = chainOf([first, second]);
    expect((await chain.head()).number).toBe(100);
    expect(await chain.finalizedHeight()).toBe(98);
    expect(first.asked).toHaveLength(1);
  });

  test('where a range fails half-way, the next one goes on with the blocks that failed', async () => {
    const breaking = except('eth_getLogs', (_method, params, response) =>
      (params[0] as { fromBlock: string }).fromBlock === '0x1' ? { result: [] } : status(500)('', [], response),
    );
    const [first, second] = [await provider(breaking), await provider(honest(100))];
    await chainOf([first, second]).transfersInRange(1, 15, CONTRACT, [MERCHANT]);
    expect(second.asked.filter(({ method }) => method === 'eth_getLogs')).toMatchObject([
      { params: [{ fromBlock: '0xb', toBlock: '0xf' }] },
    ]);
  });

  test('one of another chain is passed over', async () => {
    const other = await provider(except('eth_chainId', () => ({ result: '0x38' })));
    const right = await provider(honest(100));
    const chain = chainOf([other, right]);
    await chain.check();
    expect((await chain.head()).number).toBe(100);
    expect(other.asked.map(({ method }) => method)).toEqual(['eth_chainId']);
  });

  test('when none answers, the refusal of the first one tried is given', async () => {
    const chain = chainOf([await provider(body('garbage')), await provider(status(503))]);
    expect((await refusalOf(chain.head())).code).toBe('provider_response_invalid');
  });

  test('one that was away at the check is inspected before it is believed', async () => {
    let away = true;
    const wrong = except('eth_call', () => ({ result: `0x${'6'.padStart(64, '0')}` }));
    const late = await provider((...asked) => (away ? status(503)(...asked) : wrong(...asked)));
    const chain = chainOf([late, await provider(honest(100))]);
    await chain.check();
    away = false;
    stage.clock.timeMs += MINUTE_MS;
    expect((await chain.head()).number).toBe(100);
    expect((await chain.blockAt(7))?.number).toBe(7);
    expect(late.count('eth_call')).toBe(1);
    expect(late.count('eth_getBlockByNumber')).toBe(0);
  });

  test('a check finds wrong decimals at the second one too', async () => {
    const wrong = except('eth_call', () => ({ result: `0x${'6'.padStart(64, '0')}` }));
    const chain = chainOf([await provider(honest(100)), await provider(wrong)]);
    expect((await refusalOf(chain.check())).code).toBe('invalid_token_config');
  });
});
