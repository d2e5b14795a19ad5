import { CLOCK_DIFFERENCE_MS, parseIsoTime } from '../../kernel/clock';
import type { MerchantContext } from '../../kernel/command-context';
import type { RecordedEvent } from '../../kernel/event';
import type { EventStore } from '../../kernel/ports/event-store';
import type { PaymentLinkUsed } from '../../modules/payment-links/payment-link.events';

const PAGE = 100;

/**
 * The use that the command itself has recorded; null where there is none. Later uses may have pushed it out of the
 * newest events, so the search goes back to the command's first moment.
 */
export async function ownUse(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  newest: readonly RecordedEvent[],
  context: Pick<MerchantContext, 'commandId' | 'startedAt' | 'isFirstTry'>,
): Promise<RecordedEvent<PaymentLinkUsed> | null> {
  let page: readonly RecordedEvent[] = newest.toReversed();
  for (;;) {
    const own = page.find(({ metadata }) => metadata.command_id === context.commandId);
    if (own !== undefined) return own as RecordedEvent<PaymentLinkUsed>;
    const oldest = page.at(-1);
    if (oldest === undefined || oldest.revision === 0 || !isSince(oldest, context)) return null;
    page = await store.readStream(stream, { direction: 'backwards', from: oldest.revision - 1, limit: PAGE });
  }
}

/**
 * A command's first moment is by the wall's clock, or by its merchant's, which is never behind. Other processes may
 * have recorded later uses by a clock that is behind.
 */
function isSince(
  { metadata }: RecordedEvent,
  { startedAt, isFirstTry }: Pick<MerchantContext, 'startedAt' | 'isFirstTry'>,
): boolean {
  if (isFirstTry === true) return parseIsoTime(metadata.recorded_at) >= startedAt;
  const since = startedAt - CLOCK_DIFFERENCE_MS;
  return parseIsoTime(metadata.recorded_at) >= since || parseIsoTime(metadata.occurred_at) >= since;
}
