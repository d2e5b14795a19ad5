import { parseStreamName, type RecordedEvent } from '../src/kernel/event';
import type { Projection } from '../src/kernel/projection';
import type { AmountSlotEvent } from '../src/modules/amount-slots/amount-slot.events';
import {
  stretchKey,
  takenAmountsReadModel,
  withSlot,
  type TakenAmountsDocument,
} from '../src/modules/amount-slots/taken-amounts.read-model';

type Doc = TakenAmountsDocument;

/** An amount's stream is `{grid}:{slot}`. */
const SLOT_ID = /^(.+):(\d+)$/;

function placeOf({ stream }: RecordedEvent): { readonly mode: string; readonly grid: string; readonly slot: bigint } {
  const { universe: mode, id } = parseStreamName(stream);
  const [, grid = '', slot = '0'] = SLOT_ID.exec(id) ?? [];
  return { mode, grid, slot: BigInt(slot) };
}

function marked(doc: Doc | null, event: RecordedEvent, isTaken: boolean): Doc {
  const { mode, grid, slot } = placeOf(event);
  return { mode, grid, stretch: stretchKey(slot), taken: withSlot(doc?.taken ?? null, slot, isTaken) };
}

/**
 * A stretch without a taken slot keeps its document, and with that the position. A slower process must not begin the
 * stretch anew with a part of its slots.
 */
export const takenAmountsProjection: Projection<TakenAmountsDocument, AmountSlotEvent> = {
  ...takenAmountsReadModel,
  categories: ['amount_slot'],
  mirrors: false,
  key: event => {
    const { mode, grid, slot } = placeOf(event);
    return `${mode}/${grid}/${stretchKey(slot)}`;
  },
  on: {
    AmountReserved: (doc, event) => marked(doc, event, true),
    AmountReleased: (doc, event) => marked(doc, event, false),
  },
};
