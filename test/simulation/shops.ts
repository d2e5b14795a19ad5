import { NEWEST_API_VERSION } from '../../src/vocabulary/api-versions';
import type { CommandContext } from '../../src/kernel/command-context';
import type { ActorRole } from '../../src/kernel/event';
import type { Mode, Universe } from '../../src/vocabulary/modes';
import { derivedId } from '../../src/vocabulary/ids';
import type { NetworkId } from '../../src/vocabulary/networks';
import type { WritePath } from '../../src/kernel/write-path';
import type { SecretBox } from '../../src/kernel/ports/secret-box';
import { merchants } from '../../src/modules/merchants/merchant.decider';
import { DEFAULT_SETTINGS } from '../../src/modules/merchants/merchant-settings';
import { merchantSettings } from '../../src/modules/merchants/merchant-settings.decider';
import { routes } from '../../src/modules/routes/routes.decider';
import { wallets } from '../../src/modules/wallets/wallet.decider';
import { webhookEndpoints } from '../../src/modules/webhooks/webhook-endpoint.decider';
import { WEBHOOK_TYPES } from '../../src/modules/webhooks/webhook-types';
import type { WebhookUrl } from '../../src/modules/webhooks/webhook-url';
import { isOn } from './knobs';
import { sharedAddress, TOKEN_OF, tokenOf, type Setting } from './setting';

export type Shop = {
  readonly merchantId: string;
  readonly setting: Setting;
  /** On which it quotes. */
  readonly walletIds: Partial<Record<NetworkId, string>>;
  readonly endpoints: readonly { readonly id: string; readonly url: string }[];
  /** The part that a payment may be short by, in hundredths of a percent. */
  readonly toleranceBps: number;
};

/** One type that the payment's event alone tells, and one that its state before decides. */
const UNHEARD_TYPES: readonly string[] = ['payment.created', 'payment.detected'];
const SOME_TYPES: readonly string[] = ['payment.confirmed', 'payment.expired', 'payment.underpaid'];
/** The types that each endpoint of a shop asks for, by shop. The second shop never hears of the UNHEARD_TYPES. */
const WANTED: readonly (readonly (readonly string[])[])[] = [
  [['*'], SOME_TYPES],
  [WEBHOOK_TYPES.filter(type => !UNHEARD_TYPES.includes(type)), SOME_TYPES],
];
/** The first shop lets payments be short by one percent, and start anew, and has its customers reminded by mail. */
const TOLERANCES_BPS = [100, 0] as const;
const REMINDERS = [-1, 1];

export function simulatedContext<Of extends Universe, MerchantId extends string | null>(
  commandId: string,
  role: ActorRole,
  universe: Of,
  merchantId: MerchantId,
  now: number,
): CommandContext & { readonly universe: Of; readonly merchantId: MerchantId } {
  const actor = { role, type: role === 'admin' ? 'admin' : 'api_key', id: 'simulated' } as const;
  return {
    commandId,
    startedAt: now,
    now,
    actor,
    universe,
    merchantId,
    requestId: null,
    correlationId: commandId,
    causationId: null,
    ip: null,
  };
}

/**
 * A merchant with a verified wallet and a route on each network, and endpoints, as a long chain of API calls would have
 * left it.
 */
export async function openShop(
  setting: Setting,
  { writes, secretBox }: { readonly writes: WritePath; readonly secretBox: SecretBox },
  number: number,
  now: number,
): Promise<Shop> {
  const { mode, networks } = setting;
  const merchantId = `mch_${String(number).padStart(26, '0')}`;
  const context = (step: string, universe: Universe = mode) =>
    simulatedContext(`shop-${number}/${step}`, 'merchant', universe, merchantId, now);
  const register = { type: 'register', name: `Shop ${number}`, email: `${number}@shop.example` } as const;
  await writes.execute(merchants, merchantId, register, context('register', 'platform'));
  const toleranceBps = TOLERANCES_BPS[number - 1] ?? 0;
  if (toleranceBps > 0) {
    const changes = { toleranceBps, checkoutRestart: true, reminders: REMINDERS };
    const change = { type: 'change', changes, starting: DEFAULT_SETTINGS } as const;
    await writes.execute(merchantSettings, merchantId, change, context('settings'));
  }
  const walletIds: Partial<Record<NetworkId, string>> = {};
  for (const networkId of networks) {
    const address = sharedAddress(networkId);
    walletIds[networkId] = await openWallet(writes, { merchantId, mode, networkId, address }, context);
  }
  await writes.execute(routes, merchantId, routesTo(walletIds, { merchantId, mode }), context('routes'));
  const endpoints = [];
  const wanted = WANTED[number - 1] ?? [];
  for (const [index, enabledEvents] of wanted.slice(0, isOn('endpoints') ? wanted.length : 1).entries()) {
    const url = `https://shop-${number}.example/hooks-${index}` as WebhookUrl;
    const id = `we_${String(10 * number + index).padStart(26, '0')}`;
    const name = `ws_${number}_${index}`;
    const sealed = await secretBox.seal(`whsec_${number}_${index}`, name, { universe: mode, merchantId });
    const secret = { id: name, sealed };
    const endpoint = { url, description: null, enabledEvents, apiVersion: NEWEST_API_VERSION, secret };
    await writes.execute(webhookEndpoints, id, { type: 'create', ...endpoint }, context(`endpoint-${index}`));
    endpoints.push({ id, url });
  }
  return { merchantId, setting, walletIds, endpoints, toleranceBps };
}

type Owner = { readonly merchantId: string; readonly mode: Mode };

/** All routes of a merchant, one a network. */
export function routesTo(walletIds: Shop['walletIds'], { merchantId, mode }: Owner) {
  const entries = (Object.entries(walletIds) as [NetworkId, string][]).map(([networkId, walletId]) => {
    const wallet = { merchantId, networkId, verified: true };
    return { assetSymbol: tokenOf(networkId).asset, networkId, walletId, wallet };
  });
  return { type: 'set', merchantId, mode, entries } as const;
}

/** A verified wallet, as its merchant has it once its deposit has come. */
export async function openWallet(
  writes: WritePath,
  {
    merchantId,
    mode,
    networkId: network,
    address,
  }: Owner & { readonly networkId: NetworkId; readonly address: string },
  context: (step: string) => CommandContext,
): Promise<string> {
  const id = derivedId('wal', [mode, merchantId, network, address]);
  const registration = { network_id: network, address, label: 'Till', controls_private_key: true };
  await writes.execute(wallets, id, { type: 'register', registration }, context(`wallet-${network}`));
  const challenge = {
    method: 'micro_deposit',
    deposit_id: `deposit-${id}`,
    address,
    token_id: TOKEN_OF[network],
    amount_base_units: '1001',
    expires_at: '2026-11-02T00:00:00.000Z',
  } as const;
  await writes.execute(wallets, id, { type: 'ask_deposit', challenge }, context(`ask-${network}`));
  const credit = { type: 'credit_deposit', depositId: challenge.deposit_id } as const;
  await writes.execute(wallets, id, credit, context(`deposit-${network}`));
  return id;
}
