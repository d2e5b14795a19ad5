import { parseStreamName, type RecordedEvent } from '../../kernel/event';
import { adminsReadModel } from '../admins/admins.read-model';
import { apiKeysReadModel } from '../api-keys/api-keys.read-model';
import { approvalsReadModel } from '../approvals/approvals.read-model';
import { sanctionedAddressesReadModel } from '../controls/sanctioned-addresses.read-model';
import { velocityLimitsReadModel } from '../controls/velocity-limits.read-model';
import { feeInvoicesReadModel } from '../fees/fee-invoices.read-model';
import { invoicesReadModel } from '../invoices/invoices.read-model';
import { killSwitchesReadModel } from '../kill-switches/kill-switches.read-model';
import { kybCasesReadModel } from '../kyb/kyb-cases.read-model';
import { merchantsReadModel } from '../merchants/merchants.read-model';
import { paymentLinksReadModel } from '../payment-links/payment-links.read-model';
import { routesReadModel } from '../routes/routes.read-model';
import { usersReadModel } from '../users/users.read-model';
import { walletsReadModel } from '../wallets/wallets.read-model';
import { webhookEndpointsReadModel } from '../webhooks/webhook-endpoints.read-model';
import type { Action, Category, Rules, RulesByCategory } from './audit-rule';
import { RESTATED, shown, type ShownState } from './audit-states';
import { PAYMENT_AUDIT_RULES } from './payment-audit-rules';

const PERSON = [
  'email', 'name', 'role', 'status', 'email_verified_at', 'password_changed_at', 'totp_enrolled_at',
  'recovery_codes_left',
] as const; // prettier-ignore

/**
 * The audit log's vocabulary. A stream that people change shows the state before and after. A stream that the service
 * itself writes to, such as that of a payment, shows the event's own facts.
 */
