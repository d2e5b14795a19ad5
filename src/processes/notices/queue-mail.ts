import { HOUR_MS, parseIsoTime, type Clock } from '../../kernel/clock';
import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import { uuidV5 } from '../../vocabulary/ids';
import type { Universe } from '../../vocabulary/modes';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { transferId, transferKeyOf, transfers } from '../../modules/transfers/transfer.decider';
import type {
  TransferClaimed,
  TransferEvent,
  TransferKey,
  TransferSeen,
  TransferUnmatched,
} from '../../modules/transfers/transfer.events';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import { isMuted, recipientOf } from './recipient';
import type { Outbox } from '../../modules/outbox/outbox';

/** Merchants with the same address that are told of a transfer to it: a named limit for the read. */
const MERCHANTS_TOLD = 5;

type QueueMailParts = {
  readonly outbox: Outbox;
  readonly readModels: ReadModels;
  readonly writes: Pick<WritePath, 'load'>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * E-mail to merchants about transfers that wait in the queue. The first transfer of an hour is told at once. One
 * message at the beginning of the next hour tells the others. So nobody can fill a mailbox by sending dust, and no
 * transfer stays without mail for longer than an hour.
 */
export class QueueMail {
  constructor(private readonly parts: QueueMailParts) {}

  /**
   * Safe to call any number of times. Nothing is sent for a transfer that has left the queue since, or that the
   * merchant has put there by a rejection.
   */
  async tell(event: RecordedEvent<TransferUnmatched>): Promise<void> {
    const { universe: mode, id } = parseStreamName(event.stream);
    const { state, history } = await this.parts.writes.load(transfers, mode, id);
    if (state.status !== 'unmatched' || (await this.isRejected(mode, event.data, history))) return;
    const key = transferKeyOf(id);
    const atMs = parseIsoTime(event.metadata.recorded_at);
    for (const merchantId of await this.merchantsAt(mode, key, state.seen))
      await this.tellMerchant(merchantId, mode, atMs, key, state.seen);
  }

  private async isRejected(
    mode: Universe,
    { candidate }: TransferUnmatched['data'],
    history: readonly TransferEvent[],
  ) {
    const claim = history.findLast(({ type }) => type === 'TransferClaimed') as TransferClaimed | undefined;
    if (candidate === null || !claim?.data.evidence || claim.data.payment_intent !== candidate) return false;
    const { history: decisions } = await this.parts.writes.load(paymentIntents, mode, candidate);
    const rejection = decisions.findLast(
      ({ type, data }) => type === 'ReviewResolved' && data.resolution === 'rejected',
    );
    return rejection?.metadata.actor.role === 'merchant';
  }

  private async merchantsAt(mode: Universe, { network }: TransferKey, { to }: TransferSeen['data']) {
    const equals = { mode, network_id: network, status: 'verified', address: to };
    const wallets = await this.parts.readModels.list(walletsReadModel, {
      index: 'by_network',
      equals,
      limit: MERCHANTS_TOLD,
    });
    return new Set(wallets.map(({ body }) => body.merchant_id));
  }

  private async tellMerchant(
    merchantId: string,
    mode: Universe,
    atMs: number,
    key: TransferKey,
    seen: TransferSeen['data'],
  ): Promise<void> {
    const { outbox, readModels, writes, clock, log } = this.parts;
    if (await isMuted(writes, mode, merchantId, 'transfer_queued')) return;
    const { token_id: tokenId, value_base_units: baseUnits, from, to: address } = seen;
    const facts = { mode, transferId: transferId(key), txHash: key.txHash, tokenId, baseUnits, from, to: address };
    const to = await recipientOf(readModels, merchantId);
    const mail = { to, merchantId, kind: 'transfer_queued', facts } as const;
    const hour = Math.floor(atMs / HOUR_MS);
    const now = clock.now();
    const first = messageId(merchantId, mode, hour);
    let isPut = await outbox.put({ id: first, ...mail }, now);
    if (!isPut) {
      const told = await outbox.find(first);
      if (told?.body.text.includes(facts.transferId)) return;
      isPut = await outbox.put({ id: messageId(merchantId, mode, hour + 1), ...mail }, now, (hour + 1) * HOUR_MS);
    }
    if (isPut) log.info({ to, mail: mail.kind }, 'a merchant is told of the queue by e-mail');
  }
}

/** One message of an hour: whichever transfer comes first, and however often it is told. */
function messageId(merchantId: string, mode: Universe, hour: number): string {
  return uuidV5(['queue', merchantId, mode, hour].join('\n'));
}
