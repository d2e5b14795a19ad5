import { paymentIntentsProjection } from '../../../projections/payment-intents.projection';
import type { Projection } from '../../../src/kernel/projection';
import { collectionSpec } from '../../../projections/runner/projection-collection';
import { unmatchedTransfersProjection } from '../../../projections/unmatched-transfers.projection';
import { invariant } from '../../../src/kernel/invariant';
import type { LogPosition } from '../../../src/kernel/log-position';
import { namings } from '../../../src/modules/transfers/naming.decider';
import { hash, MatchingFixture, pi } from './matching-fixture';

const PAYER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const BEHIND = { code: 'provider_unavailable', message: 'The list payment_intents is behind the log.' };
const [VICTIM, THIEF] = [1, 2] as const;

describe('a transaction that is named while a list is behind the log', () => {
  let fixture: MatchingFixture;
  let due: bigint;
  /** Names of projections, and the positions up to which their documents hold the log. */
  let held: Map<string, LogPosition>;

  beforeEach(async () => {
    fixture = await new MatchingFixture().start();
    const { payments } = fixture;
    held = new Map();
    payments.progress = {
      head: () => payments.store.lastPosition(),
      holds: ({ name }, position) => Promise.resolve((held.get(name) ?? position) >= position),
    };
    due = await payments.quoted(pi(VICTIM));
    await payments.quoted(pi(THIEF), '2600');
  });

  /** The runner has not come to the document's event, and the put beside that event failed. */
  async function leaveOut(projection: Projection, id: string): Promise<() => Promise<void>> {
    const collection = await fixture.payments.documents.open(collectionSpec(projection));
    const document = await collection.get(id);
    invariant(document, `${id} has a document`);
    await collection.deleteAt(id, document.version);
    held.set(projection.name, await fixture.payments.store.lastPosition());
    return async () => {
      await collection.put(document);
      held.delete(projection.name);
    };
  }

  const short = () => fixture.pay(1, due - 5n * fixture.cent, PAYER);

  async function claim(number: number) {
    const { state } = await fixture.payments.writes.load(namings, 'test', `base:${hash(1)}`);
    return state.namings[pi(number)]?.status;
  }

  it('is given to nobody whose amount is farther from it than one that is not listed yet', async () => {
    const catchUp = await leaveOut(paymentIntentsProjection, pi(VICTIM));
    await short();
    const answer = await fixture.name(pi(THIEF), hash(1), 'checkout');
    expect(answer).toMatchObject({ kind: 'filed', naming: { status: 'pending' } });
    await expect(fixture.handleAll()).rejects.toMatchObject(BEHIND);
    expect(await claim(THIEF)).toBe('pending');
    await catchUp();
    await fixture.handleAgain();
    expect(await claim(THIEF)).toBe('in_review');
    await fixture.confirm();
    expect([await fixture.status(THIEF), await fixture.status(VICTIM)]).toStrictEqual([
      'awaiting_payment',
      'awaiting_payment',
    ]);
  });

  it('is given to its payment once the list holds all others', async () => {
    held.set(paymentIntentsProjection.name, await fixture.payments.store.lastPosition());
    await short();
    const answer = await fixture.name(pi(VICTIM), hash(1), 'checkout');
    expect(answer).toMatchObject({ kind: 'filed', naming: { status: 'pending' } });
    await expect(fixture.handleAll()).rejects.toMatchObject(BEHIND);
    held.clear();
    await fixture.handleAgain();
    expect(await claim(VICTIM)).toBe('attributed');
    await fixture.confirm();
    expect(await fixture.status(VICTIM)).toBe('underpaid');
  });

  it('is given to its payment at once where the list comes within two seconds', async () => {
    const { clock, store } = fixture.payments;
    held.set(paymentIntentsProjection.name, await store.lastPosition());
    await short();
    let waitedMs = 0;
    jest.spyOn(clock, 'wait').mockImplementation(delayMs => {
      waitedMs += delayMs;
      if (waitedMs >= 1_500) held.clear();
      return Promise.resolve();
    });
    expect(await fixture.name(pi(VICTIM), hash(1), 'checkout')).toMatchObject({ kind: 'attributed' });
    expect(waitedMs).toBe(1_500);
  });

  it('is not forgotten where its transfer came first and cannot be found yet', async () => {
    const id = await short();
    fixture.payments.chain.receipt = () => Promise.resolve(null);
    const answer = await fixture.name(pi(VICTIM), hash(1), 'checkout');
    expect(answer).toMatchObject({ kind: 'filed', naming: { status: 'pending' } });
    const catchUp = await leaveOut(unmatchedTransfersProjection, id);
    await fixture.created(3);
    await expect(fixture.handleAll()).rejects.toMatchObject({
      message: 'The list unmatched_transfers is behind the log.',
    });
    await catchUp();
    await fixture.handleAll();
    expect(await claim(VICTIM)).toBe('attributed');
  });

  it('lies in the queue no longer than on the chain, though the queue’s list showed it late', async () => {
    const id = await short();
    const catchUp = await leaveOut(unmatchedTransfersProjection, id);
    await fixture.created(3);
    fixture.payments.chain.reorganise(1);
    fixture.payments.mineEmpty(60);
    await fixture.watcher?.tick();
    await fixture.follower.follow();
    await catchUp();
    await fixture.follower.follow();
    fixture.payments.mineEmpty(600);
    await fixture.follower.follow();
    expect((await fixture.transferEvents(1)).at(-1)).toBe('TransferReorgedOut');
  });
});
