import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import {
  GetPaymentTimeline,
  type PaymentTimeline,
} from '../../modules/payment-intents/queries/get-payment-timeline.query';
import { PaymentTimelines } from './payment-timelines';

@QueryHandler(GetPaymentTimeline)
export class GetPaymentTimelineHandler implements IQueryHandler<GetPaymentTimeline> {
  constructor(private readonly timelines: PaymentTimelines) {}

  execute(query: GetPaymentTimeline): Promise<PaymentTimeline> {
    return this.timelines.of(query);
  }
}
