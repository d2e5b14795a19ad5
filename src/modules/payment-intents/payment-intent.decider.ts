import { parseIsoTime } from '../../kernel/clock';
import type { DecisionContext } from '../../kernel/decider';
import { unreachable } from '../../kernel/invariant';
import type { Aggregate } from '../../kernel/write-path';
import type { PaymentIntentCommand } from './payment-intent.commands';
import type { PaymentIntentEvent } from './payment-intent.events';
import { decideHold } from './payment-intent.holds';
import { decideReview } from './payment-intent.resolution';
import { decideCredit, decideRemainder, decideSettlement } from './payment-intent.settlement';
import { evolve, evolveAll, NO_PAYMENT_INTENT, type PaymentIntent } from './payment-intent.state';
import { decideTransfer } from './payment-intent.transfers';
import { permit, quoted } from './payment-intent.permit';
import { paymentIntentUpcasts } from './payment-intent.upcast';

type Decision = readonly PaymentIntentEvent[];

export function decide(command: PaymentIntentCommand, state: PaymentIntent, context: DecisionContext): Decision {
  switch (command.type) {
    case 'create':
      permit(state, 'create', context);
      return [{ type: 'PaymentIntentCreated', data: command.terms }];
    case 'select_method':
      permit(state, 'select_method', context);
      return [{ type: 'MethodSelected', data: command.quote }];
    case 'cancel':
      permit(state, 'cancel', context);
      return [{ type: 'PaymentCanceled', data: {} }];
    case 'expire':
      return decideExpiry(state, context);
    case 'see_transfer':
    case 'move_transfer':
    case 'withdraw_transfer':
    case 'drop_transfer':
    case 'see_confirmation':
    case 'reach_depth':
    case 'lose_settled_transfer':
      return decideTransfer(command, state, context);
    case 'settle':
      return decideSettlement(command, state, context);
    case 'credit_remainder':
    case 'credit_late':
      return decideCredit(command, state, context);
    case 'ask_remainder':
      return decideRemainder(command, state, context);
    case 'screen_payer':
    case 'place_hold':
    case 'release_hold':
    case 'reject_hold':
      return decideHold(command, state, context);
    case 'accept':
    case 'resolve':
      return decideReview(command, state, context);
    default:
      return unreachable(command);
  }
}

function decideExpiry(state: PaymentIntent, context: DecisionContext): Decision {
  permit(state, 'expire', context);
  const expiresAt = quoted(state).quote.quote_expires_at;
  return context.now < parseIsoTime(expiresAt) ? [] : [{ type: 'QuoteExpired', data: { quote_expires_at: expiresAt } }];
}

export const paymentIntents: Aggregate<PaymentIntent, PaymentIntentCommand, PaymentIntentEvent> = {
  category: 'payment_intent',
  notFound: 'payment_not_found',
  upcasts: paymentIntentUpcasts,
  initial: NO_PAYMENT_INTENT,
  decide,
  evolve,
  evolveAll,
};
