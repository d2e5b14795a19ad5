import { verifyMessage, Wallet } from 'ethers';
import { walletsProjection } from '../../../projections/wallets.projection';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { isoTime } from '../../../src/kernel/clock';
import type { Mode } from '../../../src/vocabulary/modes';
import { START_OF_LOG } from '../../../src/kernel/ports/event-store';
import { TOKENS } from '../../../src/vocabulary/tokens';
import {
  AskMicroDeposit,
  AskMicroDepositHandler,
} from '../../../src/modules/wallets/commands/ask-micro-deposit.command';
import {
  AwaitMicroDeposit,
  AwaitMicroDepositHandler,
} from '../../../src/modules/wallets/commands/await-micro-deposit.command';
import { ChangeWallet, ChangeWalletHandler } from '../../../src/modules/wallets/commands/change-wallet.command';
import {
  IssueWalletChallenge,
  IssueWalletChallengeHandler,
} from '../../../src/modules/wallets/commands/issue-wallet-challenge.command';
import { RegisterWallet, RegisterWalletHandler } from '../../../src/modules/wallets/commands/register-wallet.command';
import {
  VerifyWallet,
  VerifyWalletHandler,
  type SignedProof,
} from '../../../src/modules/wallets/commands/verify-wallet.command';
import exchangeHostedRows from '../../../src/modules/wallets/exchange-hosted-addresses.json';
import { ExchangeHostedAddresses } from '../../../src/modules/wallets/exchange-hosted';
import { exchangeWalletId, exchangeWallets } from '../../../src/modules/wallets/exchange-wallet.decider';
import { RecoveredSignatures } from '../../../src/modules/wallets/message-signatures';
import { wallets } from '../../../src/modules/wallets/wallet.decider';
import { walletsReadModel } from '../../../src/modules/wallets/wallets.read-model';
import type { WalletTerms } from '../../../src/modules/wallets/wallet-registration';
import { getOwn } from '../../../src/platform/http/lists';
import { presentWallet } from '../../../src/modules/wallets/api/wallet.presenter';
import { IdentityFixture, MERCHANT, NOON, OTHER_MERCHANT } from '../merchants/identity-fixture';

const owner = new Wallet(`0x${'11'.repeat(32)}`);
const VERIFICATION_ADDRESS = '0x000000000000000000000000000000000000dEaD';
const stranger = new Wallet(`0x${'22'.repeat(32)}`);
const hosted = ExchangeHostedAddresses.from(exchangeHostedRows);

function recoverSigner(message: string, signature: string): string | null {
  try {
    return verifyMessage(message, signature).toLowerCase();
  } catch {
    return null;
  }
}
const signatures = new RecoveredSignatures({ bnb: recoverSigner, base: recoverSigner });

