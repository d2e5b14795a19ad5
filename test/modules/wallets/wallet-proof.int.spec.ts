import { MINUTE_MS } from '../../../src/kernel/clock';
import type { Mode } from '../../../src/vocabulary/modes';
import {
  AskMicroDeposit,
  AskMicroDepositHandler,
} from '../../../src/modules/wallets/commands/ask-micro-deposit.command';
import {
  IssueWalletChallenge,
  IssueWalletChallengeHandler,
} from '../../../src/modules/wallets/commands/issue-wallet-challenge.command';
import { RecoveredSignatures } from '../../../src/modules/wallets/message-signatures';
import { microDeposits, type MicroDepositCommand } from '../../../src/modules/wallets/micro-deposit.decider';
import { GetWalletProof, GetWalletProofHandler } from '../../../src/modules/wallets/queries/get-wallet-proof.query';
import { wallets } from '../../../src/modules/wallets/wallet.decider';
import { IdentityFixture, MERCHANT, OTHER_MERCHANT } from '../merchants/identity-fixture';

const WALLET = 'wal_00000000000000000000000001';
const SAME_ADDRESS = 'wal_00000000000000000000000002';
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TO = '0x000000000000000000000000000000000000dEaD';

describe('the proof that a wallet owes', () => {
  let fixture: IdentityFixture;
  const signatures = new RecoveredSignatures({ base: () => null });
  const addresses = { addressOf: (mode: Mode) => (mode === 'test' ? TO : null) };

  beforeEach(async () => {
    fixture = new IdentityFixture();
    await register(WALLET, 'test');
  });

  async function register(id: string, mode: Mode) {
    const registration = { network_id: 'base', address: ADDRESS, label: 'Till', controls_private_key: true } as const;
    await fixture.writePath.execute(wallets, id, { type: 'register', registration }, fixture.context(mode));
  }

  /** The merchant's clock is an hour ahead of the wall's. */
  function proof(id = WALLET, merchantId = MERCHANT, mode: Mode = 'test') {
    const clock = {
      now: () => fixture.now(),
      wait: () => Promise.resolve(),
      merchantNow: () => Promise.resolve(fixture.now() + 60 * MINUTE_MS),
      merchantTimeAt: () => Promise.resolve(0),
      merchantTimesAt: () => Promise.resolve(new Map<string, number>()),
    };
    const handler = new GetWalletProofHandler(fixture.writePath, clock, signatures, addresses);
    return handler.execute(new GetWalletProof(id, merchantId, mode));
  }

  const askDeposit = (id = WALLET) =>
    new AskMicroDepositHandler(fixture.writePath, fixture, fixture, addresses).execute(
      new AskMicroDeposit(id, fixture.context('test')),
    );
  const run = (depositId: string, command: MicroDepositCommand) =>
    fixture.writePath.execute(microDeposits, depositId, command, fixture.context('test'));
  const see = (depositId: string) => {
    const block = { block_number: 9, block_hash: '0xb1', block_time: '2026-11-01T12:00:00.000Z' };
    const deposit = { tx_hash: '0x7a', ordinal: 0, ...block };
    return run(depositId, { type: 'see', deposit, to: TO, sentAtMs: fixture.now() });
  };

  it('names the methods that are checked on its network, and nothing that was not asked for', async () => {
    const methods = ['signed_message', 'micro_deposit'];
    expect(await proof()).toStrictEqual({ methods, asked: null, signature: null, deposit: null });
    await register(WALLET, 'live');
    expect(await proof(WALLET, MERCHANT, 'live')).toMatchObject({ methods: ['signed_message'] });
  });

  it.each([
    ['another merchant', OTHER_MERCHANT, 'test'],
    ['the other mode', MERCHANT, 'live'],
  ] as const)('is not told to %s', async (_, merchantId, mode) => {
    await expect(proof(WALLET, merchantId, mode)).rejects.toMatchObject({ code: 'wallet_not_found' });
  });

  it('has a text that lapses by the merchant’s clock', async () => {
    const issue = (now: number) => {
      const context = { ...fixture.context('test'), now };
      const handler = new IssueWalletChallengeHandler(fixture.writePath, fixture, signatures, 'pay.example');
      return handler.execute(new IssueWalletChallenge(WALLET, context));
    };
    await issue(fixture.now());
    expect(await proof()).toMatchObject({ asked: 'signed_message', signature: { lapsed: true } });
    const { challenge } = await issue(fixture.now() + 60 * MINUTE_MS);
    expect(await proof()).toMatchObject({ signature: { challenge, lapsed: false } });
  });

  it('has a deposit that lapses by the wall’s clock', async () => {
    const { amount_base_units } = await askDeposit();
    expect(await proof()).toMatchObject({
      deposit: { address: TO, amount_base_units, status: 'open', transfer: null },
    });
    fixture.nowMs += 30 * MINUTE_MS;
    expect(await proof()).toMatchObject({ asked: 'micro_deposit', deposit: { status: 'lapsed' } });
  });

  it('has the deposit that was seen, though another one was asked for since', async () => {
    const { deposit_id } = await askDeposit();
    fixture.nowMs += 20 * MINUTE_MS;
    await askDeposit();
    await see(deposit_id);
    const transfer = { tx_hash: '0x7a', block_number: 9 };
    expect(await proof()).toMatchObject({ deposit: { status: 'seen', transfer, dropped: null } });
    await run(deposit_id, { type: 'drop', blockHash: '0xb1', reason: 'reverted' });
    expect(await proof()).toMatchObject({ deposit: { status: 'open', transfer: null, dropped: null } });
  });

  it('tells why the deposit that was seen does not count', async () => {
    const { deposit_id } = await askDeposit();
    await see(deposit_id);
    await run(deposit_id, { type: 'drop', blockHash: '0xb1', reason: 'reverted' });
    expect(await proof()).toMatchObject({ deposit: { status: 'open', transfer: null, dropped: 'reverted' } });
  });

  it('has no deposit once its amount has gone to another wallet’s request', async () => {
    const { deposit_id, token_id, amount_base_units } = await askDeposit();
    fixture.nowMs += 40 * MINUTE_MS;
    const terms = { network_id: 'base', from: ADDRESS, to: TO, token_id, amount_base_units } as const;
    await run(deposit_id, { type: 'reserve', request: { wallet_id: SAME_ADDRESS, ...terms } });
    await see(deposit_id);
    expect(await proof()).toMatchObject({ asked: 'micro_deposit', deposit: null });
  });

  it('is null once the wallet is verified', async () => {
    const { deposit_id: depositId } = await askDeposit();
    const credit = { type: 'credit_deposit', depositId } as const;
    await fixture.writePath.execute(wallets, WALLET, credit, fixture.context('test'));
    expect(await proof()).toBeNull();
  });
});
