import type { z } from 'zod';
import { refuse } from '../../kernel/errors';
import type { Mode } from '../../kernel/event';
import { configSchema, type RateSourceName, type Role, type Variables } from './config-schema';

export type { RateSourceName, Role };

type EvmNetworkId = 'bnb' | 'base';

/** The service's configuration, checked and frozen. URLs have no slash at their end. */
export type Config = {
  readonly environment: Variables['NODE_ENV'];
  readonly port: number;
  readonly host: string;
  readonly dataFolder: string;
  readonly modes: readonly Mode[];
  readonly roles: readonly Role[];
  /** Null: the embedded event store. */
  readonly eventStoreUrl: string | null;
  /** Null: the embedded document store. */
  readonly mongodbUrl: string | null;
  /** 32 bytes; null: the file in the data folder. */
  readonly secretKey: Uint8Array | null;
  readonly publicUrl: string;
  readonly docsUrl: string;
  readonly dashboardUrl: string;
  readonly checkoutUrl: string;
  readonly webhookAllowedSubnets: readonly string[];
  readonly rpcUrls: Readonly<Record<EvmNetworkId, Readonly<Record<Mode, readonly string[]>>>>;
  readonly rateSources: Readonly<Record<Mode, readonly RateSourceName[]>>;
  readonly coinbaseUrl: string;
  readonly krakenUrl: string;
  readonly coingeckoUrl: string;
  readonly coingeckoApiKey: string | null;
  readonly sanctionsListFile: string | null;
  readonly sandboxChains: boolean;
  readonly anvilPath: string | null;
  readonly logLevel: Variables['LOG_LEVEL'];
};

/** Reads the variables, an empty one as unset. Throws Refusal invalid_config that names each bad variable, never its value. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = configSchema.safeParse(given);
  const faults = parsed.success ? productionFaults(parsed.data) : parsed.error.issues.map(describe);
  if (!parsed.success || faults.length > 0)
    throw refuse('invalid_config', { message: `Invalid configuration. ${faults.join('. ')}.` });
  return deepFreeze(toConfig(parsed.data));
}

function describe({ path, message }: z.core.$ZodIssue): string {
  return `${path.join('.')}: ${message}`;
}

function productionFaults(variables: Variables): string[] {
  if (variables.NODE_ENV !== 'production') return [];
  const faults: string[] = [];
  if (variables.SECRET_KEY === null) faults.push('SECRET_KEY: required with NODE_ENV=production');
  if (variables.WEBHOOK_ALLOWED_SUBNETS.length > 0)
    faults.push('WEBHOOK_ALLOWED_SUBNETS: refused with NODE_ENV=production');
  return faults;
}

function toConfig(variables: Variables): Config {
  const host = variables.HOST.includes(':') ? `[${variables.HOST}]` : variables.HOST;
  const publicUrl = variables.PUBLIC_URL ?? `http://${host}:${variables.PORT}`;
  return {
    environment: variables.NODE_ENV,
    port: variables.PORT,
    host: variables.HOST,
    dataFolder: variables.DATA_FOLDER,
    modes: variables.MODES,
    roles: variables.ROLES,
    eventStoreUrl: variables.EVENTSTORE_URL,
    mongodbUrl: variables.MONGODB_URL,
    secretKey: variables.SECRET_KEY,
    publicUrl,
    docsUrl: variables.DOCS_URL ?? `${publicUrl}/docs`,
    dashboardUrl: variables.DASHBOARD_URL ?? `${publicUrl}/dashboard`,
    checkoutUrl: variables.CHECKOUT_URL ?? `${publicUrl}/checkout`,
    webhookAllowedSubnets: variables.WEBHOOK_ALLOWED_SUBNETS,
    rpcUrls: {
      bnb: { test: variables.BNB_TEST_RPC_URLS, live: variables.BNB_LIVE_RPC_URLS },
      base: { test: variables.BASE_TEST_RPC_URLS, live: variables.BASE_LIVE_RPC_URLS },
    },
    rateSources: { test: variables.TEST_RATE_SOURCES, live: variables.LIVE_RATE_SOURCES },
    coinbaseUrl: variables.COINBASE_URL,
    krakenUrl: variables.KRAKEN_URL,
    coingeckoUrl: variables.COINGECKO_URL,
    coingeckoApiKey: variables.COINGECKO_API_KEY,
    sanctionsListFile: variables.SANCTIONS_LIST_FILE,
    sandboxChains: variables.SANDBOX_CHAINS,
    anvilPath: variables.ANVIL_PATH,
    logLevel: variables.LOG_LEVEL,
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
