import type { RecordedEvent } from '../../../src/kernel/event';
import { isOn } from '../knobs';
import type { World } from '../world';
import { everyEventIsAudited } from './audit-checks';
import { booksAddUp } from './books-checks';
import { amountsKept, claimsByAmount, outcomesAsReceived } from './amount-checks';
import { everyBlockIsScanned } from './coverage-checks';
import { accrualsInvoicedOnce, balancesAsRows, onePaymentOneFee, testNeverInvoiced } from './fee-checks';
import { inferencesByTheRule } from './inference-checks';
import {
  answersAreKept,
  figuresAddUp,
  numbersWithoutGap,
  onePaymentAtOnce,
  overdueTold,
  paidBySettledPayments,
} from './invoice-checks';
import { usesByTheRules } from './link-checks';
import { acknowledgedIsKept, oneEffectARequest, reservationsApart, unbrokenChains } from './log-checks';
import { moneyAddsUp, whoeverPaidInTimeIsConfirmed } from './money-checks';
import { everyNamingIsAnswered } from './naming-checks';
import { noneNearerToAnother } from './nearness-checks';
import {
  noneIsLeftOnItsWay,
  committedBeforeCounted,
  nonePaidTooOften,
  oneCreditATransfer,
  reviewsDecidedOnce,
  screenedBeforeConfirmed,
  transitionsByTheTable,
} from './payment-checks';
import { quotesByTheBook } from './quote-checks';
import { readModelsAsRebuilt } from './read-model-checks';
import { remaindersAsMissing } from './remainder-checks';
import { everyEventIsDelivered } from './webhook-checks';
import { everyTransitionIsListed } from './webhook-listing';

/**
 * The rules that hold after every run. The code of each shares only the shapes of the events with the judged code. A
 * violation is a sentence.
 */
export async function violations(world: World, events: readonly RecordedEvent[]): Promise<readonly string[]> {
  const { outside, clients, business, payers, shops, witness, endpoints } = world;
  const parked = [...outside.disk.groups]
    .filter(([, group]) => group.parked.length > 0)
    .map(([name]) => `${name} has parked messages`);
  return [
    ...outside.unexpected,
    ...parked,
    ...committedBeforeCounted(events),
    ...oneCreditATransfer(events),
    ...reservationsApart(events),
    ...screenedBeforeConfirmed(events),
    ...witness.found,
    ...endpoints.found,
    ...quotesByTheBook(shops, events),
    ...outcomesAsReceived(events),
    ...remaindersAsMissing(events),
    ...amountsKept(events),
    ...claimsByAmount(events),
    ...inferencesByTheRule(events),
    ...noneNearerToAnother(events),
    ...oneEffectARequest(events),
    ...transitionsByTheTable(events),
    ...noneIsLeftOnItsWay(events),
    ...(isOn('masses') ? nonePaidTooOften(events) : []),
    ...reviewsDecidedOnce(events),
    ...onePaymentOneFee(events),
    ...accrualsInvoicedOnce(events),
    ...testNeverInvoiced(events),
    ...usesByTheRules(events),
    ...numbersWithoutGap(events),
    ...figuresAddUp(events),
    ...onePaymentAtOnce(events),
    ...paidBySettledPayments(events),
    ...overdueTold(events),
    ...answersAreKept(business.answers, events),
    ...everyEventIsDelivered(shops, outside.received, events),
    ...everyTransitionIsListed(events),
    ...unbrokenChains(events),
    ...moneyAddsUp(payers, events),
    ...whoeverPaidInTimeIsConfirmed(payers, witness.atExpiry, events),
    ...everyNamingIsAnswered(payers, events),
    ...booksAddUp(outside.chains, events),
    ...everyBlockIsScanned(outside.chains, events),
    ...acknowledgedIsKept(clients.acknowledged, events),
    ...(await balancesAsRows(outside)),
    ...(await readModelsAsRebuilt(outside)),
    ...(await everyEventIsAudited(outside, events)),
  ];
}
