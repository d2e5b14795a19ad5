import { NEWEST_API_VERSION } from '../../src/kernel/api-versions';
import type { CommandContext } from '../../src/kernel/command-context';
import type { ActorRole, Universe } from '../../src/kernel/event';
import { derivedId } from '../../src/kernel/ids';
import { TOKENS, type TokenId } from '../../src/kernel/tokens';
import type { WritePath } from '../../src/kernel/write-path';
import type { SecretBox } from '../../src/kernel/ports/secret-box';
import { merchants } from '../../src/modules/merchants/merchant.decider';
import { routes } from '../../src/modules/routes/routes.decider';
import { wallets } from '../../src/modules/wallets/wallet.decider';
import { webhookEndpoints } from '../../src/modules/webhooks/webhook-endpoint.decider';
import type { WebhookUrl } from '../../src/modules/webhooks/webhook-url';

export type Shop = {
  readonly merchantId: string;
  readonly walletIds: Readonly<Record<'base' | 'bnb', string>>;
  readonly endpoints: readonly { readonly id: string; readonly url: string }[];
};

/** Two merchants receive at this one address: what is matched is the amount, whoever's it is. */
export const SHARED_ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
export const TOKEN_OF = { base: 'usdc-base', bnb: 'usdt-bnb' } as const satisfies Record<'base' | 'bnb', TokenId>;

export function simulatedContext(
  commandId: string,
  role: ActorRole,
  universe: Universe,
  merchantId: string | null,
  now: number,
): CommandContext {
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

/** A merchant with a verified wallet and a route on each network, and an endpoint, as a long chain of API calls would have left it. */
export async function openShop(writes: WritePath, secretBox: SecretBox, number: number, now: number): Promise<Shop> {
  const merchantId = `mch_${String(number).padStart(26, '0')}`;
  const context = (step: string, universe: Universe = 'test') =>
    simulatedContext(`shop-${number}/${step}`, 'merchant', universe, merchantId, now);
  const register = { type: 'register', name: `Shop ${number}`, email: `${number}@shop.example` } as const;
  await writes.execute(merchants, merchantId, register, context('register', 'platform'));
  // The first shop lets payments be short by one percent.
  const changes = { toleranceBps: number === 1 ? 100 : 0 };
  if (number === 1) {
    await writes.execute(merchants, merchantId, { type: 'change_settings', changes }, context('tolerance', 'platform'));
  }
  const walletIds = {
    base: await openWallet(writes, 'base', merchantId, context),
    bnb: await openWallet(writes, 'bnb', merchantId, context),
  };
  const entries = (['base', 'bnb'] as const).map(networkId => ({
    assetSymbol: TOKENS[TOKEN_OF[networkId]].asset,
    networkId,
    walletId: walletIds[networkId],
    wallet: { merchantId, networkId, verified: true },
  }));
  await writes.execute(routes, merchantId, { type: 'set', merchantId, mode: 'test', entries }, context('routes'));
  const url = `https://shop-${number}.example/hooks` as WebhookUrl;
  const id = `we_${String(number).padStart(26, '0')}`;
  const secret = { id: `ws_${number}`, sealed: secretBox.seal(`whsec_${number}`, `ws_${number}`) };
  const endpoint = { url, description: null, enabledEvents: ['*'], apiVersion: NEWEST_API_VERSION, secret };
  await writes.execute(webhookEndpoints, id, { type: 'create', ...endpoint }, context('endpoint'));
  return { merchantId, walletIds, endpoints: [{ id, url }] };
}

async function openWallet(
  writes: WritePath,
  network: 'base' | 'bnb',
  merchantId: string,
  context: (step: string) => CommandContext,
): Promise<string> {
  const id = derivedId('wal', ['test', merchantId, network, SHARED_ADDRESS]);
  const registration = { network_id: network, address: SHARED_ADDRESS, label: 'Till', controls_private_key: true };
  await writes.execute(wallets, id, { type: 'register', registration }, context(`wallet-${network}`));
  const challenge = {
    method: 'micro_deposit',
    deposit_id: `deposit-${id}`,
    address: SHARED_ADDRESS,
    token_id: TOKEN_OF[network],
    amount_base_units: '1001',
    expires_at: '2026-11-02T00:00:00.000Z',
  } as const;
  await writes.execute(wallets, id, { type: 'ask_deposit', challenge }, context(`ask-${network}`));
  const credit = { type: 'credit_deposit', depositId: challenge.deposit_id } as const;
  await writes.execute(wallets, id, credit, context(`deposit-${network}`));
  return id;
}
