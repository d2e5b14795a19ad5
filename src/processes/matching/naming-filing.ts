import { withCommand, type MerchantContext } from '../../kernel/command-context';
import type { RecordedEvent } from '../../kernel/event';
import { invariant } from '../../kernel/invariant';
import type { WritePath } from '../../kernel/write-path';
import type { NetworkId } from '../../vocabulary/networks';
import type { FiledNaming } from '../../modules/transfers/commands/attribute-transaction.command';
import type { NamingEvent, NamingSide } from '../../modules/transfers/naming.events';
import { isFiling, namingIdOf, namings, namingsIdOf, type NamingCommand } from '../../modules/transfers/naming.decider';
import type { TransactionReference } from '../../modules/transfers/transaction-reference';

/** A naming to file: its payment, and the network of the payment's quote. */
export type Filing = {
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

  file(naming: Filing, reference: TransactionReference, type: 'file' | 'file_exchange_transfer'): Promise<FiledNaming> {
    const { id: paymentIntent, merchantId, side, logIndex } = naming;
    return this.execute(naming, reference, type, history => {
      const own = history.filter(event => isFiling(event) && event.metadata.merchant_id === merchantId);
      const filing = { paymentIntent, side, merchantsFilings: own.length };
      return type === 'file' ? { type, ...filing, logIndex } : { type, ...filing };
    });
  }

  /** A further event of a filed naming. */
  append(naming: Filing, reference: TransactionReference, command: NamingCommand): Promise<FiledNaming> {
    return this.execute(naming, reference, command.type, () => command);
  }

  private async execute(
    { id, network, logIndex, context }: Filing,
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
