import type { MailFacts, MailKind, MailName } from '../../src/modules/outbox/mail-kinds';

const AT = '2026-11-01T12:00:00.000Z';
const LATER = '2026-12-01T23:30:00.000Z';
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const TX = `0x${'ab'.repeat(32)}`;
const PAYMENT = 'pi_00000000000000000000000001';
const INVOICE = 'inv_00000000000000000000000001';
const TRANSFER = `tr_base_${TX}_0`;
const actor = { role: 'merchant', type: 'api_key', id: 'key_00000000000000000000000001' } as const;
const user = { role: 'merchant', type: 'user', id: 'usr_00000000000000000000000001' } as const;
const operator = { role: 'admin', type: 'admin', id: 'cli:alice' } as const;
const change = { mode: 'test', origin: { at: AT, actor, ip: '203.0.113.7' } } as const;
const origin = { at: AT, actor: user, ip: null };
const own = { realm: 'merchant', origin } as const;
const route = {
  ...change,
  asset: 'USDT',
  network: 'bnb',
  walletId: 'wal_00000000000000000000000001',
  address: ADDRESS,
} as const;
const endpoint = { ...change, endpointId: 'we_00000000000000000000000001', host: 'shop.example' };
const keyId = actor.id;
const amount = { currency: 'EUR', minorUnits: '2975', decimals: 2 };
const fee = { id: 'finv_1', number: 'FEE-00000001-000001', amount, dueAt: LATER, pausesAt: LATER };
const lag = { mode: 'live', network: 'bnb', since: AT } as const;
const givenUp = {
  mode: 'live',
  stream: 'live.coverage_hole-bnb:56:7:0x07',
  why: 'lost',
  givenUpBy: 'cli:a',
  at: AT,
} as const;
const token = 'tokenOf_32-random-bytes';

