import type { z } from 'zod';
import { refuse } from '../../vocabulary/errors';
import { watchPolicy, type WatchPolicy } from '../../vocabulary/watch-policy';
import type { Mode } from '../../vocabulary/modes';
import type { NetworkId } from '../../vocabulary/networks';
import type { WebhookPorts } from '../webhooks/egress-addresses';
import {
  ALL_ROLES,
  configSchema,
  type RateSourceName,
  type Role,
  type ScreeningName,
  type Variables,
} from './config-schema';
import { isLoopback } from '../outbound/loopback';
import { clearTextFaults } from './clear-text';
import { unknownVariables } from './unknown-variables';

export { ALL_ROLES };
export type { RateSourceName, Role, ScreeningName };

const BOOTSTRAP = ['BOOTSTRAP_ADMIN_EMAIL', 'BOOTSTRAP_ADMIN_PASSWORD', 'BOOTSTRAP_ADMIN_TOTP_SEED'] as const;
const KEY_VARIABLES: readonly string[] = ['SECRET_KEY', 'SECRET_KEY_FORMER'];

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
  /** The key that `secretKey` replaces; null where no rotation is under way. */
  readonly formerSecretKey: Uint8Array | null;
  readonly publicUrl: string;
  /** The address that takes test keys only; null: there is none. */
  readonly sandboxUrl: string | null;
  /** Whether transfers may be credited by inference. */
  readonly infersCredits: boolean;
  readonly docsUrl: string;
  readonly dashboardUrl: string;
  readonly consoleUrl: string;
  /** Whether strangers may open accounts. */
  readonly signUp: 'open' | 'closed';
  readonly checkoutUrl: string;
  readonly webhookAllowedSubnets: readonly string[];
  readonly webhookPorts: WebhookPorts;
  readonly rpcUrls: Readonly<Record<NetworkId, Readonly<Record<Mode, readonly string[]>>>>;
  readonly tronApiKey: string | null;
  /** Null: no micro-deposits there, except on a local chain, which has its own address. */
  readonly verificationAddresses: Readonly<Record<NetworkId, Readonly<Record<Mode, string | null>>>>;
  /** The operator's address; null: nobody is told by e-mail. */
  readonly operatorEmail: string | null;
  /** The first administrator; null: not configured. */
  readonly bootstrapAdmin: { readonly email: string; readonly password: string; readonly totpSeed: string } | null;
  /** Null: messages stay in the outbox. The URL may hold a password. */
  readonly smtp: { readonly url: string; readonly from: string } | null;
  readonly rateSources: Readonly<Record<Mode, readonly RateSourceName[]>>;
  readonly coinbaseUrl: string;
  readonly krakenUrl: string;
  readonly binanceUrl: string;
  readonly bitstampUrl: string;
  readonly frankfurterUrl: string;
  /** The feed's address on Base. */
  readonly chainlinkFeed: string;
  readonly coingeckoUrl: string;
  readonly coingeckoApiKey: string | null;
  readonly sanctionsListFile: string | null;
  readonly geoDatabase: string | null;
  /** Screenings beside the local list. */
  readonly screening: Readonly<Record<Mode, readonly ScreeningName[]>>;
  readonly chainalysisUrl: string;
  readonly chainalysisApiKey: string | null;
  readonly sandboxChains: boolean;
  readonly anvilPath: string | null;
  /** Requests a second; null: without limits. */
  readonly rateLimits: { readonly write: number; readonly read: number; readonly address: number } | null;
  readonly trustedProxies: number;
  readonly logLevel: Variables['LOG_LEVEL'];
};

/** Whether the service runs the network's chain itself. */
export function isLocalChain(config: Config, mode: Mode, network: NetworkId): boolean {
  return mode === 'test' && config.sandboxChains && config.rpcUrls[network][mode].length === 0;
}

/** Whether test mode quotes fixed rates, which are made up: it has no rate sources. */
export function quotesFixedRates({ modes, rateSources }: Config): boolean {
  return modes.includes('test') && rateSources.test.length === 0;
}

/** Whether this deployment watches the network: it has providers, or the service runs its chain itself. */
export function isWatched(config: Config, mode: Mode, network: NetworkId): boolean {
  return config.rpcUrls[network][mode].length > 0 || isLocalChain(config, mode, network);
}

/** How this deployment watches the network, or would. */
export function watchPolicyOf(config: Config, mode: Mode, network: NetworkId): WatchPolicy {
  return watchPolicy(mode, isLocalChain(config, mode, network));
}

