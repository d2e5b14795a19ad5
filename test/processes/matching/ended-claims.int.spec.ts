import type { MerchantContext } from '../../../src/kernel/command-context';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { transferId, transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import type { TransferEvent } from '../../../src/modules/transfers/transfer.events';
import { InterruptedStore } from './interrupted-store';
import { hash, MatchingFixture, pi } from './matching-fixture';

const KEY = { network: 'base', txHash: hash(1), ordinal: 0 } as const;

let fixture: MatchingFixture;
let store: InterruptedStore;

beforeEach(async () => {
  store = new InterruptedStore();
  fixture = await new MatchingFixture({ store }).start();
  const due = await fixture.payments.quoted(pi(1));
  for (const number of [1, 2]) {
    await fixture.pay(number, due - BigInt(50 * number) * fixture.cent);
    await fixture.name(pi(1), hash(number));
  }
});

function watching(): MerchantContext {
  return { ...fixture.payments.context(), actor: { role: 'watcher', type: 'system', id: 'watcher' } };
}

async function held() {
  const state = await fixture.payments.payment(pi(1));
  if (state.status === 'none' || state.quote === null) throw new Error('not quoted');
  return state.ledger.transfers[transferId(KEY)] ?? null;
}

async function history(): Promise<readonly TransferEvent[]> {
  return (await fixture.payments.writes.load(transfers, 'test', transferStreamId(KEY))).history;
}

/** Takes the transfer off its payment; the process that has done so dies before the claim ends. */
async function drop() {
  const transfer = await held();
  if (transfer === null) throw new Error('not credited');
  const { transfer_id, block_hash } = transfer;
  const gone = {
    type: 'drop_transfer',
    transferId: transfer_id,
    blockHash: block_hash,
    reason: 'reorged_out',
  } as const;
  await fixture.payments.writes.execute(paymentIntents, pi(1), gone, watching());
  return transfer;
}

describe('the claim on a transfer that its payment has dropped', () => {
  it('stands where the payment has it again, and has committed it, since the payment was asked', async () => {
    const { final: _final, sighting: _sighting, ...transfer } = await drop();
    const { writes } = fixture.payments;
    store.meanwhile = {
      type: 'TransferReorgedOut',
      act: async () => {
        await writes.execute(paymentIntents, pi(1), { type: 'see_transfer', transfer }, watching());
        const commit = { type: 'commit', paymentIntent: pi(1), blockHash: transfer.block_hash } as const;
        await writes.execute(transfers, transferStreamId(KEY), commit, watching());
      },
    };
    await fixture.handleAll();
    expect(store.meanwhile).toBeNull();
    expect((await history()).map(({ type }) => type)).not.toContain('TransferReorgedOut');
    expect((await history()).at(-1)).toMatchObject({ type: 'TransferCommitted', data: { payment_intent: pi(1) } });
    expect(await held()).toMatchObject({ block_hash: transfer.block_hash });
  });

  it('ends where nothing of the transfer is recorded since, and the transfer is the payment’s again where it stands', async () => {
    await drop();
    await fixture.handleAll();
    expect((await history()).map(({ type }) => type)).toContain('TransferReorgedOut');
    expect(await held()).toMatchObject({ tx_hash: hash(1) });
  });
});