/** One mail of each kind. */
export const SAMPLES: MailFacts = {
  route_set: route,
  route_changed: { ...route, coolingDownUntil: LATER },
  api_key_minted: { ...change, keyId, name: 'Till', scopes: ['payment:read', 'payment:create'], expiresAt: null },
  api_key_rotated: { ...change, keyId, successor: 'key_00000000000000000000000002', expiresAt: LATER },
  api_key_revoked: { ...change, keyId },
  endpoint_created: endpoint,
  endpoint_moved: endpoint,
  endpoint_secret_rolled: { ...endpoint, overlapEndsAt: LATER },
  endpoint_disabled: endpoint,
  endpoint_failing: endpoint,
  session_policy_set: { idleMinutes: 15, absoluteMinutes: 1_440, pinsAddress: true, origin },
  codes_barred: { keyId, barred: { kind: 'key', id: keyId, limit: 10 }, isOfRevoking: false, at: AT },
  transfer_lost: { mode: 'live', transferId: TRANSFER, paymentIntent: PAYMENT, at: AT },
  transfer_queued: {
    mode: 'live',
    transferId: TRANSFER,
    txHash: TX,
    tokenId: 'usdc-base',
    baseUnits: '12340000',
    from: ADDRESS,
    to: ADDRESS,
  },
  payment_inferred: {
    mode: 'live',
    paymentIntent: PAYMENT,
    tokenId: 'usdc-base',
    dueBaseUnits: '27000120',
    received: [{ transferId: TRANSFER, txHash: TX, from: ADDRESS, baseUnits: '26865119' }],
  },
  payment_came_late: {
    ...{ mode: 'live', paymentIntent: PAYMENT, transferId: TRANSFER, tokenId: 'usdc-base' },
    ...{ dueBaseUnits: '27000120', receivedBaseUnits: '27000120' },
  },
  fee_invoice_issued: fee,
  pause_announced: fee,
  invoice_paid_again: {
    mode: 'live',
    invoice: INVOICE,
    number: 'INV-000001',
    amount,
    isVoid: false,
    paidBy: PAYMENT,
    paymentIntent: 'pi_00000000000000000000000002',
  },
  invoice_mailed: {
    language: null,
    mode: 'test',
    invoice: INVOICE,
    number: 'INV-000001',
    shop: 'Tea House',
    customer: 'Ada Byron',
    liveTo: 'ada@example.com',
    description: 'Tea of November',
    amount,
    due: { at: LATER, timeZone: 'Europe/Paris' },
    isPaid: false,
    isReminder: true,
    reminderDays: 7,
  },
  signed_in_anew: {
    ...{ realm: 'merchant', method: 'passkey', network: '203.0.113.0/24', browser: 'Firefox' },
    ...{ ip: '203.0.113.7', at: AT },
  },
  sign_ins_failed: { failures: 20, at: AT },
  password_changed: { ...own, reason: 'reset' },
  authenticator_enrolled: own,
  recovery_codes_made: own,
  authenticator_reset: { ...own, reason: 'The telephone was lost.' },
  authenticator_of_other_reset: { ...own, email: 'ada@example.com', reason: 'The telephone was lost.' },
  recovery_code_used: own,
  passkey_added: { ...own, name: 'Laptop' },
  passkey_removed: own,
  role_given: { role: 'support', deed: { at: AT, actor: user } },
  user_disabled: { deed: { at: AT, actor: operator } },
  user_enabled: { deed: { at: AT, actor: user } },
  sign_up_link: { token, expiresAt: LATER },
  admin_reset_link: { token, expiresAt: LATER },
  admin_invitation: { token, expiresAt: LATER, role: 'compliance' },
  admin_sign_ins_failed: { failures: 20, at: AT },
  admin_role_given: { role: 'finance', deed: { at: AT, actor: operator } },
  admin_disabled: { reason: 'Has left.', deed: { at: AT, actor: operator } },
  admin_enabled: { reason: 'Is back.', deed: { at: AT, actor: operator } },
  reset_link: { token, expiresAt: LATER },
  invitation: { business: 'Corner Shop', role: 'finance', token, expiresAt: LATER },
  account_exists: {},
  set_aside: { mode: 'live', network: 'bnb', holes: 1, deferred: 2, isFull: false, since: AT },
  behind: { ...lag, readUntil: null },
  caught_up: { ...lag, steadyAt: LATER },
  hole_closed: givenUp,
  deferral_given_up: { ...givenUp, stream: 'live.deferred_transfer-bnb:0xaa:0:0x07' },
  lost_fee: {
    merchantId: 'mch_00000000000000000000000001',
    paymentIntent: PAYMENT,
    transferId: TRANSFER,
    fee: { currency: 'EUR', minorUnits: '12', decimals: 2 },
  },
};

export const SAMPLE_MAILS = Object.entries(SAMPLES).map(([kind, facts]) => ({ kind, facts }) as MailKind);

export function sample<Name extends MailName>(kind: Name, changes: Partial<MailFacts[Name]>): MailKind {
  return { kind, facts: { ...SAMPLES[kind], ...changes } } as MailKind;
}

/** Mails whose facts choose other words than the samples do. */
export const OTHER_MAILS: readonly MailKind[] = [
  sample('api_key_minted', { name: null }),
  sample('codes_barred', { isOfRevoking: true }),
  ...[true, false].map(isOfRevoking =>
    sample('codes_barred', { isOfRevoking, barred: { kind: 'user', id: user.id, limit: 50 } }),
  ),
  sample('invoice_paid_again', { isVoid: true, paidBy: null }),
  sample('invoice_mailed', { isPaid: true, isReminder: false, reminderDays: null }),
  sample('invoice_mailed', { reminderDays: -3 }),
  sample('invoice_mailed', { mode: 'live', reminderDays: 0, customer: null, description: null, due: null }),
  sample('session_policy_set', { pinsAddress: false }),
  sample('password_changed', { reason: 'changed' }),
  sample('signed_in_anew', { network: null, ip: null }),
  sample('signed_in_anew', { realm: 'admin' }),
  sample('passkey_removed', { realm: 'admin' }),
  sample('set_aside', { isFull: true }),
];
