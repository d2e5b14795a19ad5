import { CLOCK_DIFFERENCE_MS, parseIsoTime } from '../../kernel/clock';
import type { MerchantContext } from '../../kernel/command-context';
import type { RecordedEvent } from '../../kernel/event';
import type { EventStore } from '../../kernel/ports/event-store';
import type { PaymentLinkUsed } from '../../modules/payment-links/payment-link.events';

const PAGE = 100;

/**
 * The use that the command itself has recorded, where others have used the link so often since that the newest events
 * do not show it. The search ends at the command's first moment. Null where there is none.
 */
export async function earlierUse(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  newest: readonly RecordedEvent[],
  context: Pick<MerchantContext, 'commandId' | 'startedAt' | 'isFirstTry'>,
): Promise<RecordedEvent<PaymentLinkUsed> | null> {
  let oldest = newest[0];
  while (oldest !== undefined && oldest.revision > 0 && isSince(oldest, context)) {
    const options = { direction: 'backwards', from: oldest.revision - 1, limit: PAGE } as const;
    const page = await store.readStream(stream, options);
    const own = page.find(({ metadata }) => metadata.command_id === context.commandId);
    if (own !== undefined) return own as RecordedEvent<PaymentLinkUsed>;
    oldest = page.at(-1);
  }
  return null;
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
