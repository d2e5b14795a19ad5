import { coverageHolesReadModel } from '../coverage/coverage-holes.read-model';
import { deferredTransfersReadModel } from '../coverage/deferred-transfers.read-model';
import { paymentIntentsReadModel } from '../payment-intents/payment-intents.read-model';
import { unmatchedTransfersReadModel } from '../transfers/unmatched-transfers.read-model';
import type { RulesByCategory } from './audit-rule';
import { shown } from './audit-states';

/** The audit log's vocabulary for payments, and for the transfers and blocks that they are paid by. */
// prettier-ignore
export const PAYMENT_AUDIT_RULES = {
  amount_slot: { actions: { AmountReleased: 'amount.release', AmountReserved: 'amount.reserve' } },
  balance: { actions: { BalanceObserved: 'balance.observe', DayReconciled: 'balance.reconcile' } },
  coverage: {
    actions: { CoverageReplaced: 'coverage.replace', CoverageSealed: 'coverage.seal',
    CoverageStarted: 'coverage.start' },
  },
  coverage_hole: {
    state: shown(coverageHolesReadModel, ['status']), statesOf: ['CoverageHoleClosed'],
    actions: {
      CoverageHoleClosed: 'coverage_hole.close', CoverageHoleDropped: 'coverage_hole.drop',
      CoverageHoleExtended: 'coverage_hole.extend',
      CoverageHoleOpened: 'coverage_hole.open', CoverageHoleRead: 'coverage_hole.read',
      CoverageHoleShortened: 'coverage_hole.shorten',
    },
  },
  deferred_transfer: {
    state: shown(deferredTransfersReadModel, ['status']), statesOf: ['DeferredTransferGivenUp'],
    actions: {
      DeferredTransferDropped: 'deferred_transfer.drop', DeferredTransferFinished: 'deferred_transfer.finish',
      DeferredTransferGivenUp: 'deferred_transfer.give_up', TransferDeferred: 'deferred_transfer.defer',
    },
  },
  micro_deposit: {
    actions: {
      MicroDepositCredited: 'micro_deposit.credit', MicroDepositDropped: 'micro_deposit.drop',
      MicroDepositReleased: 'micro_deposit.release',
      MicroDepositReserved: 'micro_deposit.reserve', MicroDepositSeen: 'micro_deposit.see',
    },
  },
  naming: {
    actions: {
      ExchangeTransferNamed: 'naming.name_exchange_transfer', NamingAttributed: 'naming.attribute',
      NamingKept: 'naming.keep',
      NamingReferred: 'naming.refer', NamingRefused: 'naming.refuse', NamingResolved: 'naming.resolve',
      TransactionNamed: 'naming.name_transaction',
    },
  },
  payment_intent: {
    state: shown(paymentIntentsReadModel, ['status', 'review', 'hold', 'failure_reason']),
    statesOf: ['HoldPlaced', 'HoldRejected', 'HoldReleased', 'PaymentAccepted', 'PaymentCanceled', 'ReviewResolved'],
    actions: {
      ConfirmationSeen: 'payment_intent.see_confirmation', DepthReached: 'payment_intent.reach_depth',
      HoldPlaced: 'hold.place',
      HoldRejected: 'hold.reject', HoldReleased: 'hold.release', MethodSelected: 'payment_intent.select_method',
      PaidLate: 'payment_intent.pay_late', PayerScreened: 'payment_intent.screen_payer',
      PaymentAccepted: 'payment_intent.accept',
      PaymentCanceled: 'payment_intent.cancel', PaymentConfirmed: 'payment_intent.confirm',
      PaymentFailed: 'payment_intent.fail',
      PaymentIntentCreated: 'payment_intent.create', PaymentOverpaid: 'payment_intent.overpay',
      PaymentUnderpaid: 'payment_intent.underpay', QuoteExpired: 'payment_intent.expire',
      RemainderCredited: 'payment_intent.credit_remainder', RemainderReserved: 'payment_intent.reserve_remainder',
      ReviewResolved: 'payment_intent.resolve', SettledTransferLost: 'payment_intent.lose_transfer',
      TransferDetected: 'payment_intent.detect_transfer', TransferDropped: 'payment_intent.drop_transfer',
      TransferLimitReached: 'payment_intent.reach_limit', TransferMoved: 'payment_intent.move_transfer',
    },
  },
  transfer: {
    state: shown(unmatchedTransfersReadModel, ['status', 'payment_intent', 'set_aside']),
    statesOf: ['AttributionFailed', 'TransferReopened', 'TransferResolved', 'TransferSetAside'],
    actions: {
      AttributionFailed: 'transfer.fail_attribution', CandidatesRanked: 'transfer.rank_candidates',
      TransferClaimed: 'transfer.claim',
      TransferCommitted: 'transfer.commit', TransferReopened: 'transfer.reopen',
      TransferReorgedOut: 'transfer.reorg_out',
      TransferResolved: 'transfer.resolve', TransferSeen: 'transfer.see', TransferSetAside: 'transfer.set_aside',
      TransferUnmatched: 'transfer.queue',
    },
  },
} satisfies Partial<RulesByCategory>;
