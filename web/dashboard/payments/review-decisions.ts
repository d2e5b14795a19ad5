import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { DecideReview, type ReviewDecision } from '../../../src/modules/payment-intents/commands/decide-review.command';
import { FindPayments } from '../../../src/modules/payment-intents/queries/find-payments.query';
import { parsePaymentFilters } from '../../../src/modules/payment-intents/queries/payment-filters';
import type { FormBody } from '../../../src/platform/http/form-body';
import { NOTE_LENGTH } from '../../../src/platform/http/fields/text-fields';
import { characterCount } from '../../../src/vocabulary/characters';
import { refuse } from '../../../src/vocabulary/errors';

/** Decisions on payments in review, as forms of several pages take them. */
@Injectable()
export class ReviewDecisions {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** A late payment is accepted in its review, which asks for a note; any other one as paid. */
  async accept(id: string, form: FormBody, context: MerchantContext): Promise<void> {
    const note = noteOf(form);
    const isLate = await this.isLate(id, context);
    await this.decide(
      id,
      isLate ? { type: 'resolve', resolution: 'accepted', note } : { type: 'accept', note: note === '' ? null : note },
      context,
    );
  }

  async reject(id: string, form: FormBody, context: MerchantContext): Promise<void> {
    await this.decide(id, { type: 'resolve', resolution: 'rejected', note: noteOf(form) }, context);
  }

  private async decide(id: string, decision: ReviewDecision, context: MerchantContext): Promise<void> {
    await this.commands.execute(new DecideReview(id, decision, context));
  }

  private async isLate(id: string, { merchantId, universe }: MerchantContext): Promise<boolean> {
    const { filters } = parsePaymentFilters({ search: id });
    const { rows } = await this.queries.execute(new FindPayments(merchantId, universe, filters, 1, null));
    return rows[0]?.status === 'paid_late';
  }
}

/** Throws Refusal parameter_invalid for a note that is too long. */
function noteOf({ note = '' }: FormBody): string {
  if (characterCount(note) > NOTE_LENGTH) {
    throw refuse('parameter_invalid', { param: 'note', message: `A note has at most ${NOTE_LENGTH} characters.` });
  }
  return note.trim();
}
