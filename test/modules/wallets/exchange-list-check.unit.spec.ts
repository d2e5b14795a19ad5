import 'reflect-metadata';
import { exchangeWalletsProjection } from '../../../projections/exchange-wallets.projection';
import { mirrorWriter, StoredReadModels } from '../../../projections/runner/read-models';
import { ReadModelBeingBuilt, type ReadModels } from '../../../src/kernel/ports/read-models';
import { exchangeWalletId } from '../../../src/modules/wallets/exchange-wallet.decider';
import { WALLET_OPERATIONS } from '../../../src/modules/wallets/api/wallets.contract';
import { tellEmptyExchangeList } from '../../../src/modules/wallets/exchange-list-check';
import { MemoryDocuments } from '../../support/memory-documents';
import { MemoryEventStore } from '../../support/memory-event-store';
import { ManualClock, NOON, RecordingLog } from '../../support/payment-fixture';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const EMPTY = {
  level: 'warn',
  message: 'the list of exchange wallets is empty: live mode takes an address of any exchange',
  facts: { command: 'exchange-wallets import' },
};

describe('the list of exchange wallets', () => {
  const clock = new ManualClock(NOON);
  let log: RecordingLog;
  let store: MemoryEventStore;
  let documents: MemoryDocuments;
  let readModels: ReadModels;

  beforeEach(() => {
    log = new RecordingLog();
    store = new MemoryEventStore();
    documents = new MemoryDocuments();
    readModels = new StoredReadModels(documents, store, clock);
  });

  const check = (signal = new AbortController().signal) => tellEmptyExchangeList({ readModels, clock, log }, signal);

  it('is told in the log where it is empty, with the command that fills it', async () => {
    await check();
    expect(log.lines).toStrictEqual([EMPTY]);
  });

  it('is not told once a row has been imported', async () => {
    const stream = `platform.exchange_wallet-${exchangeWalletId('base', ADDRESS)}`;
    const data = { network_id: 'base', address: ADDRESS, entity: 'Exchange', active: true };
    const metadata = { mode: 'platform', merchant_id: null };
    await store.append(stream, 'no_stream', [{ id: 'listed', type: 'ExchangeWalletListed', data, metadata } as never]);
    await mirrorWriter(documents, [exchangeWalletsProjection], log)(stream, await store.readStream(stream));
    await check();
    expect(log.lines).toStrictEqual([]);
  });

  it('is said to be empty in live mode on the page of the operation that would refuse its addresses', () => {
    expect(WALLET_OPERATIONS.register.description).toMatch(
      /In live mode that list is empty until .*`exchange-wallets import`/,
    );
  });

  it('is looked at again until it can be read, and no longer than the service runs', async () => {
    const list = jest.spyOn(readModels, 'list').mockRejectedValueOnce(new ReadModelBeingBuilt('exchange_wallets'));
    await check();
    expect(list).toHaveBeenCalledTimes(2);
    expect(log.lines).toContainEqual(EMPTY);
    list.mockClear();
    await check(AbortSignal.abort());
    expect(list).not.toHaveBeenCalled();
  });
});
