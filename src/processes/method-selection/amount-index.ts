import type { Universe } from '../../vocabulary/modes';
import { ReadModelBeingBuilt, type ReadModels } from '../../kernel/ports/read-models';
import { FreeSlots } from '../../modules/amount-slots/free-slots';
import { stretchesOf, stretchKey, takenAmountsReadModel } from '../../modules/amount-slots/taken-amounts.read-model';
import { deadlinesReadModel } from '../../modules/payment-intents/deadlines.read-model';
import { LOOKED_AT_SLOTS, type GridWindow } from '../../modules/quotes/amount-grid';

/** A payment holds one amount for its quote, and one for each sum that left a remainder. */
const HELD_LIMIT = 100;

/** The documents that tell which slots of a grid are taken. Documents follow the log, so the append alone decides. */
export class AmountIndex {
  constructor(private readonly readModels: Pick<ReadModels, 'list'>) {}

  /** The free slots of the window, by one question; null while the documents are being built. */
  async freeSlots(mode: Universe, grid: string, window: GridWindow): Promise<FreeSlots | null> {
    const { first, count } = window;
    const range = { from: stretchKey(first), to: stretchKey(first + BigInt(count - 1)) };
    const limit = stretchesOf(LOOKED_AT_SLOTS);
    const query = { index: 'by_stretch', equals: { mode, grid }, range, limit };
    const stretches = await known(this.readModels.list(takenAmountsReadModel, query));
    return (
      stretches &&
      new FreeSlots(
        stretches.map(({ body }) => body),
        window,
      )
    );
  }

  /** The slots of the grid that the payment holds; none while the documents are being built. */
  async heldSlots(mode: Universe, grid: string, paymentIntent: string): Promise<readonly bigint[]> {
    const equals = { mode, payment_intent: paymentIntent, kind: 'reservation' };
    const query = { index: 'by_payment', equals, limit: HELD_LIMIT };
    const held = (await known(this.readModels.list(deadlinesReadModel, query))) ?? [];
    const prefix = `${grid}:`;
    return held
      .filter(({ body }) => body.subject.startsWith(prefix))
      .map(({ body }) => BigInt(body.subject.slice(prefix.length)));
  }
}

async function known<Documents>(listing: Promise<Documents>): Promise<Documents | null> {
  try {
    return await listing;
  } catch (error) {
    if (error instanceof ReadModelBeingBuilt) return null;
    throw error;
  }
}
