import { UPCASTS } from './aggregates';
import type { TypesByCategory } from './events-by-category';

/** The types of the events that the service records, by the category of their stream. */
export const EVENT_TYPES: TypesByCategory = {
  amount_slot: {
    AmountReleased: true,
    AmountReserved: true,
  },
  api_key: {
    ApiKeyBounded: true,
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
  kill_switch: {
    KillSwitchLifted: true,
    KillSwitchSet: true,
  },
  kyb_case: {
    KybApproved: true,
    KybCaseOpened: true,
    KybCaseSubmitted: true,
    KybDocumentAdded: true,
    KybDocumentRemoved: true,
    KybRejected: true,
  },
  merchant: {
    ApiVersionPinned: true,
    BrandSet: true,
    DefaultSuccessUrlSet: true,
    EnabledTokensSet: true,
    FeeRateSet: true,
    MerchantClosed: true,
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
    AuthenticatorReset: true,
    InvitationAccepted: true,
    InvitationWithdrawn: true,
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