/**
 * Reads the variables; an empty variable counts as unset. Throws Refusal invalid_config that names each bad variable,
 * never its value. Where no key is needed, the variables of keys are not read.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, { needsKey = true } = {}): Config {
  const isRead = (name: string) => needsKey || !KEY_VARIABLES.includes(name);
  const given = Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== '' && isRead(name)));
  const parsed = configSchema.safeParse(given);
  const faults = parsed.success ? faultsBetween(parsed.data, needsKey) : parsed.error.issues.map(describe);
  if (!parsed.success || faults.length > 0)
    throw refuse('invalid_config', {
      message: `Invalid configuration. ${[...faults, ...misspelt(given)].join('. ')}.`,
    });
  return deepFreeze(toConfig(parsed.data));
}

function describe({ path, message }: z.core.$ZodIssue): string {
  return `${path.join('.')}: ${message}`;
}

/** A variable that is missing may be there under another name. */
function misspelt(given: Readonly<Record<string, string | undefined>>): string[] {
  return unknownVariables(given).flatMap(({ name, resembles }) =>
    resembles === null ? [] : [`${name}: unknown; ${resembles} resembles it`],
  );
}

/** The faults of variables that are right by themselves and wrong together. */
function faultsBetween(variables: Variables, needsKey: boolean): string[] {
  const { TEST_RATE_SOURCES, LIVE_RATE_SOURCES, TEST_SCREENING, LIVE_SCREENING } = variables;
  const faults: string[] = [];
  if (variables.SMTP_URL !== null && variables.MAIL_FROM === null) faults.push('MAIL_FROM: required with SMTP_URL');
  if ([...TEST_RATE_SOURCES, ...LIVE_RATE_SOURCES].includes('chainlink') && variables.BASE_LIVE_RPC_URLS.length === 0)
    faults.push('BASE_LIVE_RPC_URLS: required by the rate source chainlink');
  if ([...TEST_SCREENING, ...LIVE_SCREENING].includes('chainalysis') && variables.CHAINALYSIS_API_KEY === null)
    faults.push('CHAINALYSIS_API_KEY: required where chainalysis screens');
  const given = BOOTSTRAP.filter(name => variables[name] !== null);
  if (given.length > 0 && given.length < BOOTSTRAP.length)
    faults.push(`${BOOTSTRAP.filter(name => variables[name] === null).join(', ')}: required with ${given.join(', ')}`);
  // The port would stand in every link of the service, and in the text that owners of wallets sign.
  if (variables.PORT === 0 && variables.PUBLIC_URL === null)
    faults.push('PUBLIC_URL: required with PORT=0, since links cannot name a port that is taken later');
  return [
    ...faults,
    ...secretKeyFaults(variables),
    ...sandboxFaults(variables),
    ...productionFaults(variables, needsKey),
  ];
}

function sandboxFaults(variables: Variables): string[] {
  if (variables.SANDBOX_URL === null) return [];
  const faults: string[] = [];
  if (!variables.MODES.includes('test')) faults.push('SANDBOX_URL: refused where MODES has no test mode');
  if (new URL(variables.SANDBOX_URL).hostname === new URL(publicUrlOf(variables)).hostname)
    faults.push('SANDBOX_URL: must have another host name than PUBLIC_URL, where live keys are taken');
  return faults;
}

function secretKeyFaults({ SECRET_KEY: key, SECRET_KEY_FORMER: former }: Variables): string[] {
  if (former === null) return [];
  if (key === null) return ['SECRET_KEY: required with SECRET_KEY_FORMER'];
  return Buffer.from(key).equals(former) ? ['SECRET_KEY_FORMER: must differ from SECRET_KEY'] : [];
}

function productionFaults(variables: Variables, needsKey: boolean): string[] {
  if (variables.NODE_ENV !== 'production') return [];
  const faults: string[] = [];
  if (needsKey && variables.SECRET_KEY === null) faults.push('SECRET_KEY: required with NODE_ENV=production');
  if (variables.WEBHOOK_ALLOWED_SUBNETS.length > 0)
    faults.push('WEBHOOK_ALLOWED_SUBNETS: refused with NODE_ENV=production');
  if (!variables.RATE_LIMITS) faults.push('RATE_LIMITS: off is refused with NODE_ENV=production');
  return [...faults, ...sharedHostFaults(variables), ...clearTextFaults(variables)];
}

/** Pages of customers, of merchants and of administrators: a script in the ones must not reach the others. */
function sharedHostFaults(variables: Variables): string[] {
  const { checkoutUrl, dashboardUrl, consoleUrl } = pageUrlsOf(variables);
  const pairs = [
    ['CHECKOUT_URL', checkoutUrl, 'DASHBOARD_URL', dashboardUrl],
    ['CONSOLE_URL', consoleUrl, 'DASHBOARD_URL', dashboardUrl],
    ['CONSOLE_URL', consoleUrl, 'CHECKOUT_URL', checkoutUrl],
  ] as const;
  return pairs
    .filter(([, url, , other]) => haveOneHost(url, other))
    .map(([name, , other]) => `${name}: must have another host name than ${other} with NODE_ENV=production`);
}

function haveOneHost(url: string, other: string): boolean {
  const { hostname } = new URL(url);
  return hostname === new URL(other).hostname && !isLoopback(hostname);
}

