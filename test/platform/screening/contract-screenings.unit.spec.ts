import { refuse } from '../../../src/vocabulary/errors';
import type { ContractReader } from '../../../src/kernel/ports/contract-reader';
import type { ScreenedTransfer } from '../../../src/kernel/ports/screening';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { IssuerFreeze } from '../../../src/platform/screening/issuer-freeze';
import { SanctionsOracle } from '../../../src/platform/screening/sanctions-oracle';

const NO = `0x${'0'.repeat(64)}`;
const YES = `0x${'0'.repeat(63)}1`;
const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TRON_PAYER = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const TRON_WALLET = 'TJEKE5XhMTeDm9mR6sd7tiYwL53txK11S9';

const wordOf = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0');
const PAYER_WORD = wordOf(PAYER);
const WALLET_WORD = wordOf(WALLET);
/** The 20 bytes of TRON_PAYER. */
const TRON_PAYER_WORD = 'a614f803b6fd780986a42c78ec9c7f77e6ded13c'.padStart(64, '0');

const onBase: ScreenedTransfer = { mode: 'live', network: 'base', payer: PAYER, recipient: WALLET };
const onTron: ScreenedTransfer = { mode: 'live', network: 'tron', payer: TRON_PAYER, recipient: TRON_WALLET };

type Call = { readonly address: string; readonly data: string };

function chain(answer: string | null | ((call: Call) => string | null)) {
  const calls: Call[] = [];
  const reader: ContractReader = {
    readContract: (address, data) => {
      calls.push({ address, data });
      return Promise.resolve(typeof answer === 'function' ? answer({ address, data }) : answer);
    },
  };
  return { calls, contractsOf: () => reader };
}

describe('the oracle', () => {
  test.each([
    ['base', '0x3A91A31cB3dC49b4db9Ce721F50a9D076c8D739B'],
    ['bnb', '0x40C57923924B5c5c5455c48D93317139ADDaC8fb'],
  ] as const)('on %s is asked for the payer', async (network, oracle) => {
    const { calls, contractsOf } = chain(NO);
    const screening = new SanctionsOracle(contractsOf);
    const clear = { verdict: 'clear', source: 'sanctions-oracle', reference: null };
    expect(await screening.screen({ ...onBase, network })).toEqual(clear);
    expect(calls).toEqual([{ address: oracle, data: `0xdf592f7d${PAYER_WORD}` }]);
    expect(await new SanctionsOracle(chain(YES).contractsOf).screen({ ...onBase, network })).toEqual({
      verdict: 'high_risk',
      source: 'sanctions-oracle',
      reference: oracle,
    });
  });

  test('has a say on the live networks that it stands on', () => {
    const oracle = new SanctionsOracle(() => null);
    const covered = (['live', 'test'] as const).flatMap(mode =>
      (['bnb', 'base', 'tron'] as const).filter(network => oracle.covers(mode, network)).map(each => `${mode} ${each}`),
    );
    expect(covered).toEqual(['live bnb', 'live base']);
  });
});

describe('the issuer', () => {
  test('of USDC on Base is asked for the payer and the merchant’s wallet', async () => {
    const { calls, contractsOf } = chain(NO);
    const clear = { verdict: 'clear', source: 'issuer-freeze', reference: null };
    expect(await new IssuerFreeze(contractsOf).screen(onBase)).toEqual(clear);
    const address = TOKENS['usdc-base'].contract.live;
    expect(calls).toEqual([
      { address, data: `0xfe575a87${PAYER_WORD}` },
      { address, data: `0xfe575a87${WALLET_WORD}` },
    ]);
  });

  test('of USDT on TRON is asked by the twenty bytes of a base58 address, in the mode’s own contract', async () => {
    const { calls, contractsOf } = chain(NO);
    await new IssuerFreeze(contractsOf).screen({ ...onTron, mode: 'test' });
    const address = TOKENS['usdt-tron'].contract.test;
    expect(calls[0]).toEqual({ address, data: `0xe47d6060${TRON_PAYER_WORD}` });
    expect(calls).toHaveLength(2);
  });

  test.each([
    [PAYER_WORD, 'frozen_payer:usdc-base'],
    [WALLET_WORD, 'frozen_recipient:usdc-base'],
  ])('says of %s whom it has frozen', async (frozen, reference) => {
    const { contractsOf } = chain(({ data }) => (data.endsWith(frozen) ? YES : NO));
    const highRisk = { verdict: 'high_risk', source: 'issuer-freeze', reference };
    expect(await new IssuerFreeze(contractsOf).screen(onBase)).toEqual(highRisk);
  });

  test('has a say where a token can be frozen', () => {
    const issuer = new IssuerFreeze(() => null);
    expect((['bnb', 'base', 'tron'] as const).filter(network => issuer.covers('live', network))).toEqual([
      'base',
      'tron',
    ]);
  });
});

describe.each([
  ['the oracle', SanctionsOracle],
  ['the issuer', IssuerFreeze],
] as const)('%s clears nobody', (_, Screening) => {
  test.each<[string, string | null]>([
    ['where no such contract stands', null],
    ['with an empty answer', '0x'],
    ['with half a word', `0x${'0'.repeat(32)}`],
    ['with two words', `${NO}${'0'.repeat(64)}`],
    ['with another number', `0x${'0'.repeat(63)}2`],
  ])('%s', async (__, answer) => {
    await expect(new Screening(chain(answer).contractsOf).screen(onBase)).rejects.toMatchObject({
      code: 'provider_response_invalid',
      message: expect.stringContaining('on base'),
    });
  });

  test('without a provider, and where none answers', async () => {
    await expect(new Screening(() => null).screen(onBase)).rejects.toMatchObject({ code: 'provider_unavailable' });
    const failing: ContractReader = { readContract: () => Promise.reject(refuse('provider_network_mismatch')) };
    await expect(new Screening(() => failing).screen(onBase)).rejects.toMatchObject({
      code: 'provider_network_mismatch',
    });
  });

  test('who has no address of the network', async () => {
    const screening = new Screening(chain(NO).contractsOf);
    await expect(screening.screen({ ...onBase, payer: TRON_PAYER })).rejects.toMatchObject({
      code: 'invalid_sanctions_address',
    });
  });
});
