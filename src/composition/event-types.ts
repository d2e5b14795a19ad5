import type { DomainEvent } from '../kernel/event';
import type { AmountSlotEvent } from '../modules/amount-slots/amount-slot.events';
import type { ApiKeyEvent } from '../modules/api-keys/api-key.events';
import type { BalanceEvent } from '../modules/books/balance.events';
import type { CoverageHoleEvent } from '../modules/coverage/coverage-hole.events';
import type { CoverageEvent } from '../modules/coverage/coverage.events';
import type { DeferredTransferEvent } from '../modules/coverage/deferred-transfer.events';
import type { FeeAccountEvent } from '../modules/fees/fee-account.events';
import type { FeeAccrued } from '../modules/fees/fee-accrual.events';
import type { FeeInvoiceEvent } from '../modules/fees/fee-invoice.events';
import type { InvoiceEvent, InvoiceSeriesEvent } from '../modules/invoices/invoice.events';
import type { KeyringEvent } from '../modules/keyring/keyring.events';
import type { MerchantEvent } from '../modules/merchants/merchant.events';
import type { MerchantSettingsEvent } from '../modules/merchants/merchant-settings.events';
import type { UserEvent } from '../modules/users/user.events';
import type { PasskeyEvent } from '../modules/passkeys/passkey.events';
import type { PaymentIntentEvent } from '../modules/payment-intents/payment-intent.events';
import type { PaymentLinkEvent } from '../modules/payment-links/payment-link.events';
import type { NotificationsSet } from '../modules/outbox/notifications.events';
import type { RouteEvent } from '../modules/routes/route.events';
import type { SandboxClockEvent } from '../modules/sandbox/sandbox-clock.events';
import type { SessionPolicySet } from '../modules/sessions/session-policy.events';
import type { SessionEvent } from '../modules/sessions/session.events';
import type { SignInRefused } from '../modules/sessions/sign-in-refusals.events';
import type { NamingEvent } from '../modules/transfers/naming.events';
import type { TransferEvent } from '../modules/transfers/transfer.events';
import type { ExchangeWalletListed } from '../modules/wallets/exchange-wallet.events';
import type { MicroDepositEvent } from '../modules/wallets/micro-deposit.events';
import type { WalletEvent } from '../modules/wallets/wallet.events';
import type { DeferredWebhookEvent } from '../modules/webhooks/deferred-webhook.events';
import type { UnheardWebhookEvent } from '../modules/webhooks/unheard-webhook.events';
import type { WebhookDeliveryEvent } from '../modules/webhooks/webhook-delivery.events';
import type { WebhookEndpointEvent } from '../modules/webhooks/webhook-endpoint.events';
import { UPCASTS } from './aggregates';

/** Every type of a union, each once: the compiler names one that is missing. */
type TypesOf<E extends DomainEvent> = Readonly<Record<E['type'], true>>;

type TypesByCategory = {
  readonly amount_slot: TypesOf<AmountSlotEvent>;
  readonly api_key: TypesOf<ApiKeyEvent>;
  readonly balance: TypesOf<BalanceEvent>;
  readonly coverage: TypesOf<CoverageEvent>;
  readonly coverage_hole: TypesOf<CoverageHoleEvent>;
  readonly deferred_transfer: TypesOf<DeferredTransferEvent>;
  readonly deferred_webhook: TypesOf<DeferredWebhookEvent>;
  readonly exchange_wallet: TypesOf<ExchangeWalletListed>;
  readonly fee_account: TypesOf<FeeAccountEvent>;
  readonly fee_accrual: TypesOf<FeeAccrued>;
  readonly fee_invoice: TypesOf<FeeInvoiceEvent>;
  readonly invoice: TypesOf<InvoiceEvent>;
  readonly invoice_series: TypesOf<InvoiceSeriesEvent>;
  readonly keyring: TypesOf<KeyringEvent>;
  readonly merchant: TypesOf<MerchantEvent>;
  readonly merchant_settings: TypesOf<MerchantSettingsEvent>;
  readonly micro_deposit: TypesOf<MicroDepositEvent>;
  readonly naming: TypesOf<NamingEvent>;
  readonly notifications: TypesOf<NotificationsSet>;
  readonly passkey: TypesOf<PasskeyEvent>;
  readonly payment_intent: TypesOf<PaymentIntentEvent>;
  readonly payment_link: TypesOf<PaymentLinkEvent>;
  readonly routes: TypesOf<RouteEvent>;
  readonly sandbox_clock: TypesOf<SandboxClockEvent>;
  readonly session: TypesOf<SessionEvent>;
  readonly session_policy: TypesOf<SessionPolicySet>;
  readonly sign_in_refusals: TypesOf<SignInRefused>;
  readonly transfer: TypesOf<TransferEvent>;
  readonly unheard_webhook: TypesOf<UnheardWebhookEvent>;
  readonly user: TypesOf<UserEvent>;
  readonly wallet: TypesOf<WalletEvent>;
  readonly webhook_delivery: TypesOf<WebhookDeliveryEvent>;
  readonly webhook_endpoint: TypesOf<WebhookEndpointEvent>;
};

