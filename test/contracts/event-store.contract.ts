import type { EventStore } from '../../src/kernel/ports/event-store';
import { CONTRACT_TIMEOUT_MS } from './contract-support';
import { appendCases } from './event-store-append.cases';
import { groupCases } from './event-store-group.cases';
import { outageCases } from './event-store-outage.cases';
import { readCases } from './event-store-read.cases';
import { subscriptionCases } from './event-store-subscription.cases';

export type OpenedEventStore = { readonly store: EventStore; close(): Promise<void> };

/** The tools of the suites: the store as it is open now, and closing and opening it again. */
export type EventStoreUnderTest = { store(): EventStore; reopen(): Promise<void> };

/**
 * The contract of an event store. `open` opens the same log each time, and is called anew only after `close`. Names are
 * unique to each test, so the log may be one that others use. `openHurried` opens it with a clock whose pauses are
 * short: an outage is mostly pauses.
 */
export function eventStoreContract(
  name: string,
  open: () => Promise<OpenedEventStore>,
  openHurried: () => Promise<OpenedEventStore> = open,
): void {
  describe(`event store: ${name}`, () => {
    jest.setTimeout(CONTRACT_TIMEOUT_MS);
    describe('append', () => appendCases(underTest(open)));
    describe('read', () => readCases(underTest(open)));
    describe('subscribe', () => subscriptionCases(underTest(open)));
    describe('groups', () => groupCases(underTest(open)));
    describe('groups in an outage', () => outageCases(underTest(openHurried)));
  });
}

function underTest(open: () => Promise<OpenedEventStore>): EventStoreUnderTest {
  let opened: OpenedEventStore;
  beforeAll(async () => (opened = await open()));
  afterAll(() => opened.close());
  return {
    store: () => opened.store,
    reopen: async () => {
      await opened.close();
      opened = await open();
    },
  };
}
