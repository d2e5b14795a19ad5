import { withCommand, type MerchantContext } from '../../kernel/command-context';
import type { RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { WritePath } from '../../kernel/write-path';
import type { NetworkId } from '../../vocabulary/networks';
import type { FiledNaming } from '../../modules/transfers/commands/attribute-transaction.command';
import type { NamingEvent, NamingSide } from '../../modules/transfers/naming.events';
import { isFiling, namingIdOf, namings, namingsIdOf, type NamingCommand } from '../../modules/transfers/naming.decider';
import type { TransactionReference } from '../../modules/transfers/transaction-reference';

/** The payment for which somebody names a transaction, and the network of its quote. */
export type FilingPayment = {
  readonly id: string;
  readonly merchantId: string;
  readonly network: NetworkId;
  readonly side: NamingSide;
  readonly logIndex: number | null;
  readonly context: MerchantContext;
};

/** Files namings that cannot be answered at once: each waits in the stream of its transaction. */
export class NamingFiling {
  constructor(private readonly writes: WritePath) {}

  file(
    payment: FilingPayment,
    reference: TransactionReference,
    type: 'file' | 'file_exchange_transfer',
  ): Promise<FiledNaming> {
    const { id: paymentIntent, merchantId, side, logIndex } = payment;
    return this.execute(payment, reference, type, history => {
      const own = history.filter(event => isFiling(event) && event.metadata.merchant_id === merchantId);
      const filing = { paymentIntent, side, merchantsFilings: own.length };
      return type === 'file' ? { type, ...filing, logIndex } : { type, ...filing };
    });
  }

  /** A further event of a filed naming. */
  append(payment: FilingPayment, reference: TransactionReference, command: NamingCommand): Promise<FiledNaming> {
    return this.execute(payment, reference, command.type, () => command);
  }

  private async execute(
    { id, network, logIndex, context }: FilingPayment,
    reference: TransactionReference,
    type: NamingCommand['type'],
    commandOn: (history: readonly RecordedEvent<NamingEvent>[]) => NamingCommand,
  ): Promise<FiledNaming> {
    const namingsId = namingsIdOf(network, reference, logIndex);
    const own = withCommand(context, type);
    const executed = await this.writes.executePlan(
      namings,
      namingsId,
      ({ history }) => ({ command: commandOn(history), context: own }),
      own,
    );
    const naming = executed.state.namings[id];
    const filed = executed.history.findLast(event => event.data.payment_intent === id && isFiling(event));
    invariant(naming && filed, `${namingsId} has no naming of ${id}`);
    return {
      kind: 'filed',
      namingId: namingIdOf(namingsId, id),
      referenceKind: reference.kind,
      reference: reference.kind === 'transaction' ? reference.txHash : reference.id,
      naming,
      filedAt: filed.metadata.occurred_at,
    };
  }
}
