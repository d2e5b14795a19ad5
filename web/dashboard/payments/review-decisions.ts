import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { DecideReview, type ReviewDecision } from '../../../src/modules/payment-intents/commands/decide-review.command';
import { takes } from '../../../src/modules/payment-intents/payment-intent.transitions';
import { FindPayments } from '../../../src/modules/payment-intents/queries/find-payments.query';
import { parsePaymentFilters } from '../../../src/modules/payment-intents/queries/payment-filters';
import type { FormBody } from '../../../src/platform/http/form-body';
import { typedNote } from '../typed-fields';

/** Decisions on payments in review, as forms of several pages take them. */
@Injectable()
export class ReviewDecisions {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** A payment that is not accepted as paid, such as a late one, is accepted in its review, which asks for a note. */
  async accept(id: string, form: FormBody, context: MerchantContext): Promise<void> {
    const note = typedNote(form.note);
    const isResolved = await this.isResolvedAlone(id, context);
    await this.decide(
      id,
      isResolved ? { type: 'resolve', resolution: 'accepted', note } : { type: 'accept', note },
      context,
    );
  }

  async reject(id: string, form: FormBody, context: MerchantContext): Promise<void> {
    await this.decide(id, { type: 'resolve', resolution: 'rejected', note: typedNote(form.note) }, context);
  }

  private async decide(id: string, decision: ReviewDecision, context: MerchantContext): Promise<void> {
    await this.commands.execute(new DecideReview(id, decision, context));
  }

  private async isResolvedAlone(id: string, { merchantId, universe }: MerchantContext): Promise<boolean> {
    const { filters } = parsePaymentFilters({ search: id });
    const { rows } = await this.queries.execute(new FindPayments(merchantId, universe, filters, 1, null));
    return rows.some(({ status }) => takes(status, 'resolve_accepted') && !takes(status, 'accept'));
  }
}
