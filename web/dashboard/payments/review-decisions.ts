import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { MerchantContext } from '../../../src/kernel/command-context';
import { DecideReview, type ReviewDecision } from '../../../src/modules/payment-intents/commands/decide-review.command';
import type { FormBody } from '../../../src/platform/http/form-body';
import { typedNote } from '../typed-fields';

/** Decisions on payments in review, as forms of several pages take them. */
@Injectable()
export class ReviewDecisions {
  constructor(private readonly commands: CommandBus) {}

  async accept(id: string, form: FormBody, context: MerchantContext): Promise<void> {
    await this.decide(id, { type: 'accept_by_status', note: typedNote(form.note) }, context);
  }

  async reject(id: string, form: FormBody, context: MerchantContext): Promise<void> {
    await this.decide(id, { type: 'resolve', resolution: 'rejected', note: typedNote(form.note) }, context);
  }

  private async decide(id: string, decision: ReviewDecision, context: MerchantContext): Promise<void> {
    await this.commands.execute(new DecideReview(id, decision, context));
  }
}
