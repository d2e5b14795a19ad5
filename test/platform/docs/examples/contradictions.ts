import { statusToldBy } from '../../../../src/modules/webhooks/webhook-types';
import { NETWORKS } from '../../../../src/vocabulary/networks';
import { formatTokenAmount, TOKENS, type TokenId } from '../../../../src/vocabulary/tokens';

type Members = Readonly<Record<string, unknown>>;
/** A sentence that must hold of an object, and whether it does. */
type Claim = readonly [says: string, holds: boolean];

const QUOTE_MS = 15 * 60_000;
const PAID = ['confirmed', 'overpaid'];
const IN_REVIEW = ['underpaid', 'paid_late'];

/** Each place in an example at which two of its fields cannot both be true. */
export function contradictionsIn(value: unknown, place = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, member]) => contradictionsIn(member, `${place}/${name}`));
  const own = Array.isArray(value) ? [] : claimsOf(value as Members).filter(([, holds]) => !holds);
  return [...own.map(([says]) => `${place}: ${says}`), ...inner];
}

function claimsOf(value: Members): readonly Claim[] {
  return [
    ...timesOf(value),
    ...(value.object === 'payment_intent' ? paymentClaims(value) : []),
    ...('pay_uri' in value && 'token_id' in value ? methodClaims(value) : []),
    ...(value.object === 'wallet' ? walletClaims(value) : []),
    ...(value.object === 'api_key' ? keyClaims(value) : []),
    ...('api_version' in value && 'type' in value ? eventClaims(value) : []),
    ...(value.object === 'unmatched_transfer' ? transferClaims(value) : []),
    ...(value.object === 'list' ? listClaims(value) : []),
    ...('next_attempt_at' in value ? deliveryClaims(value) : []),
    ...('resolution' in value ? [decided(value)] : []),
  ];
}

/** Nothing of an object is older than the object, except what it is made of. */
function timesOf(value: Members): readonly Claim[] {
  const { created } = value;
  if (typeof created !== 'string') return [];
  const later = [
    'confirmed_at',
    'canceled_at',
    'expires_at',
    'revoked_at',
    'updated_at',
    'last_used_at',
    'resolved_at',
  ];
  return later.flatMap(name => {
    const time = value[name];
    return typeof time === 'string' ? [[`${name} is not before created`, time >= created] as const] : [];
  });
}

function paymentClaims(payment: Members): readonly Claim[] {
  const { status, payment_method: method, transfers, review, remaining, failure_reason: failure } = payment;
  const state = String(status);
  const count = (transfers as readonly unknown[]).length;
  const reason = (review as Members | null)?.reason;
  const quoted = method as Members | null;
  return [
    ['a payment that is created has no method', state !== 'created' || method === null],
    ['a payment that is on its way has a method', ['created', 'canceled'].includes(state) || method !== null],
    ['it has come to nothing without a method', method !== null || payment.received_token_amount === null],
    ['transfers need a method', method !== null || count === 0],
    ['a payment without transfers has received nothing', count > 0 || payment.received_amount === '0'],
    ['a paid one has received something', !PAID.includes(state) || payment.received_amount !== '0'],
    ['only a paid one was confirmed', PAID.includes(state) === (payment.confirmed_at !== null)],
    ['only a canceled one was canceled', (state === 'canceled') === (payment.canceled_at !== null)],
    ['only a failed one has failed', (state === 'failed') === (failure !== null)],
    ['one that is reviewed has a review of its state', !IN_REVIEW.includes(state) || reason === state],
    ['a remainder is of an underpaid one', remaining === null || state === 'underpaid'],
    ['an overpaid one has a surplus', state !== 'overpaid' || payment.surplus_token_amount !== null],
    ['it expires with its quote', quoted?.quote_expires_at === (payment.expires_at ?? undefined)],
    ['its id stands in its checkout', String(payment.checkout_url).endsWith(`/${String(payment.id)}`)],
  ];
}

function methodClaims(method: Members): readonly Claim[] {
  const token = TOKENS[method.token_id as TokenId];
  const { family, chainId } = NETWORKS[token.network];
  const { address, token_contract: contract, token_amount_base_units: due } = method;
  const evm = `ethereum:${String(contract)}@${String(method.chain_id)}/transfer?address=${String(address)}&uint256=${String(due)}`;
  const uri = String(method.pay_uri);
  const lastsMs = Date.parse(String(method.quote_expires_at)) - Date.parse(String(method.quoted_at));
  return [
    ['the network is the token’s', method.network_id === token.network],
    ['the asset is the token’s', method.asset_symbol === token.asset],
    ['the decimals are the token’s', method.token_decimals === token.decimals],
    ['the contract is the token’s', Object.values(token.contract).includes(String(contract))],
    ['the chain is the network’s', method.chain_id === (chainId?.test ?? null)],
    ['the link is of the network', family === 'tron' ? uri.startsWith(`tron:${String(address)}?`) : uri === evm],
    ['both amounts are one', method.token_amount === formatTokenAmount(token, BigInt(String(due)))],
    ['a quote lasts 15 minutes', lastsMs === QUOTE_MS],
    ['the amount is kept beyond the quote', String(method.reserved_until) > String(method.quote_expires_at)],
  ];
}

function walletClaims({ status, verification }: Members): readonly Claim[] {
  return [['a verified wallet has its verification', (status === 'verified') === (verification !== null)]];
}

function keyClaims({ status, kind, mode, secret, last4, revoked_at: revokedAt }: Members): readonly Claim[] {
  return [
    ['only a revoked key was revoked', (status === 'revoked') === (revokedAt !== null)],
    [
      'the secret is of its kind',
      secret === undefined || String(secret).startsWith(`${String(kind)}_${String(mode)}_`),
    ],
    ['the secret ends as it is said', secret === undefined || String(secret).endsWith(String(last4))],
  ];
}

function eventClaims({ type, data }: Members): readonly Claim[] {
  const { status } = data as Members;
  return [['the type tells of the state', statusToldBy(String(type)) === status]];
}

function transferClaims({ token_id: id, network_id: network, asset_symbol: asset, ...row }: Members): readonly Claim[] {
  const token = TOKENS[id as TokenId];
  return [
    ['the network is the token’s', network === token.network],
    ['the asset is the token’s', asset === token.asset],
    ['only one that was set aside says how', (row.status === 'set_aside') === (row.set_aside !== null)],
  ];
}

function listClaims({ data, has_more: hasMore, url }: Members): readonly Claim[] {
  const ids = (data as readonly Members[]).map(({ id }) => id);
  return [
    ['an empty page is the last one', ids.length > 0 || hasMore === false],
    ['each object is there once', new Set(ids).size === ids.length],
    ['its path is one of the API', String(url).startsWith('/v1/')],
  ];
}

function deliveryClaims({
  status,
  attempts,
  manual_attempts: manual,
  next_attempt_at: next,
}: Members): readonly Claim[] {
  return [
    ['what is delivered was sent', status !== 'delivered' || Number(attempts) + Number(manual) > 0],
    ['what is delivered is not sent again', status !== 'delivered' || next === null],
  ];
}

function decided({ resolution, note }: Members): Claim {
  return ['a note is of a decision', resolution !== null || note === null];
}
