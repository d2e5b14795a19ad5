import { mirrorWriter } from '../../../projections/runner/read-models';
import { walletsProjection } from '../../../projections/wallets.projection';
import { invariant } from '../../../src/kernel/invariant';
import { WritePath } from '../../../src/kernel/write-path';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import type { Rates } from '../../../src/modules/quotes/rate-book';
import { wallets } from '../../../src/modules/wallets/wallet.decider';
import { MethodSelection } from '../../../src/processes/method-selection/method-selection';
import { SelectionChecks, type PaymentTerms } from '../../../src/processes/method-selection/selection-checks';
import { StoredPaymentTerms } from '../../../src/processes/method-selection/stored-payment-terms';
import type { NetworkWatcher } from '../../../src/watchers/network-watcher';
import { PAYER, PaymentFixture } from '../../support/payment-fixture';
import { termsOf } from '../../support/payment-terms';

const PI = 'pi_00000000000000000000000001';
const UNWATCHED = 'wal_00000000000000000000000001';
const ADDRESS = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const HASH = `0x${'11'.repeat(32)}`;

describe.each(['live', 'test'] as const)('in %s mode, a wallet that is verified and that no watcher finds', mode => {
  let fixture: PaymentFixture;
  let watcher: NetworkWatcher;
  let writes: WritePath;
  let selection: MethodSelection;
  /** No event of wallets reaches a document. */
  let isPutFailing: boolean;

  beforeEach(async () => {
    fixture = new PaymentFixture({ mode, network: 'bnb' });
    const { store, clock, documents, log } = fixture;
    const mirror = mirrorWriter(documents, [walletsProjection], log);
    isPutFailing = false;
    writes = new WritePath(store, clock, async (...written) => {
      if (!isPutFailing) await mirror(...written);
    });
    fixture.mineEmpty(60);
    watcher = await fixture.watcher();
    await watcher.tick();
    const stored = new StoredPaymentTerms(writes, fixture.readModels, {} as Rates, await fixture.frontiers());
    const terms: PaymentTerms = {
      verifiedWallet: (...asked) => stored.verifiedWallet(...asked),
      routesOf: () => Promise.resolve(new Map([[fixture.token.id, UNWATCHED]])),
      sightOf: (...asked) => stored.sightOf(...asked),
      rate: () => ({ rate: '1.08', dollarRate: '1', observations: [] }),
    };
    selection = new MethodSelection(fixture.writes, new SelectionChecks(terms), fixture.reservations);
    const create = { type: 'create', terms: termsOf() } as const;
    await fixture.writes.execute(paymentIntents, PI, create, fixture.context());
    await verifyUnwatched();
  });

  /** The process is killed, or the documents are away, between the event and its document. */
  async function verifyUnwatched(): Promise<void> {
    const registration = { network_id: 'bnb', address: ADDRESS, label: '', controls_private_key: true } as const;
    const issue = { type: 'issue_challenge', domain: 'pay.example', walletId: UNWATCHED, mode, nonce: 'n' } as const;
    await writes.execute(wallets, UNWATCHED, { type: 'register', registration }, fixture.context());
    const { state } = await writes.execute(wallets, UNWATCHED, issue, fixture.context());
    invariant(state.status === 'pending' && state.challenge?.method === 'signed_message', 'a challenge was issued');
    const { challenge } = state.challenge;
    isPutFailing = true;
    await writes.execute(wallets, UNWATCHED, { type: 'verify', challenge }, fixture.context());
  }

  const select = () => {
    const terms = { enabledTokens: [fixture.token.id], stoppedTokens: [], toleranceBps: 0, walletVelocity: null };
    return selection.select(PI, fixture.token.id, UNWATCHED, terms, fixture.context());
  };

  async function pay(): Promise<void> {
    const state = await fixture.payment(PI);
    invariant(state.status === 'awaiting_payment', 'the payment is quoted');
    const valueBaseUnits = BigInt(state.quote.due_base_units);
    const contract = fixture.token.contract[mode];
    fixture.chain.mine({ txHash: HASH, contract, from: PAYER, to: ADDRESS, valueBaseUnits });
    fixture.clock.timeMs += 1_000;
    for (let ticks = 1; ticks <= 60; ticks++) {
      await watcher.tick();
      fixture.mineEmpty(20);
    }
    await watcher.tick();
    await fixture.sweeper().sweep('quote');
  }

  it('is put among the watched ones before a quote is taken on it, so that its payment is seen', async () => {
    isPutFailing = false;
    await select();
    await pay();
    expect((await fixture.payment(PI)).status).toBe('confirmed');
  });

  it('takes no quote while it cannot be put there', async () => {
    await expect(select()).rejects.toMatchObject({ code: 'provider_unavailable' });
    expect(await fixture.eventTypes(PI)).toStrictEqual(['PaymentIntentCreated']);
  });
});
