import { MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock';
import type { Mode } from '../../../src/vocabulary/modes';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { EvmChain } from '../../../src/platform/chains/evm/evm-chain';
import { TRANSFER_TOPIC, addressTopic } from '../../../src/platform/chains/evm/transfer-logs';
import { AMPLE_MS, EvmStage, refusalOf, status } from './evm-stage';
import { except, honest, rpcBlock, type Behaviour, type ScriptedProvider } from './scripted-provider';

const CONTRACT = TOKENS['usdt-bnb'].contract.live;
const MERCHANT = '0x000000000000000000000000000000000000bEEF';
const PAYER = '0x000000000000000000000000000000000000dEaD';
const TX_HASH = `0x${'ab'.repeat(32)}`;
const OTHER_HASH = `0x${'f'.repeat(64)}`;

let stage: EvmStage;

beforeEach(() => {
  stage = new EvmStage();
});

afterEach(() => stage.stop());

/** Serves the main network; its head is read at each question. */
const live = (head: () => number = () => 100, timestamp?: number): Behaviour =>
  except(
    'eth_chainId',
    () => ({ result: '0x38' }),
    (method, params, response) => honest(head(), timestamp)(method, params, response),
  );
const liveExcept = (method: string, instead: Behaviour) => except(method, instead, live());
const renamed = (height: number): Behaviour =>
  liveExcept('eth_getBlockByNumber', (method, params, response) =>
    Number(params[0]) === height
      ? { result: { ...rpcBlock(height), hash: OTHER_HASH } }
      : live()(method, params, response),
  );

async function chainOf(behaviours: readonly Behaviour[], mode: Mode = 'live') {
  const providers = await Promise.all(behaviours.map(behaviour => stage.provider(behaviour)));
  return { providers, chain: stage.chainOf(providers, AMPLE_MS, mode) };
}

const hostOf = ({ url }: ScriptedProvider) => new URL(url).host;
const DISPUTE = 'chain providers do not agree on a block';

describe('the agreed hash of a height', () => {
  test('is what two say', async () => {
    const { chain } = await chainOf([live(), live()]);
    expect(await chain.agreedHash(7)).toBe(rpcBlock(7).hash);
  });

  test('is null while two disagree, and the log names the hosts without their keys', async () => {
    const { chain, providers } = await chainOf([live(), renamed(7)]);
    expect(await chain.agreedHash(7)).toBeNull();
    expect(await chain.agreedHash(8)).toBe(rpcBlock(8).hash);
    expect(stage.log.said(DISPUTE)).toMatchObject([{ height: 7, providers: providers.map(hostOf) }]);
    expect(JSON.stringify(stage.log.lines)).not.toContain('secret-key');
  });

  test.each<[string, Behaviour]>([
    ['fails', status(503)],
    ['has not got the block', live(() => 98)],
    ['serves another chain', honest(100)],
  ])('is null while the second one %s', async (_name, behaviour) => {
    const { chain } = await chainOf([live(), behaviour]);
    expect(await chain.agreedHash(99)).toBeNull();
    expect(stage.log.said(DISPUTE)).toHaveLength(1);
  });

  test('is that of two against one of three, who then rests', async () => {
    const { chain, providers } = await chainOf([renamed(7), live(), live()]);
    expect(await chain.agreedHash(7)).toBe(rpcBlock(7).hash);
    expect(stage.log.said('chain provider failed')).toMatchObject([
      { provider: hostOf(providers[0] as ScriptedProvider) },
    ]);
    const asked = providers[0]?.asked.length;
    await chain.blockAt(8);
    expect(providers[0]?.asked).toHaveLength(asked ?? 0);
  });

  test.each<[string, number, Mode]>([
    ['with one provider', 1, 'live'],
    ['in test mode', 2, 'test'],
  ])('is the word of one %s', async (_name, count, mode) => {
    const right = mode === 'live' ? live() : honest(100);
    const { chain } = await chainOf(
      Array.from({ length: count }, () => right),
      mode,
    );
    expect(await chain.agreedHash(7)).toBe(rpcBlock(7).hash);
  });

  test('two endpoints of one host are one witness', async () => {
    const node = await stage.provider(live());
    const { clock, log } = stage;
    const chain = new EvmChain({ network: 'bnb', mode: 'live', urls: [node.url, `${node.url}-too`], clock, log });
    expect(await chain.agreedHash(7)).toBe(rpcBlock(7).hash);
    expect(node.count('eth_getBlockByNumber')).toBe(1);
  });
});

describe('the hash of a height for whoever decides on a payment', () => {
  test('is what two say, and null while they disagree, without a line in the log', async () => {
    const { chain } = await chainOf([live(), renamed(7)]);
    expect(await chain.lookUpHash(8)).toBe(rpcBlock(8).hash);
    expect(await chain.lookUpHash(7)).toBeNull();
    expect(stage.log.lines).toStrictEqual([]);
  });

  test('is refused where the second one fails, which goes on answering the watcher', async () => {
    let away = true;
    const { chain, providers } = await chainOf([
      live(),
      (...asked) => (away ? status(503)(...asked) : live()(...asked)),
    ]);
    expect((await refusalOf(chain.lookUpHash(7))).code).toBe('provider_unavailable');
    away = false;
    expect(await chain.agreedHash(7)).toBe(rpcBlock(7).hash);
    expect(providers[1]?.count('eth_getBlockByNumber')).toBeGreaterThan(0);
  });
});

describe('receipts and logs', () => {
  const log = {
    address: CONTRACT.toLowerCase(),
    topics: [TRANSFER_TOPIC, addressTopic(PAYER), addressTopic(MERCHANT)],
    data: `0x${'5'.padStart(64, '0')}`,
    logIndex: '0x4',
    transactionHash: TX_HASH,
    blockNumber: '0x7',
    blockHash: rpcBlock(7).hash,
  };
  const receipt = {
    transactionHash: TX_HASH,
    status: '0x1',
    blockNumber: '0x7',
    blockHash: log.blockHash,
    logs: [log],
  };
  const paid = except(
    'eth_getLogs',
    (_method, params) => {
      const { fromBlock = '0x7', toBlock = '0x7' } = params[0] as { fromBlock?: string; toBlock?: string };
      return { result: Number(fromBlock) <= 7 && Number(toBlock) >= 7 ? [log] : [] };
    },
    liveExcept('eth_getTransactionReceipt', () => ({ result: receipt })),
  );
  const silent = live();

  test('a receipt that one alone has is no receipt', async () => {
    const { chain } = await chainOf([paid, silent]);
    expect((await refusalOf(chain.receipt(TX_HASH))).code).toBe('provider_response_invalid');
  });

  test('the second receipt is another host’s', async () => {
    const { chain, providers } = await chainOf([paid, paid, paid]);
    expect(await chain.secondReceipt(TX_HASH)).toMatchObject({ succeeded: true, blockHash: log.blockHash });
    expect(providers.map(one => one.count('eth_getTransactionReceipt'))).toEqual([0, 1, 0]);
  });

  test('the second receipt is never the preferred one’s, even where the others fail', async () => {
    const { chain, providers } = await chainOf([paid, status(503)]);
    expect((await refusalOf(chain.secondReceipt(TX_HASH))).code).toBe('provider_unavailable');
    expect(providers[0]?.asked).toEqual([]);
  });

  test('the second receipt is the only one’s where one is configured', async () => {
    const { chain } = await chainOf([paid]);
    expect(await chain.secondReceipt(TX_HASH)).toEqual(await chain.receipt(TX_HASH));
  });

  test.each([
    ['block', (chain: EvmChain) => chain.transfersInBlock(log.blockHash, CONTRACT, [MERCHANT])],
    ['range', (chain: EvmChain) => chain.transfersInRange(1, 8, CONTRACT, [MERCHANT])],
  ])('of a %s, two against one decide; one against one decides nothing', async (_name, read) => {
    const three = await chainOf([silent, paid, paid]);
    expect(await read(three.chain)).toMatchObject({ transfers: [{ txHash: TX_HASH, valueBaseUnits: 5n }], unread: [] });
    const forged = await chainOf([paid, silent, silent]);
    expect(await read(forged.chain)).toMatchObject({ transfers: [], unread: [] });
    const two = await chainOf([silent, paid]);
    expect(await read(two.chain)).toMatchObject({
      transfers: [],
      unread: [{ number: 7, hash: log.blockHash, reason: 'disputed', txHash: TX_HASH }],
    });
  });
});

describe('lag', () => {
  test('a provider more than 20 blocks behind is not asked until it has caught up', async () => {
    let height = 79;
    const { chain, providers } = await chainOf([live(() => height), live()]);
    const [first] = providers as [ScriptedProvider, ScriptedProvider];
    expect((await chain.head()).number).toBe(100);
    const asked = first.asked.length;
    expect((await chain.blockAt(7))?.hash).toBe(rpcBlock(7).hash);
    expect(await chain.agreedHash(7)).toBeNull();
    expect(first.asked).toHaveLength(asked);
    expect(stage.log.said('chain provider lags behind the others')).toMatchObject([
      { provider: hostOf(first), height: 79, others_at: 100 },
    ]);
    height = 100;
    stage.clock.timeMs += 10 * SECOND_MS;
    await chain.head();
    expect(stage.log.said('chain provider has caught up')).toHaveLength(1);
    expect(await chain.agreedHash(7)).toBe(rpcBlock(7).hash);
  });

  test('one of two that runs ahead puts nobody out whose newest block is new, and sets no head', async () => {
    const now = stage.clock.now() / SECOND_MS;
    const { chain } = await chainOf([live(() => 1_000_000, now - 1), live(() => 100, now - 1)]);
    expect((await chain.head()).number).toBe(100);
    expect(await chain.agreedHash(7)).toBe(rpcBlock(7).hash);
    expect(stage.log.said('chain provider lags behind the others')).toEqual([]);
    stage.clock.timeMs += 30 * SECOND_MS;
    await chain.head();
    expect(stage.log.said('chain provider lags behind the others')).toMatchObject([{ height: 100 }]);
  });

  test('two endpoints of one host that run ahead are one claim', async () => {
    const now = stage.clock.now() / SECOND_MS;
    const [ahead, right] = [
      await stage.provider(live(() => 1_000_000, now)),
      await stage.provider(live(() => 100, now)),
    ];
    const urls = [ahead.url, `${ahead.url}-too`, right.url];
    const { clock, log } = stage;
    const chain = new EvmChain({ network: 'bnb', mode: 'live', urls, clock, log });
    expect((await chain.head()).number).toBe(100);
    expect(log.said('chain provider lags behind the others')).toEqual([]);
  });

  test('one of three that runs ahead puts nobody out, and sets no head', async () => {
    const { chain } = await chainOf([live(() => 1_000_000), live(), live(() => 99)]);
    expect((await chain.head()).number).toBe(100);
    expect(stage.log.said('chain provider lags behind the others')).toEqual([]);
  });
});

test('20 blocks behind is not far', async () => {
  const { chain, providers } = await chainOf([live(() => 80), live()]);
  expect((await chain.head()).number).toBe(80);
  await chain.blockAt(7);
  expect(providers[0]?.asked.at(-1)).toMatchObject({ method: 'eth_getBlockByNumber', params: ['0x7', false] });
});

describe('the head', () => {
  test('is the block that two have reached', async () => {
    const { chain } = await chainOf([live(() => 103), live(() => 101)]);
    expect(await chain.head()).toMatchObject({ number: 101, hash: rpcBlock(101).hash });
  });

  test('is below a fork that the providers disagree on', async () => {
    const forked = liveExcept('eth_getBlockByNumber', (method, params, response) =>
      ['latest', '0x64'].includes(params[0] as string)
        ? { result: { ...rpcBlock(100), hash: OTHER_HASH } }
        : live()(method, params, response),
    );
    const { chain } = await chainOf([forked, live()]);
    expect((await chain.head()).number).toBe(99);
  });

  const retold = (fields: object): Behaviour =>
    liveExcept('eth_getBlockByNumber', (method, params, response) =>
      ['latest', '0x64'].includes(params[0] as string)
        ? { result: { ...rpcBlock(100), ...fields } }
        : live()(method, params, response),
    );

  test.each([
    ['time', { timestamp: '0x66000000' }],
    ['parent', { parentHash: OTHER_HASH }],
  ])('has the %s that two give it, whoever is asked first', async (_name, fields) => {
    const { number, hash, parentHash } = rpcBlock(100);
    const honestHead = { number: Number(number), hash, parentHash, timeMs: 0x65000000 * SECOND_MS };
    for (const liar of [0, 1, 2]) {
      const three = Array.from({ length: 3 }, (_, place) => (place === liar ? retold(fields) : live()));
      expect(await (await chainOf(three)).chain.head()).toEqual(honestHead);
    }
    const { chain } = await chainOf([retold(fields), live()]);
    expect((await chain.head()).number).toBe(99);
  });

  test('does not go back because a slower one is asked: it waits for that one, and tells after half a minute', async () => {
    let away = false;
    const first: Behaviour = (...asked) => (away ? status(503)(...asked) : honest(105)(...asked));
    const { chain } = await chainOf([first, honest(103)], 'test');
    expect((await chain.head()).number).toBe(105);
    away = true;
    expect((await refusalOf(chain.head())).code).toBe('provider_unavailable');
    stage.clock.timeMs += 30 * SECOND_MS;
    expect((await chain.head()).number).toBe(103);
    expect(stage.log.said('chain head went back')).toMatchObject([{ from: 105, to: 103 }]);
  });

  test('goes back at once where the chain itself does, and tells', async () => {
    let height = 105;
    const { chain } = await chainOf([(...asked) => honest(height)(...asked)], 'test');
    await chain.head();
    height = 104;
    expect((await chain.head()).number).toBe(104);
    expect(stage.log.said('chain head went back')).toMatchObject([{ from: 105, to: 104 }]);
  });

  test('of a slower one does not count while a faster one is there', async () => {
    let height = 105;
    const { chain } = await chainOf([(...asked) => honest(height)(...asked), honest(106)], 'test');
    await chain.head();
    height = 104;
    expect((await chain.head()).number).toBe(106);
  });
});

describe('one of two away for long', () => {
  test('transfers are still seen, nothing becomes final, and the log says so', async () => {
    let away = false;
    let height = 100;
    const { chain } = await chainOf([
      live(() => height),
      (...asked) => (away ? status(503)(...asked) : live(() => height)(...asked)),
    ]);
    expect((await chain.head()).number).toBe(100);
    expect(await chain.finalizedHeight()).toBe(98);
    away = true;
    height = 110;
    expect((await refusalOf(chain.head())).code).toBe('provider_unavailable');
    stage.clock.timeMs += MINUTE_MS;
    expect((await chain.head()).number).toBe(110);
    expect((await chain.transfersInBlock(rpcBlock(110).hash, CONTRACT, [MERCHANT])).transfers).toEqual([]);
    // Coverage would go by that reading once the other is back.
    const range = chain.transfersInRange(98, 98, CONTRACT, [MERCHANT]);
    expect((await refusalOf(range)).message).toContain('2 providers of');
    expect(await chain.finalizedHeight()).toBe(98);
    expect(await chain.agreedHash(7)).toBeNull();
    expect((await refusalOf(chain.receipt(TX_HASH))).code).toBe('provider_unavailable');
    expect(stage.log.said('too few chain providers: transfers are seen, none is confirmed')).toHaveLength(1);
    away = false;
    stage.clock.timeMs += MINUTE_MS;
    await chain.head();
    expect(await chain.finalizedHeight()).toBe(108);
    expect(await chain.agreedHash(7)).toBe(rpcBlock(7).hash);
  });

  test('is asked now and then, not at every question', async () => {
    const { chain, providers } = await chainOf([live(), status(503)]);
    await refusalOf(chain.head());
    stage.clock.timeMs += 10 * MINUTE_MS;
    await chain.head();
    const asked = providers[1]?.asked.length;
    for (let height = 1; height <= 10; height++) await chain.blockAt(height);
    await chain.head();
    expect(providers[1]?.asked).toHaveLength(asked ?? 0);
  });
});

describe('one that has had too many requests', () => {
  const limited = (headers: Readonly<Record<string, string>>, code = 429): Behaviour => {
    return (_method, _params, response) => {
      response.writeHead(code, headers).end();
      return 'written';
    };
  };
  const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';

  test.each<[string, Behaviour, number]>([
    ['for as many seconds as it says', limited({ 'retry-after': '12' }), 12],
    ['until the time that it says, by its own clock', limited({ 'retry-after': 'Wed, 21 Oct 2026 07:28:12 GMT', date: DATE }), 12],
    ['for a second where it does not say', limited({}), 1],
    ['for a second where what it says cannot be read', limited({ 'retry-after': 'later' }), 1],
    ['for a quarter of a minute at most while it is waited for', limited({ 'retry-after': '86400' }), 15],
    ['whatever the status, where it says for how long', limited({ 'retry-after': '9' }, 503), 9],
  ])('is asked nothing %s', async (_name, behaviour, seconds) => {
    const { chain, providers } = await chainOf([live(), behaviour]);
    await refusalOf(chain.head());
    const busy = providers[1] as ScriptedProvider;
    const { length } = busy.asked;
    for (const passed of [0, seconds - 1]) {
      stage.clock.timeMs += passed * SECOND_MS;
      expect((await refusalOf(chain.head())).code).toBe('provider_unavailable');
      expect(await chain.agreedHash(7)).toBeNull();
    }
    expect(busy.asked).toHaveLength(length);
    stage.clock.timeMs += SECOND_MS;
    await refusalOf(chain.head());
    expect(busy.asked.length).toBeGreaterThan(length);
  }); // prettier-ignore

  test('is asked nothing for five minutes at most once nobody waits for it', async () => {
    const { chain, providers } = await chainOf([live(), limited({ 'retry-after': '86400' })]);
    const busy = providers[1] as ScriptedProvider;
    await refusalOf(chain.head());
    stage.clock.timeMs += MINUTE_MS;
    expect((await chain.head()).number).toBe(100);
    const { length } = busy.asked;
    for (const [passed, asked] of [[5 * MINUTE_MS - SECOND_MS, length], [10 * SECOND_MS, length + 1]] as const) {
      stage.clock.timeMs += passed;
      expect((await chain.head()).number).toBe(100);
      expect(busy.asked).toHaveLength(asked);
    }
  }); // prettier-ignore

  test('is asked nothing though there is no other', async () => {
    const { chain, providers } = await chainOf([limited({ 'retry-after': '60' })]);
    for (let n = 0; n < 3; n++) expect((await refusalOf(chain.head())).code).toBe('provider_unavailable');
    expect(providers[0]?.asked).toHaveLength(1);
  });

  test('leaves the other no word of its own before it has been away for long', async () => {
    let isLimited = false;
    const byTurns: Behaviour = (...asked) => (isLimited ? limited({ 'retry-after': '300' }) : live())(...asked);
    const { chain } = await chainOf([live(), byTurns]);
    await chain.head();
    isLimited = true;
    await refusalOf(chain.head());
    stage.clock.timeMs += MINUTE_MS - SECOND_MS;
    expect((await refusalOf(chain.blockAt(7))).code).toBe('provider_unavailable');
    stage.clock.timeMs += SECOND_MS;
    expect((await chain.blockAt(7))?.number).toBe(7);
    expect(await chain.agreedHash(7)).toBeNull();
  });
});

test('one network’s trouble is not another’s', async () => {
  const broken = await chainOf([status(503)], 'test');
  await refusalOf(broken.chain.head());
  const { chain, providers } = await chainOf([honest(100), honest(100)], 'test');
  await chain.head();
  expect(await chain.agreedHash(7)).toBe(rpcBlock(7).hash);
  expect(stage.log.said('chain provider failed')).toHaveLength(1);
  expect(providers[0]?.count('eth_getBlockByNumber')).toBeGreaterThan(0);
});
