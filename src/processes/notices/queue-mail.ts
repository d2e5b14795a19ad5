import { HOUR_MS, parseIsoTime, type Clock } from '../../kernel/clock';
import { parseStreamName, streamName, type RecordedEvent } from '../../kernel/event';
import type { Log } from '../../kernel/ports/log';
import type { ReadModels } from '../../kernel/ports/read-models';
import type { WritePath } from '../../kernel/write-path';
import { uuidV5 } from '../../vocabulary/ids';
import type { Mode, Universe } from '../../vocabulary/modes';
import { paymentIntents } from '../../modules/payment-intents/payment-intent.decider';
import { ownAddresses } from '../../modules/transfers/own-transfer';
import { transferId, transferKeyOf, transfers, transferStreamId } from '../../modules/transfers/transfer.decider';
import type {
  TransferClaimed,
  TransferEvent,
  TransferKey,
  TransferSeen,
  TransferUnmatched,
} from '../../modules/transfers/transfer.events';
import { awaitsDecision } from '../../modules/transfers/transfer.state';
import { keyOfRow, unmatchedTransfersReadModel } from '../../modules/transfers/unmatched-transfers.read-model';
import { walletsReadModel } from '../../modules/wallets/wallets.read-model';
import { isMuted, recipientOf } from './recipient';
import type { Outbox, OutboxMessage } from '../../modules/outbox/outbox';

/** Merchants with the same address that are told of a transfer to it: a named limit for the read. */
const MERCHANTS_TOLD = 5;
/** The newest transfers of an address among which one is looked for that a message tells instead of its own. */
const LOOKED_AT = 20;

/** A transfer, and the hour since 1970 in which it came into the queue. */
type Queued = { readonly stream: string; readonly seen: TransferSeen['data']; readonly hour: number };

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
    const queued = { stream: event.stream, seen: state.seen, hour: hourOf(event) };
    for (const merchantId of await this.merchantsAt(mode, key, state.seen))
      await this.tellMerchant(merchantId, mode, queued);
  }

  /**
   * The reason why a message is not sent any more; null where it is. Its transfer can leave the queue before the
   * message is due. The merchant is then told of another transfer of the same hour, where one still waits.
   */
  async whyNot(message: OutboxMessage): Promise<string | null> {
    const { about } = message.body;
    if (about === undefined) return null;
    const { universe: mode, id } = parseStreamName(about);
    if (awaitsDecision((await this.parts.writes.load(transfers, mode, id)).state)) return null;
    if (mode !== 'platform') await this.tellAnother(message, mode);
    return 'the transfer has left the queue';
  }

  /** The first message of an hour is about its own transfer alone: the other transfers have the next message. */
  private async tellAnother({ id, body }: OutboxMessage, mode: Mode): Promise<void> {
    const { outbox, readModels, clock } = this.parts;
    const { merchant_id: merchantId = null, hour } = body;
    if (merchantId === null || hour === undefined) return;
    const first = messageId(merchantId, mode, hour);
    if (id === first) return;
    const told = (await outbox.find(first))?.body.about;
    const waiting = await this.waitingOf(hour, { merchantId, mode }, told);
    if (waiting === null) return;
    const mail = await mailAbout(readModels, merchantId, mode, waiting);
    await outbox.put({ id: uuidV5([id, waiting.stream].join('\n')), ...mail }, clock.now());
  }

  /** A transfer of the merchant's that came into the queue in this hour and is there still, other than the told one. */
  private async waitingOf(
    hour: number,
    reader: { readonly merchantId: string; readonly mode: Mode },
    told: string | undefined,
  ): Promise<Queued | null> {
    const { readModels, writes } = this.parts;
    const { mode } = reader;
    for (const { network_id, address } of await ownAddresses(readModels, reader)) {
      const equals = { mode, network_id, address, open: true };
      const asked = { index: 'by_address', equals, descending: true, limit: LOOKED_AT } as const;
      for (const { body } of await readModels.list(unmatchedTransfersReadModel, asked)) {
        const id = transferStreamId(keyOfRow(body));
        const stream = streamName(mode, 'transfer', id);
        const { state, history } = await writes.load(transfers, mode, id);
        const queued = history.findLast(({ type }) => type === 'TransferUnmatched') as
          RecordedEvent<TransferUnmatched> | undefined;
        if (stream === told || !queued || hourOf(queued) !== hour || !awaitsDecision(state)) continue;
        if (!(await this.isRejected(mode, queued.data, history))) return { stream, seen: state.seen, hour };
      }
    }
    return null;
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

  private async tellMerchant(merchantId: string, mode: Universe, queued: Queued): Promise<void> {
    const { outbox, readModels, writes, clock, log } = this.parts;
    if (await isMuted(writes, mode, merchantId, 'transfer_queued')) return;
    const mail = await mailAbout(readModels, merchantId, mode, queued);
    const { hour } = queued;
    const now = clock.now();
    const first = messageId(merchantId, mode, hour);
    let isPut = await outbox.put({ id: first, ...mail }, now);
    if (!isPut) {
      const told = await outbox.find(first);
      if (told?.body.text.includes(mail.facts.transferId)) return;
      isPut = await outbox.put({ id: messageId(merchantId, mode, hour + 1), ...mail }, now, (hour + 1) * HOUR_MS);
    }
    if (isPut) log.info({ to: mail.to, mail: mail.kind }, 'a merchant is told of the queue by e-mail');
  }
}

function hourOf({ metadata }: RecordedEvent<TransferUnmatched>): number {
  return Math.floor(parseIsoTime(metadata.recorded_at) / HOUR_MS);
}

async function mailAbout(readModels: ReadModels, merchantId: string, mode: Universe, { stream, seen, hour }: Queued) {
  const { token_id: tokenId, value_base_units: baseUnits, from, to: address } = seen;
  const key = transferKeyOf(parseStreamName(stream).id);
  const facts = { mode, transferId: transferId(key), txHash: key.txHash, tokenId, baseUnits, from, to: address };
  const to = await recipientOf(readModels, merchantId);
  return { to, merchantId, kind: 'transfer_queued', about: stream, hour, facts } as const;
}

/** One message of an hour: whichever transfer comes first, and however often it is told. */
function messageId(merchantId: string, mode: Universe, hour: number): string {
  return uuidV5(['queue', merchantId, mode, hour].join('\n'));
}