describe('wallets', () => {
  let fixture: IdentityFixture;

  beforeEach(() => {
    fixture = new IdentityFixture();
  });

  function register(terms: Partial<WalletTerms> = {}, context: MerchantContext = fixture.context('test')) {
    const all = { networkId: 'base', address: owner.address, label: 'Till', controlsPrivateKey: true, ...terms };
    return new RegisterWalletHandler(fixture.writePath, hosted, fixture).execute(new RegisterWallet(all, context));
  }

  function challenge(id: string, context: MerchantContext = fixture.context('test')) {
    const handler = new IssueWalletChallengeHandler(fixture.writePath, fixture, signatures, 'pay.example');
    return handler.execute(new IssueWalletChallenge(id, context));
  }

  function askDeposit(id: string, context: MerchantContext = fixture.context('test')) {
    const addresses = { addressOf: (_: Mode, network: string) => (network === 'base' ? VERIFICATION_ADDRESS : null) };
    const handler = new AskMicroDepositHandler(fixture.writePath, fixture, fixture, addresses);
    return handler.execute(new AskMicroDeposit(id, context));
  }

  function awaitDeposit(id: string, context: MerchantContext = fixture.context('test')) {
    return new AwaitMicroDepositHandler(fixture.writePath, fixture, fixture).execute(
      new AwaitMicroDeposit(id, context),
    );
  }

  function verify(id: string, proof: Partial<SignedProof>, context: MerchantContext = fixture.context('test')) {
    const whole = { signature: null, challenge: null, ...proof };
    return new VerifyWalletHandler(fixture.writePath, signatures, fixture).execute(
      new VerifyWallet(id, whole, context),
    );
  }

  function get(id: string, mode: Mode = 'test', merchantId = MERCHANT) {
    const named = { prefix: 'wal', id, notFound: 'wallet_not_found' } as const;
    return getOwn(fixture, walletsReadModel, { merchantId, mode }, named);
  }

  it('registers a pending wallet, with the address as it is stored', async () => {
    const id = await register({ address: owner.address.toLowerCase() });
    expect(presentWallet(await get(id))).toEqual({
      id,
      object: 'wallet',
      mode: 'test',
      network_id: 'base',
      address: owner.address,
      label: 'Till',
      controls_private_key: true,
      dedicated: false,
      status: 'pending',
      verification: null,
      created: '2026-11-01T12:00:00.000Z',
    });
  });

  it('is not dedicated until its own merchant says so, and can be given another label', async () => {
    const id = await register();
    const change = (details: ChangeWallet['details'], merchantId = MERCHANT) =>
      new ChangeWalletHandler(fixture.writePath).execute(
        new ChangeWallet(id, details, { ...fixture.context('test'), merchantId }),
      );
    await change({ dedicated: true });
    await change({ label: 'Web shop' });
    expect(presentWallet(await get(id))).toMatchObject({ label: 'Web shop', dedicated: true, status: 'pending' });
    await expect(change({ dedicated: false }, OTHER_MERCHANT)).rejects.toMatchObject({ code: 'wallet_not_found' });
    expect((await get(id)).body.dedicated).toBe(true);
  });

  it('takes an address once per merchant, network and mode, however it is written', async () => {
    const id = await register();
    await expect(register({ address: owner.address.toLowerCase() })).rejects.toMatchObject({
      code: 'duplicate_wallet',
    });
    const others = [
      await register({ networkId: 'bnb' }),
      await register({}, fixture.context('live')),
      await register({}, fixture.context('test', OTHER_MERCHANT)),
    ];
    expect(new Set([id, ...others]).size).toBe(4);
  });

  it('answers a command that is run again as before', async () => {
    const context = fixture.context('test');
    expect(await register({}, context)).toBe(await register({}, context));
  });

  it('registers one of many at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => register()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it.each<[string, string, Partial<WalletTerms>]>([
    ['parameter_invalid', 'label', { label: ' ' }],
    ['parameter_invalid', 'label', { label: 'l'.repeat(101) }],
    ['unsupported_network', 'network_id', { networkId: 'ethereum' }],
    ['invalid_address', 'address', { address: `${owner.address}0` }],
    ['invalid_address', 'address', { networkId: 'tron' }],
    ['invalid_address', 'address', { address: TOKENS['usdc-base'].contract.test }],
    ['exchange_hosted_wallet', 'controls_private_key', { controlsPrivateKey: false }],
    ['wallet_exchange_hosted', 'address', { address: exchangeHostedRows[0]?.address ?? '' }],
    ['invalid_address', 'address', { address: 'nothing', controlsPrivateKey: false }],
  ])('refuses %s of %s for %j and writes nothing', async (code, param, terms) => {
    await expect(register(terms)).rejects.toMatchObject({ code, param });
    expect(await fixture.store.lastPosition()).toBe(-1);
  });

  it('is verified by the signature of its address under the challenge', async () => {
    const id = await register();
    const { challenge: message } = await challenge(id);
    await verify(id, { signature: await owner.signMessage(message), challenge: message });
    const { body } = await get(id);
    expect(body).toMatchObject({
      status: 'verified',
      verification: { method: 'signed_message', verified_at: '2026-11-01T12:00:00.000Z' },
    });
  });

  it('needs neither the challenge returned nor a second proof for the same command', async () => {
    const id = await register();
    const { challenge: message } = await challenge(id);
    const signature = await owner.signMessage(message);
    const context = fixture.context('test');
    await verify(id, { signature }, context);
    await verify(id, { signature }, context);
    await expect(verify(id, { signature })).rejects.toMatchObject({ code: 'invalid_state_transition' });
    expect(await fixture.eventTypes('test', 'wallet', id)).toEqual([
      'WalletRegistered',
      'WalletChallengeIssued',
      'WalletVerified',
    ]);
  });

  describe('whose document cannot be put', () => {
    /** The addresses at which the network's watcher looks. */
    async function watched(): Promise<readonly string[]> {
      const equals = { mode: 'test', network_id: 'base', status: 'verified' };
      const listed = await fixture.list(walletsProjection, { index: 'by_network', equals, limit: 10 });
      return listed.map(({ id }) => id);
    }

    async function signed(id: string): Promise<Partial<SignedProof>> {
      return { signature: await owner.signMessage((await challenge(id)).challenge) };
    }

    it('is answered as verified only once its watcher finds it', async () => {
      const id = await register();
      const proof = await signed(id);
      let puts = 0;
      fixture.mirrors = () => (puts += 1) > 1;
      await verify(id, proof);
      expect(await watched()).toStrictEqual([id]);
    });

    it('is not answered as verified before, and is found when the same command comes again', async () => {
      const id = await register();
      const proof = await signed(id);
      const context = fixture.context('test');
      fixture.mirrors = () => false;
      await expect(verify(id, proof, context)).rejects.toMatchObject({ code: 'provider_unavailable' });
      await expect(verify(id, proof, context)).rejects.toMatchObject({ code: 'provider_unavailable' });
      expect(await watched()).toStrictEqual([]);
      fixture.mirrors = () => true;
      await verify(id, proof, context);
      expect(await watched()).toStrictEqual([id]);
    });

    it('is found when somebody asks how its micro-deposit stands', async () => {
      const id = await register();
      const { deposit_id: depositId } = await askDeposit(id);
      fixture.mirrors = () => false;
      await fixture.writePath.execute(wallets, id, { type: 'credit_deposit', depositId }, fixture.context('test'));
      await expect(awaitDeposit(id)).rejects.toMatchObject({ code: 'provider_unavailable' });
      fixture.mirrors = () => true;
      await awaitDeposit(id);
      expect(await watched()).toStrictEqual([id]);
    });
  });

  it('answers the standing challenge when asked again', async () => {
    const id = await register();
    const first = await challenge(id);
    fixture.nowMs += 60_000;
    expect(await challenge(id)).toEqual(first);
  });

  it('is not verified by anything else', async () => {
    const id = await register();
    const { challenge: message } = await challenge(id);
    const good = await owner.signMessage(message);
    const proofs: [string, Partial<SignedProof>][] = [
      ['signature', {}],
      ['signature', { signature: '' }],
      ['signature', { signature: '0x00' }],
      ['signature', { signature: `${good}${'00'.repeat(200)}` }],
      ['signature', { signature: await stranger.signMessage(message) }],
      ['signature', { signature: await owner.signMessage(`${message}\n`) }],
      ['challenge', { signature: good, challenge: `${message}\n` }],
      ['challenge', { signature: good, challenge: message.replaceAll('\n', '\r\n') }],
    ];
    for (const [param, proof] of proofs) {
      await expect(verify(id, proof)).rejects.toMatchObject({ code: 'invalid_challenge_field', param });
    }
    expect((await get(id)).body.status).toBe('pending');
  });

  it('is not verified after the challenge has lapsed, nor before there is one', async () => {
    const id = await register();
    await expect(verify(id, { signature: '0x00' })).rejects.toMatchObject({ code: 'invalid_challenge_field' });
    const { challenge: message } = await challenge(id);
    const signature = await owner.signMessage(message);
    fixture.nowMs = NOON + 30 * 60_000;
    await expect(verify(id, { signature })).rejects.toMatchObject({
      code: 'invalid_challenge_field',
      param: 'challenge',
    });
  });

  it("takes no signature given for another wallet's challenge", async () => {
    const onBase = await register();
    const onBnb = await register({ networkId: 'bnb' });
    const { challenge: message } = await challenge(onBnb);
    await challenge(onBase);
    const signature = await owner.signMessage(message);
    await expect(verify(onBase, { signature })).rejects.toMatchObject({ code: 'invalid_challenge_field' });
  });

  it('says which methods and networks can be verified here', async () => {
    const base = await register();
    const tron = await register({ networkId: 'tron', address: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBe' }).catch(() => null);
    expect(tron).toBeNull();
    const onTron = await register({ networkId: 'tron', address: '41a614f803b6fd780986a42c78ec9c7f77e6ded13d' });
    const unsupported = { code: 'parameter_invalid', param: 'method' };
    const onBnb = await register({ networkId: 'bnb' });
    await expect(askDeposit(base)).resolves.toMatchObject({ address: VERIFICATION_ADDRESS });
    await expect(askDeposit(onBnb)).rejects.toMatchObject({
      ...unsupported,
      message:
        'A wallet on bnb cannot be verified by micro_deposit here. No verification address is configured for it.',
    });
    await expect(challenge(onTron)).rejects.toMatchObject({
      ...unsupported,
      message: 'A wallet on tron cannot be verified by signed_message here. Signatures are checked on bnb, base.',
    });
  });

  it('asks for an exact small amount, again for the same while there is time, and for another later', async () => {
    const id = await register();
    const asked = await askDeposit(id);
    expect(asked).toStrictEqual({
      method: 'micro_deposit',
      deposit_id: `base:${owner.address}:usdc-base:${asked.amount_base_units}`,
      address: VERIFICATION_ADDRESS,
      token_id: 'usdc-base',
      amount_base_units: expect.stringMatching(/^[1-9]\d{3}$/) as string,
      expires_at: isoTime(NOON + 30 * 60_000),
    });
    expect(Number(asked.amount_base_units)).toBeGreaterThanOrEqual(1_001);
    fixture.nowMs += 15 * 60_000;
    expect(await askDeposit(id)).toStrictEqual(asked);
    fixture.nowMs += 1;
    expect(await askDeposit(id)).not.toStrictEqual(asked);
  });

  it('gives two merchants who claim one address different amounts', async () => {
    const theirs = fixture.context('test', OTHER_MERCHANT);
    const mine = await askDeposit(await register());
    const other = await askDeposit(await register({}, theirs), fixture.context('test', OTHER_MERCHANT));
    expect(other.amount_base_units).not.toBe(mine.amount_base_units);
  });

  it('keeps one amount reserved of calls at the same moment', async () => {
    const id = await register();
    const asked = await Promise.all(Array.from({ length: 4 }, () => askDeposit(id)));
    expect(new Set(asked.map(({ deposit_id }) => deposit_id)).size).toBe(1);
    const done = new AbortController();
    const types: string[] = [];
    for await (const { events, live } of fixture.store.subscribe(
      { categories: ['micro_deposit'] },
      START_OF_LOG,
      done.signal,
    )) {
      types.push(...events.map(({ type }) => type));
      if (live) break;
    }
    const count = (wanted: string) => types.filter(type => type === wanted).length;
    expect(count('MicroDepositReserved')).toBeGreaterThan(1);
    expect(count('MicroDepositReleased')).toBe(count('MicroDepositReserved') - 1);
  });

  it('answers how a micro-deposit stands', async () => {
    const id = await register();
    const unanswerable = { code: 'invalid_challenge_field', param: 'challenge' };
    await expect(awaitDeposit(id)).rejects.toMatchObject(unanswerable);
    await askDeposit(id);
    await expect(awaitDeposit(id)).resolves.toMatchObject([
      { type: 'WalletRegistered' },
      { type: 'WalletDepositAsked' },
    ]);
    fixture.nowMs += 30 * 60_000;
    await expect(awaitDeposit(id)).rejects.toMatchObject(unanswerable);
  });

  it('is not registered at an address that is listed as an exchange’s, while the row is active', async () => {
    const listing = {
      network_id: 'base',
      address: owner.address,
      entity: 'Example exchange',
      role: 'hot',
      source: 'a test',
      source_ref: null,
      added_at: '2026-10-01T00:00:00.000Z',
      confidence: 'high',
      active: true,
    } as const;
    const list = (active: boolean) =>
      fixture.writePath.execute(
        exchangeWallets,
        exchangeWalletId('base', owner.address),
        { type: 'list', listing: { ...listing, active } },
        fixture.context('platform', null),
      );
    await list(true);
    const refused = { code: 'wallet_exchange_hosted', param: 'address' };
    await expect(register({ address: owner.address.toLowerCase() })).rejects.toMatchObject(refused);
    await expect(register({}, fixture.context('live'))).rejects.toMatchObject(refused);
    await register({ networkId: 'bnb' });
    await list(false);
    await register();
  });

  it("hides a wallet from other merchants and from the other mode, as if it didn't exist", async () => {
    const id = await register();
    const { challenge: message } = await challenge(id);
    const signature = await owner.signMessage(message);
    const foreign = fixture.context('test', OTHER_MERCHANT);
    const otherMode = fixture.context('live');
    for (const attempt of [
      () => challenge(id, foreign),
      () => challenge(id, otherMode),
      () => askDeposit(id, foreign),
      () => awaitDeposit(id, foreign),
      () => verify(id, { signature }, foreign),
      () => verify(id, { signature }, otherMode),
      () => get(id, 'test', OTHER_MERCHANT),
      () => get(id, 'live'),
      () => get('wal_unknown'),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'wallet_not_found' });
    }
  });
});

describe('the list of exchange-hosted addresses', () => {
  const row = { mode: 'live', network_id: 'base', address: owner.address, exchange: 'Example' };

  it('knows an address by network and mode', () => {
    const list = ExchangeHostedAddresses.from([{ ...row, address: owner.address.toLowerCase() }]);
    expect(list.has('live', 'base', owner.address)).toBe(true);
    expect(list.has('test', 'base', owner.address)).toBe(false);
    expect(list.has('live', 'bnb', owner.address)).toBe(false);
  });

  it.each([
    ['not a list', {}],
    ['an unknown network', [{ ...row, network_id: 'ethereum' }]],
    ['a field too many', [{ ...row, note: '' }]],
    ['a mistyped address', [row, { ...row, address: '0x12' }]],
  ])('is refused for %s', (_, rows) => {
    expect(() => ExchangeHostedAddresses.from(rows)).toThrow('list of exchange-hosted addresses is invalid');
  });
});
