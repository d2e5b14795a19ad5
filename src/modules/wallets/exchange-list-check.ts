import { SECOND_MS, type Clock } from '../../kernel/clock';
import { Interruptions } from '../../kernel/interruptions';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import { exchangeWalletsReadModel } from './exchange-wallets.read-model';

const RETRY_MS = 5 * SECOND_MS;

type Means = { readonly readModels: Pick<ReadModels, 'list'>; readonly clock: Clock; readonly log: Log };

/**
 * Says once in the log where the list of exchange wallets is empty: then live mode refuses no address as an exchange's.
 * Resolves when the list has been read, or when `signal` aborts.
 */
export async function tellEmptyExchangeList({ readModels, clock, log }: Means, signal: AbortSignal): Promise<void> {
  const interruptions = new Interruptions(clock, log, 'reading the list of exchange wallets was interrupted');
  while (!signal.aborted) {
    try {
      const facts = { command: 'exchange-wallets import' };
      if (await isExchangeListEmpty(readModels))
        log.warn(facts, 'the list of exchange wallets is empty: live mode takes an address of any exchange');
      return;
    } catch (error) {
      interruptions.tell(error, {});
      await clock.wait(RETRY_MS, signal);
    }
  }
}

/** An empty list refuses no address as an exchange's. */
export async function isExchangeListEmpty(readModels: Pick<ReadModels, 'list'>): Promise<boolean> {
  const [listed] = await readModels.list(exchangeWalletsReadModel, { index: 'by_entity', equals: {}, limit: 1 });
  return listed === undefined;
}