// prettier-ignore
export const AUDIT_RULES: RulesByCategory = {
  ...PAYMENT_AUDIT_RULES,
  admin: {
    state: shown(adminsReadModel, PERSON),
    actions: {
      AdminBootstrapped: 'admin.bootstrap', AdminCreated: 'admin.create', AdminDisabled: 'admin.disable',
      AdminEnabled: 'admin.enable',
      AdminInvited: 'admin.invite', AdminRoleGiven: 'admin.give_role', AuthenticatorReset: 'admin.reset_authenticator',
      InvitationAccepted: 'admin.accept_invitation', PasskeyAdded: 'admin.add_passkey',
      PasskeyRemoved: 'admin.remove_passkey',
      PasswordChanged: 'admin.change_password', RecoveryCodesMade: 'admin.make_recovery_codes',
      RecoveryCodeUsed: 'admin.use_recovery_code', TotpEnrolled: 'admin.enrol_authenticator',
    },
  },
  admin_owners: {
    target: 'admin', targetId: (_, { admin_id: id }) => String(id),
    actions: { AdminOwnerReleased: 'admin.release_owner', FirstAdminMade: 'admin.make_first' },
  },
  admin_session: {
    actions: { SessionEnded: 'admin_session.end', SessionStarted: 'admin_session.start',
    SteppedUp: 'admin_session.step_up' },
  },
  api_key: {
    state: shown(apiKeysReadModel, ['name', 'scopes', 'withheld', 'status', 'successor', 'expires_at', 'revoked_at']),
    actions: {
      ApiKeyBounded: 'api_key.withhold', ApiKeyMinted: 'api_key.create', ApiKeyRevoked: 'api_key.revoke',
      ApiKeyRotated: 'api_key.rotate',
    },
  },
  approval: {
    state: shown(approvalsReadModel, ['status', 'decided_by', 'executed_by', 'refusal']),
    actions: {
      ActionApproved: 'approval.approve', ActionDenied: 'approval.deny', ActionProposed: 'approval.propose',
      ActionWithdrawn: 'approval.withdraw', ExecutionHandedBack: 'approval.hand_back',
      ExecutionStarted: 'approval.execute',
      ExecutionSucceeded: 'approval.succeed',
    },
  },
  deferred_webhook: {
    actions: {
      DeferredWebhookOpened: 'deferred_webhook.open', WebhookDeferred: 'deferred_webhook.defer',
    },
  },
  exchange_wallet: { state: RESTATED, actions: { ExchangeWalletListed: 'exchange_wallet.list' } },
  fee_account: { state: RESTATED, actions: { FeeAdjusted: 'fee.adjust', FeeInvoiced: 'fee.invoice' } },
  fee_accrual: { actions: { FeeAccrued: 'fee.accrue' } },
  fee_invoice: {
    state: shown(feeInvoicesReadModel, ['status', 'reference', 'paid_at']), statesOf: ['FeeInvoicePaid'],
    actions: { FeeInvoiceIssued: 'fee_invoice.issue', FeeInvoicePaid: 'fee_invoice.pay' },
  },
  geo_block: { state: RESTATED, actions: { CountriesBlocked: 'geo_block.set' } },
  invoice: {
    state: shown(invoicesReadModel, ['status']), statesOf: ['InvoiceIssued', 'InvoiceVoided'],
    actions: {
      InvoiceDrafted: 'invoice.draft', InvoiceFellOverdue: 'invoice.fall_overdue', InvoiceIssued: 'invoice.issue',
      InvoiceMailed: 'invoice.mail', InvoicePaid: 'invoice.pay', InvoicePaidAgain: 'invoice.pay_again',
      InvoiceVoided: 'invoice.void',
    },
  },
  invoice_series: { actions: { InvoiceNumberAllocated: 'invoice_series.number' } },
  keyring: { actions: { DataKeyMade: 'data_key.make', DataKeyRewrapped: 'data_key.rewrap' } },
  kill_switch: {
    state: shown(killSwitchesReadModel, ['is_set', 'stops']),
    actions: { KillSwitchLifted: 'kill_switch.lift', KillSwitchSet: 'kill_switch.set' },
  },
  kyb_case: {
    state: shown(kybCasesReadModel, ['status', 'business', 'owners', 'documents', 'note']),
    actions: {
      KybApproved: 'kyb.approve', KybCaseOpened: 'kyb.open', KybCaseSubmitted: 'kyb.submit',
      KybDocumentAdded: 'kyb.add_document',
      KybDocumentRemoved: 'kyb.remove_document', KybRejected: 'kyb.reject',
    },
  },
  maintenance: {
    target: 'system', targetId: (id, { group, read_model: readModel }) => String(group ?? readModel ?? id),
    actions: { ParkedMessagesReplayed: 'group.replay', ReadModelRebuilt: 'read_model.rebuild' },
  },
  merchant: {
    state: shown(merchantsReadModel, [
      'name', 'email', 'status', 'disabled_reason', 'closed_reason', 'payment_tolerance_bps', 'enabled_tokens', 'brand',
      'default_success_url', 'api_version', 'payment_ceiling_usd_minor_units', 'fee_bps', 'pauses',
    ]),
    actions: {
      ApiVersionPinned: 'merchant.pin_version', BrandSet: 'merchant.set_brand',
      DefaultSuccessUrlSet: 'merchant.set_success_url',
      EnabledTokensSet: 'merchant.set_tokens', FeeRateSet: 'merchant.set_fee', MerchantClosed: 'merchant.close',
      MerchantDisabled: 'merchant.suspend', MerchantEnabled: 'merchant.resume', MerchantRegistered: 'merchant.register',
      OwnerReleased: 'merchant.release_owner', PauseScheduled: 'merchant.schedule_pause',
      PauseWithdrawn: 'merchant.withdraw_pause',
      PaymentCeilingSet: 'merchant.set_ceiling', PaymentToleranceSet: 'merchant.set_tolerance',
    },
  },
  merchant_settings: { target: 'merchant', state: RESTATED, actions: { SettingsSet: 'merchant.set_settings' } },
  notifications: { target: 'merchant', state: RESTATED, actions: { NotificationsSet: 'merchant.set_notifications' } },
  passkey: {
    actions: {
      PasskeyCounterRegressed: 'passkey.regress_counter', PasskeyRegistered: 'passkey.register',
      PasskeyWithdrawn: 'passkey.withdraw',
    },
  },
  payment_link: {
    state: shown(paymentLinksReadModel, ['active']), statesOf: ['PaymentLinkDeactivated'],
    actions: {
      PaymentLinkCreated: 'payment_link.create', PaymentLinkDeactivated: 'payment_link.deactivate',
      PaymentLinkUsed: 'payment_link.use',
    },
  },
  routes: {
    target: 'route', targetId: (_, { route_id: id }) => String(id),
    state: shown(routesReadModel, ['wallet_id', 'cooling_down_until']),
    actions: { RouteSet: 'route.set' },
  },
  sandbox_clock: { actions: { SandboxClockAdvanced: 'sandbox_clock.advance' } },
  sanctioned_address: {
    state: shown(sanctionedAddressesReadModel, ['entries']),
    actions: { SanctionsEntryAdded: 'sanctions.add', SanctionsEntryRemoved: 'sanctions.remove' },
  },
  screening_settings: { state: RESTATED, actions: { ScreeningTimeoutSet: 'screening.set_timeout' } },
  session: { actions: { SessionEnded: 'session.end', SessionStarted: 'session.start', SteppedUp: 'session.step_up' } },
  session_policy: { target: 'merchant', state: RESTATED, actions: { SessionPolicySet: 'merchant.set_session_policy' } },
  sign_in_refusals: {
    // The stream's id is the person's with a day.
    target: 'person', targetId: id => id.split(':', 1)[0] ?? id,
    actions: { SignInRefused: 'sign_in.refuse' },
  },
  unheard_webhook: { actions: { WebhookUnheard: 'webhook.go_unheard' } },
  user: {
    state: shown(usersReadModel, PERSON),
    actions: {
      AuthenticatorReset: 'user.reset_authenticator', InvitationAccepted: 'user.accept_invitation',
      InvitationWithdrawn: 'user.withdraw_invitation', PasskeyAdded: 'user.add_passkey',
      PasskeyRemoved: 'user.remove_passkey',
      PasswordChanged: 'user.change_password', RecoveryCodesMade: 'user.make_recovery_codes',
      RecoveryCodeUsed: 'user.use_recovery_code',
      RoleGiven: 'user.give_role', TotpEnrolled: 'user.enrol_authenticator', UserDisabled: 'user.disable',
      UserEnabled: 'user.enable',
      UserInvited: 'user.invite', UserRegistered: 'user.register', UserSignedUp: 'user.sign_up',
    },
  },
  velocity_limit: {
    state: shown(velocityLimitsReadModel, ['window_ms', 'max_count', 'max_amount_usd_minor_units', 'is_set']),
    actions: { VelocityLimitLifted: 'velocity_limit.lift', VelocityLimitSet: 'velocity_limit.set' },
  },
  wallet: {
    state: shown(walletsReadModel, ['label', 'dedicated', 'status', 'verification']),
    actions: {
      WalletChallengeIssued: 'wallet.issue_challenge', WalletChanged: 'wallet.change',
      WalletDepositAsked: 'wallet.ask_deposit',
      WalletRegistered: 'wallet.register', WalletVerified: 'wallet.verify',
    },
  },
  webhook_delivery: {
    actions: {
      DeliveryAttemptFailed: 'webhook_delivery.fail_attempt', DeliveryScheduled: 'webhook_delivery.schedule',
      DeliverySucceeded: 'webhook_delivery.succeed', DeliveryWithheld: 'webhook_delivery.withhold',
      RedeliveryFailed: 'webhook_delivery.fail_redelivery', RedeliveryRequested: 'webhook_delivery.request_redelivery',
      RedeliverySucceeded: 'webhook_delivery.succeed_redelivery',
    },
  },
  webhook_endpoint: {
    state: shown(webhookEndpointsReadModel, ['url', 'description', 'enabled_events', 'status', 'disabled_reason']),
    actions: {
      SigningSecretRolled: 'webhook_endpoint.roll_secret', WebhookEndpointCreated: 'webhook_endpoint.create',
      WebhookEndpointDescribed: 'webhook_endpoint.describe', WebhookEndpointDisabled: 'webhook_endpoint.disable',
      WebhookEndpointEnabled: 'webhook_endpoint.enable', WebhookEndpointMoved: 'webhook_endpoint.move',
      WebhookEndpointSubscribed: 'webhook_endpoint.subscribe',
    },
  },
};

