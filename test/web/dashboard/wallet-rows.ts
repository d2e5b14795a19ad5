import type { LookedAt } from '../dashboard-pages';
import type { DashboardStage } from '../dashboard-stage';
import type { IsolationRow } from './isolation-rows';
import { stagedWallets, type StagedWallets } from './wallet-stage';

const MODE = '/dashboard/{mode}';
const TEST = '/dashboard/test';

const idOf = (name: keyof StagedWallets) => async (dashboard: DashboardStage) => (await stagedWallets(dashboard))[name];
const walletAt = (name: keyof StagedWallets): LookedAt => ({
  route: `${MODE}/wallets/{id}`,
  at: async dashboard => `${TEST}/wallets/${await idOf(name)(dashboard)}`,
});

/** The pages of wallets and routes, each with something on it. */
export const WALLET_LOOKS: readonly LookedAt[] = [
  walletAt('verified'),
  walletAt('fresh'),
  walletAt('signing'),
  walletAt('awaiting'),
  walletAt('seen'),
  { route: `${MODE}/wallets`, at: `${TEST}/wallets` },
  { route: `${MODE}/wallets`, at: '/dashboard/live/wallets' },
  { route: `${MODE}/wallets/new`, at: '/dashboard/live/wallets/new' },
  { route: `${MODE}/routes`, at: `${TEST}/routes` },
  { route: `${MODE}/routes`, at: '/dashboard/live/routes' },
];

const WALLET = {
  object: idOf('signing'),
  unknown: 'wal_00000000000000000000000000',
} as const;
const form = (name: string, fields: Readonly<Record<string, string>>): IsolationRow => ({
  ...{ method: 'POST', route: `${MODE}/wallets/{id}/${name}`, fields, ...WALLET },
});

/** The pages and forms that name a wallet. */
export const WALLET_ISOLATION: readonly IsolationRow[] = [
  { method: 'GET', route: `${MODE}/wallets/{id}`, ...WALLET },
  form('challenge', { method: 'signed_message' }),
  { ...form('verify', { signature: `0x${'11'.repeat(65)}` }), asksCode: true },
  { ...form('change', { label: 'Mine', dedicated: 'on' }), asksCode: true },
];
