import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Document } from '../../../kernel/ports/documents';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { getOwn } from '../../../platform/http/lists';
import { isRefusal, refuse } from '../../../vocabulary/errors';
import { paymentIntentsReadModel, type PaymentIntentDocument } from '../payment-intents.read-model';
import { FindPayments, type FoundPayments } from './find-payments.query';
import { PaymentLanes } from './payment-lanes';
import { passes, presentRow } from './payment-row';

type Payment = Document<PaymentIntentDocument>;

/** Payments that one page looks at: no combination of filters may make a page slow. */
export const LOOK_LIMIT = 500;

@QueryHandler(FindPayments)
export class FindPaymentsHandler implements IQueryHandler<FindPayments> {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  /** Throws Refusal invalid_cursor for a cursor that is no payment of the merchant in this mode. */
  async execute(query: FindPayments): Promise<FoundPayments> {
    const { merchantId, mode, filters, limit } = query;
    const after = await this.cursor(query);
    const lane = await new PaymentLanes(this.readModels, { merchant_id: merchantId, mode }).laneOf(filters);
    const found: Payment[] = [];
    let looked = 0;
    for await (const page of lane({ after, rows: limit + 1 })) {
      for (const payment of page) {
        if (passes(payment, filters)) found.push(payment);
        if (found.length > limit) return answer(found.slice(0, limit), found[limit - 1]?.id ?? null);
        if (++looked === LOOK_LIMIT) return { ...answer(found, payment.id), isCut: found.length < limit };
      }
    }
    return answer(found, null);
  }

  private async cursor({ merchantId, mode, startingAfter }: FindPayments): Promise<Payment | null> {
    if (startingAfter === null) return null;
    const named = { prefix: 'pi', id: startingAfter, notFound: 'payment_not_found' } as const;
    try {
      return await getOwn(this.readModels, paymentIntentsReadModel, { merchantId, mode }, named);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      throw refuse('invalid_cursor', { param: 'starting_after' });
    }
  }
}

function answer(found: readonly Payment[], next: string | null): FoundPayments {
  return { rows: found.map(presentRow), next, isCut: false };
}