export const AUDIT_CATEGORIES = Object.keys(AUDIT_RULES) as readonly Category[];

export const AUDIT_ACTIONS: ReadonlySet<string> = new Set(
  Object.values<Rules<string>>(AUDIT_RULES).flatMap(({ actions }) => Object.values(actions)),
);

export function isAuditAction(text: string): boolean {
  return AUDIT_ACTIONS.has(text);
}

type AuditRule = {
  readonly action: Action;
  readonly target: { readonly type: string; readonly id: string };
  /** Null where the row shows the event's own facts alone. */
  readonly state: ShownState | null;
};

/** Null for an event that the vocabulary does not name: a newer program has recorded it. */
export function auditRule({ stream, type, data }: RecordedEvent): AuditRule | null {
  const { category, id } = parseStreamName(stream);
  const rules = Object.hasOwn(AUDIT_RULES, category) ? (AUDIT_RULES[category as Category] as Rules<string>) : null;
  if (!rules || !Object.hasOwn(rules.actions, type)) return null;
  const { actions, target = category, targetId, state, statesOf } = rules;
  const showsState = state !== undefined && (statesOf?.includes(type) ?? true);
  return {
    action: actions[type] as Action,
    target: { type: target, id: targetId?.(id, data) ?? id },
    state: showsState ? state : null,
  };
}