/** The types of the events that the service records, by the category of their stream. */
export const EVENT_TYPES: TypesByCategory = {
  amount_slot: {
    AmountReleased: true,
    AmountReserved: true,
  },
  api_key: {
    ApiKeyMinted: true,
    ApiKeyRevoked: true,
    ApiKeyRotated: true,
  },
  balance: {
    BalanceObserved: true,
    DayReconciled: true,
  },
  coverage: {
    CoverageReplaced: true,
    CoverageSealed: true,
    CoverageStarted: true,
  },
  coverage_hole: {
    CoverageHoleClosed: true,
    CoverageHoleDropped: true,
    CoverageHoleExtended: true,
    CoverageHoleOpened: true,
    CoverageHoleRead: true,
    CoverageHoleShortened: true,
  },
  deferred_transfer: {
    DeferredTransferDropped: true,
    DeferredTransferFinished: true,
    DeferredTransferGivenUp: true,
    TransferDeferred: true,
  },
  deferred_webhook: {
    DeferredWebhookOpened: true,
    WebhookDeferred: true,
  },
  exchange_wallet: {
    ExchangeWalletListed: true,
  },
  fee_account: {
    FeeAdjusted: true,
    FeeInvoiced: true,
  },
  fee_accrual: {
    FeeAccrued: true,
  },
  fee_invoice: {
    FeeInvoiceIssued: true,
    FeeInvoicePaid: true,
  },
  invoice: {
    InvoiceDrafted: true,
    InvoiceFellOverdue: true,
    InvoiceIssued: true,
    InvoiceMailed: true,
    InvoicePaid: true,
    InvoicePaidAgain: true,
    InvoiceVoided: true,
  },
  invoice_series: {
    InvoiceNumberAllocated: true,
  },
  keyring: {
    DataKeyMade: true,
    DataKeyRewrapped: true,
  },
  merchant: {
    ApiVersionPinned: true,
    BrandSet: true,
    DefaultSuccessUrlSet: true,
    EnabledTokensSet: true,
    FeeRateSet: true,
    MerchantDisabled: true,
    MerchantEnabled: true,
    MerchantRegistered: true,
    OwnerReleased: true,
    PauseScheduled: true,
    PauseWithdrawn: true,
    PaymentToleranceSet: true,
  },
  merchant_settings: {
    SettingsSet: true,
  },
  micro_deposit: {
    MicroDepositCredited: true,
    MicroDepositDropped: true,
    MicroDepositReleased: true,
    MicroDepositReserved: true,
    MicroDepositSeen: true,
  },
  naming: {
    ExchangeTransferNamed: true,
    NamingAttributed: true,
    NamingKept: true,
    NamingReferred: true,
    NamingRefused: true,
    TransactionNamed: true,
  },
  notifications: {
    NotificationsSet: true,
  },
  passkey: {
    PasskeyCounterRegressed: true,
    PasskeyRegistered: true,
    PasskeyWithdrawn: true,
  },
  payment_intent: {
    ConfirmationSeen: true,
    DepthReached: true,
    HoldPlaced: true,
    HoldRejected: true,
    HoldReleased: true,
    MethodSelected: true,
    PaidLate: true,
    PayerScreened: true,
    PaymentAccepted: true,
    PaymentCanceled: true,
    PaymentConfirmed: true,
    PaymentFailed: true,
    PaymentIntentCreated: true,
    PaymentOverpaid: true,
    PaymentUnderpaid: true,
    QuoteExpired: true,
    RemainderCredited: true,
    RemainderReserved: true,
    ReviewResolved: true,
    SettledTransferLost: true,
    TransferDetected: true,
    TransferDropped: true,
    TransferLimitReached: true,
    TransferMoved: true,
  },
  payment_link: {
    PaymentLinkCreated: true,
    PaymentLinkDeactivated: true,
    PaymentLinkUsed: true,
  },
  routes: {
    RouteSet: true,
  },
  sandbox_clock: {
    SandboxClockAdvanced: true,
  },
  session: {
    SessionEnded: true,
    SessionStarted: true,
    SteppedUp: true,
  },
  session_policy: {
    SessionPolicySet: true,
  },
  sign_in_refusals: {
    SignInRefused: true,
  },
  transfer: {
    AttributionFailed: true,
    CandidatesRanked: true,
    TransferClaimed: true,
    TransferCommitted: true,
    TransferReopened: true,
    TransferReorgedOut: true,
    TransferResolved: true,
    TransferSeen: true,
    TransferSetAside: true,
    TransferUnmatched: true,
  },
  unheard_webhook: {
    WebhookUnheard: true,
  },
  user: {
    InvitationAccepted: true,
    PasskeyAdded: true,
    PasskeyRemoved: true,
    PasswordChanged: true,
    RecoveryCodesMade: true,
    RecoveryCodeUsed: true,
    RoleGiven: true,
    TotpEnrolled: true,
    UserDisabled: true,
    UserEnabled: true,
    UserInvited: true,
    UserRegistered: true,
    UserSignedUp: true,
  },
  wallet: {
    WalletChallengeIssued: true,
    WalletChanged: true,
    WalletDepositAsked: true,
    WalletRegistered: true,
    WalletVerified: true,
  },
  webhook_delivery: {
    DeliveryAttemptFailed: true,
    DeliveryScheduled: true,
    DeliverySucceeded: true,
    DeliveryWithheld: true,
    RedeliveryFailed: true,
    RedeliveryRequested: true,
    RedeliverySucceeded: true,
  },
  webhook_endpoint: {
    SigningSecretRolled: true,
    WebhookEndpointCreated: true,
    WebhookEndpointDescribed: true,
    WebhookEndpointDisabled: true,
    WebhookEndpointEnabled: true,
    WebhookEndpointMoved: true,
    WebhookEndpointSubscribed: true,
  },
};

/** Whether a stream of the category may hold an event of the type, in its newest version or in a former one. */
export function isEventOf(category: string, type: string): boolean {
  const newest: Readonly<Record<string, Readonly<Record<string, true>>>> = EVENT_TYPES;
  return [newest[category], UPCASTS[category]].some(types => types !== undefined && Object.hasOwn(types, type));
}
