import { OutcomeUnknown, WrongExpectedRevision, type EventStore } from '../../../src/kernel/ports/event-store';
import { namings } from '../../../src/modules/transfers/naming.decider';
import { hash, MatchingFixture, pi } from './matching-fixture';

let fixture: MatchingFixture;
let due: bigint;

beforeEach(async () => {
  fixture = await new MatchingFixture().start();
  due = await fixture.payments.quoted(pi(1));
});
afterEach(() => jest.restoreAllMocks());

/** Appends to claimed transfers fail so, until the mock is restored. */
function failingNamings(fault: (...asked: Parameters<EventStore['append']>) => Error) {
  const { store } = fixture.payments;
  const append = store.append.bind(store);
  return jest.spyOn(store, 'append').mockImplementation((...asked) => {
    const [, , events] = asked;
    return events.some(({ type }) => type === 'TransferClaimed') ? Promise.reject(fault(...asked)) : append(...asked);
  });
}

async function namingStatus(): Promise<string | undefined> {
  const { state } = await fixture.payments.writes.load(namings, 'test', `base:${hash(1)}`);
  return state.namings[pi(1)]?.status;
}

describe('a naming that waits for its transaction', () => {
  it.each<[string, string, Parameters<typeof failingNamings>[0]]>([
    ['loses every race for it', 'provider_unavailable', stream => new WrongExpectedRevision(stream, 1, 2)],
    ['finds the log away', 'OutcomeUnknown', () => new OutcomeUnknown('no answer on purpose')],
  ])('waits on where its group %s, and has it at the next try', async (_, named, fault) => {
    await fixture.name(pi(1), hash(1));
    const failing = failingNamings(fault);
    const error: unknown = await fixture.pay(1, due - fixture.cent).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(Error);
    expect([(error as { code?: string }).code, (error as Error).name]).toContain(named);
    expect(await namingStatus()).toBe('pending');
    failing.mockRestore();
    await fixture.handleAll();
    expect(await namingStatus()).toBe('attributed');
    expect(await fixture.status(1)).toBe('detected');
  });

  it('is refused by what speaks against the naming itself', async () => {
    await fixture.name(pi(1), hash(1));
    await fixture.cancel(1);
    await fixture.pay(1, due - fixture.cent);
    expect(await namingStatus()).toBe('refused');
  });

  it('waits on where a reorganisation takes the transaction, and has it where it comes to rest', async () => {
    const { chain } = fixture.payments;
    await fixture.pay(1, due - fixture.cent);
    chain.reorganise(1);
    for (let tick = 0; tick < 2; tick++) {
      fixture.payments.mineEmpty(600);
      await fixture.watcher?.tick();
      await fixture.follower.follow();
    }
    expect((await fixture.transferEvents(1)).at(-1)).toBe('TransferReorgedOut');
    await fixture.name(pi(1), hash(1));
    await fixture.handleAgain();
    expect(await namingStatus()).toBe('pending');
    await fixture.pay(1, due - fixture.cent);
    expect(await namingStatus()).toBe('attributed');
  });
});

describe('a hash that the payment’s own chain does not know', () => {
  it('is filed while the other network’s provider is away', async () => {
    fixture.bnb.down = true;
    await expect(fixture.name(pi(1), hash(1))).resolves.toMatchObject({ kind: 'filed' });
  });

  it('is not filed over a defect in asking the other network', async () => {
    jest.spyOn(fixture.bnb, 'receipt').mockRejectedValue(new TypeError('a defect on purpose'));
    await expect(fixture.name(pi(1), hash(1))).rejects.toThrow('a defect on purpose');
  });
});