type PageUrls = Pick<Config, 'publicUrl' | 'docsUrl' | 'dashboardUrl' | 'consoleUrl' | 'checkoutUrl'>;

function pageUrlsOf(variables: Variables): PageUrls {
  const publicUrl = publicUrlOf(variables);
  return {
    publicUrl,
    docsUrl: variables.DOCS_URL ?? `${publicUrl}/docs`,
    dashboardUrl: variables.DASHBOARD_URL ?? `${publicUrl}/dashboard`,
    consoleUrl: variables.CONSOLE_URL ?? `${publicUrl}/console`,
    checkoutUrl: variables.CHECKOUT_URL ?? `${publicUrl}/checkout`,
  };
}

/** Browsers make no passkeys for an IP address, so this machine has its name. */
function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Variables): string {
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  return PUBLIC_URL ?? `http://${isLoopback(host) ? 'localhost' : host}:${PORT}`;
}

function toConfig(variables: Variables): Config {
  return {
    ...pageUrlsOf(variables),
    environment: variables.NODE_ENV,
    port: variables.PORT,
    host: variables.HOST,
    dataFolder: variables.DATA_FOLDER,
    modes: variables.MODES,
    roles: variables.ROLES,
    eventStoreUrl: variables.EVENTSTORE_URL,
    mongodbUrl: variables.MONGODB_URL,
    secretKey: variables.SECRET_KEY,
    formerSecretKey: variables.SECRET_KEY_FORMER,
    sandboxUrl: variables.SANDBOX_URL,
    signUp: variables.SIGN_UP ?? (variables.NODE_ENV === 'production' ? 'closed' : 'open'),
    infersCredits: variables.INFERRED_CREDITS,
    webhookAllowedSubnets: variables.WEBHOOK_ALLOWED_SUBNETS,
    webhookPorts: variables.WEBHOOK_PORTS,
    rpcUrls: {
      bnb: { test: variables.BNB_TEST_RPC_URLS, live: variables.BNB_LIVE_RPC_URLS },
      base: { test: variables.BASE_TEST_RPC_URLS, live: variables.BASE_LIVE_RPC_URLS },
      tron: { test: variables.TRON_TEST_RPC_URLS, live: variables.TRON_LIVE_RPC_URLS },
    },
    tronApiKey: variables.TRON_API_KEY,
    verificationAddresses: {
      bnb: { test: variables.VERIFICATION_ADDRESS_BNB_TEST, live: variables.VERIFICATION_ADDRESS_BNB_LIVE },
      base: { test: variables.VERIFICATION_ADDRESS_BASE_TEST, live: variables.VERIFICATION_ADDRESS_BASE_LIVE },
      tron: { test: variables.VERIFICATION_ADDRESS_TRON_TEST, live: variables.VERIFICATION_ADDRESS_TRON_LIVE },
    },
    smtp:
      variables.SMTP_URL !== null && variables.MAIL_FROM !== null
        ? { url: variables.SMTP_URL, from: variables.MAIL_FROM }
        : null,
    operatorEmail: variables.OPERATOR_EMAIL,
    bootstrapAdmin: bootstrapAdminOf(variables),
    rateSources: { test: variables.TEST_RATE_SOURCES, live: variables.LIVE_RATE_SOURCES },
    coinbaseUrl: variables.COINBASE_URL,
    krakenUrl: variables.KRAKEN_URL,
    binanceUrl: variables.BINANCE_URL,
    bitstampUrl: variables.BITSTAMP_URL,
    frankfurterUrl: variables.FRANKFURTER_URL,
    chainlinkFeed: variables.CHAINLINK_USDC_USD_FEED,
    coingeckoUrl: variables.COINGECKO_URL,
    coingeckoApiKey: variables.COINGECKO_API_KEY,
    sanctionsListFile: variables.SANCTIONS_LIST_FILE,
    geoDatabase: variables.GEO_DATABASE,
    screening: { test: variables.TEST_SCREENING, live: variables.LIVE_SCREENING },
    chainalysisUrl: variables.CHAINALYSIS_URL,
    chainalysisApiKey: variables.CHAINALYSIS_API_KEY,
    sandboxChains: variables.SANDBOX_CHAINS,
    anvilPath: variables.ANVIL_PATH,
    rateLimits: variables.RATE_LIMITS
      ? { write: variables.RATE_LIMIT_WRITES, read: variables.RATE_LIMIT_READS, address: variables.RATE_LIMIT_ADDRESS }
      : null,
    trustedProxies: variables.TRUSTED_PROXIES,
    logLevel: variables.LOG_LEVEL,
  };
}

function bootstrapAdminOf(variables: Variables): Config['bootstrapAdmin'] {
  const [email, password, totpSeed] = BOOTSTRAP.map(name => variables[name]);
  return email && password && totpSeed ? { email, password, totpSeed } : null;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
