import { HOUR_MS } from '../../../src/kernel/clock';
import type { NewEvent, RecordedEvent } from '../../../src/kernel/event';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { MatchingGroup } from '../../../src/processes/matching/matching-group';
import { DyingStore } from './dying-store';
import { hash, MatchingFixture, pi } from './matching-fixture';

/** Notes each appended event, also that of an append after which the process dies. */
class NotingStore extends DyingStore {
  readonly noted: NewEvent[] = [];

  override async append(...append: Parameters<DyingStore['append']>) {
    this.noted.push(...append[2]);
    return super.append(...append);
  }
}

let store: NotingStore;
let fixture: MatchingFixture;
let due: bigint;
/** `effect < cause`, for each event that the group appended. */
let links: string[];

beforeEach(async () => {
  store = new NotingStore();
  links = [];
  const prototype = MatchingGroup.prototype;
  const { handle } = prototype;
  jest.spyOn(prototype, 'handle').mockImplementation(async function (this: MatchingGroup, message) {
    const from = store.noted.length;
    await handle.call(this, message);
    const effects = store.noted.slice(from);
    for (const effect of effects) links.push(linkOf(effect, [message.event, ...effects]));
  });
  fixture = await new MatchingFixture({ store }).start();
  due = await fixture.payments.quoted(pi(1));
});

afterEach(() => jest.restoreAllMocks());

function linkOf({ type, metadata }: NewEvent, known: readonly (NewEvent | RecordedEvent)[]): string {
  const cause = known.find(({ id }) => id === metadata.causation_id);
  const isSameStory = cause?.metadata.correlation_id === metadata.correlation_id;
  return `${type} < ${cause && isSameStory ? cause.type : 'nothing'}`;
}

async function dieAt(type: string, work: () => Promise<unknown>): Promise<void> {
  store.diesAt = type;
  await work().catch(() => undefined);
  expect(store.isDead).toBe(true);
  store.diesAt = null;
  store.revive();
}

function replaceTip(valueBaseUnits: bigint): void {
  const { chain, clock, transfer } = fixture.payments;
  chain.reorganise(1, [transfer.call(fixture.payments, hash(1), valueBaseUnits)]);
  clock.timeMs += 1_000;
}

/** Takes the transfer off its payment; the process that has done so dies before the claim ends. */
async function loseTransfer(): Promise<void> {
  const payment = await fixture.payments.payment(pi(1));
  if (payment.status === 'none' || payment.quote === null) throw new Error('not quoted');
  const [lost] = Object.values(payment.ledger.transfers);
  if (!lost) throw new Error('not credited');
  const { transfer_id: transferId, block_hash: blockHash } = lost;
  const watching = {
    ...fixture.payments.context(),
    actor: { role: 'watcher', type: 'system', id: 'watcher' },
  } as const;
  const drop = { type: 'drop_transfer', transferId, blockHash, reason: 'reorged_out' } as const;
  await fixture.payments.writes.execute(paymentIntents, pi(1), drop, watching);
}

describe('what the group does names the event that it was handed, and goes on with its story:', () => {
  it('a ranking', async () => {
    await fixture.pay(1, due - 100n * fixture.cent);
    expect(links).toStrictEqual(['CandidatesRanked < TransferUnmatched']);
  });

  it('a credit that a death left undone', async () => {
    await dieAt('TransferClaimed', () => fixture.pay(1, due));
    await fixture.handleAll();
    expect(links).toStrictEqual(['TransferDetected < TransferClaimed']);
  });

  it('the answer to a naming, once its transfer comes, with the claim and the credit', async () => {
    await fixture.name(pi(1), hash(1));
    await fixture.handleAll();
    await fixture.pay(1, due - 5n * fixture.cent);
    expect(links).toStrictEqual([
      'TransferClaimed < TransferUnmatched',
      'TransferDetected < TransferClaimed',
      'NamingAttributed < TransferUnmatched',
    ]);
  });

  it('the end of a claim whose payment has lost the transfer', async () => {
    await fixture.pay(1, due);
    fixture.payments.chain.reorganise(1);
    await loseTransfer();
    await fixture.handleAll();
    expect(links).toStrictEqual(['TransferReorgedOut < PaymentFailed']);
  });

  it('the end of a claim that was outlived, and the look at where the transfer stands now', async () => {
    const other = await fixture.payments.quoted(pi(2));
    await dieAt('TransferClaimed', () => fixture.pay(1, due));
    fixture.watcher = await fixture.payments.watcher();
    replaceTip(other);
    await fixture.settle();
    expect(links).toStrictEqual([
      'TransferReorgedOut < TransferSeen',
      'TransferSeen < TransferReorgedOut',
      'TransferClaimed < TransferReorgedOut',
      'TransferDetected < TransferClaimed',
    ]);
  });

  it('the end of a quote that a late naming brings about', async () => {
    const { chain, clock } = fixture.payments;
    chain.skipTime(HOUR_MS);
    clock.timeMs += HOUR_MS;
    await fixture.name(pi(1), hash(1));
    await fixture.pay(1, due - 5n * fixture.cent);
    expect(links).toStrictEqual([
      'QuoteExpired < TransactionNamed',
      'TransferClaimed < TransactionNamed',
      'TransferDetected < TransferClaimed',
      'NamingAttributed < TransactionNamed',
    ]);
  });
});

it('a credit by the watcher names the claim that it follows', async () => {
  await fixture.pay(1, due);
  const credit = store.noted.find(({ type }) => type === 'TransferDetected') as NewEvent;
  expect(linkOf(credit, store.noted)).toBe('TransferDetected < TransferClaimed');
});
