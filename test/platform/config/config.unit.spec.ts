import { loadConfig } from '../../../src/platform/config/config';
import { configSchema } from '../../../src/platform/config/config-schema';
import { configTable } from '../../../src/platform/config/config-table';

const KEY = Buffer.alloc(32, 5).toString('base64');

it('runs with nothing set', () => {
  expect(loadConfig({})).toStrictEqual({
    environment: 'development',
    port: 8080,
    host: '127.0.0.1',
    dataFolder: './data',
    modes: ['test', 'live'],
    roles: ['api', 'watchers', 'processes', 'projections'],
    eventStoreUrl: null,
    mongodbUrl: null,
    secretKey: null,
    publicUrl: 'http://127.0.0.1:8080',
    docsUrl: 'http://127.0.0.1:8080/docs',
    dashboardUrl: 'http://127.0.0.1:8080/dashboard',
    checkoutUrl: 'http://127.0.0.1:8080/checkout',
    webhookAllowedSubnets: [],
    rpcUrls: { bnb: { test: [], live: [] }, base: { test: [], live: [] } },
    rateSources: { test: [], live: ['coinbase', 'kraken', 'coingecko'] },
    coingeckoApiKey: null,
    coingeckoUrl: 'https://api.coingecko.com',
    coinbaseUrl: 'https://api.coinbase.com',
    krakenUrl: 'https://api.kraken.com',
    sanctionsListFile: null,
    sandboxChains: true,
    anvilPath: null,
    logLevel: 'info',
  });
});

it('reads what is set, and an empty variable as unset', () => {
  const config = loadConfig({
    PORT: '0',
    HOST: '::1',
    MODES: 'test',
    ROLES: 'api, projections',
    SECRET_KEY: KEY,
    DOCS_URL: 'https://docs.example/',
    DASHBOARD_URL: '',
    WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8,::1/128',
    BASE_TEST_RPC_URLS: 'https://a.example/v2/key,http://127.0.0.1:8545',
    TEST_RATE_SOURCES: 'kraken',
    SANDBOX_CHAINS: 'off',
    UNRELATED: 'x',
  });
  expect(config).toMatchObject({
    port: 0,
    publicUrl: 'http://[::1]:0',
    modes: ['test'],
    roles: ['api', 'projections'],
    docsUrl: 'https://docs.example',
    dashboardUrl: 'http://[::1]:0/dashboard',
    webhookAllowedSubnets: ['127.0.0.0/8', '::1/128'],
    rpcUrls: { base: { test: ['https://a.example/v2/key', 'http://127.0.0.1:8545'] } },
    rateSources: { test: ['kraken'] },
    sandboxChains: false,
  });
  expect(Buffer.from(config.secretKey as Uint8Array).toString('base64')).toBe(KEY);
});

it('is frozen throughout', () => {
  const config = loadConfig({});
  expect(() => Object.assign(config, { port: 1 })).toThrow(TypeError);
  expect(() => Object.assign(config.rpcUrls.bnb, { test: ['x'] })).toThrow(TypeError);
});

it.each([
  ['NODE_ENV', 'prod'],
  ['PORT', '65536'],
  ['PORT', '80a'],
  ['MODES', 'test,prod'],
  ['MODES', 'none'],
  ['MODES', 'test,test'],
  ['ROLES', 'api,cook'],
  ['EVENTSTORE_URL', 'http://localhost'],
  ['MONGODB_URL', 'localhost:27017'],
  ['SECRET_KEY', 'short'],
  ['SECRET_KEY', `${KEY} `],
  ['PUBLIC_URL', 'pay.example'],
  ['PUBLIC_URL', 'ftp://pay.example'],
  ['WEBHOOK_ALLOWED_SUBNETS', '127.0.0.1'],
  ['WEBHOOK_ALLOWED_SUBNETS', '127.0.0.0/33'],
  ['WEBHOOK_ALLOWED_SUBNETS', '::1/129'],
  ['BNB_LIVE_RPC_URLS', 'https://a.example,b'],
  ['LIVE_RATE_SOURCES', 'coinbase,dice'],
  ['SANDBOX_CHAINS', 'yes'],
  ['LOG_LEVEL', 'loud'],
])('refuses %s=%s by its name, without its value', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(
    expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining(`${name}`) }),
  );
});

it('names all bad variables at once', () => {
  expect(() => loadConfig({ PORT: 'x', LOG_LEVEL: 'x', SECRET_KEY: 'hunter2' })).toThrow(
    /PORT: .*SECRET_KEY: .*LOG_LEVEL: /,
  );
  expect(() => loadConfig({ SECRET_KEY: 'hunter2' })).not.toThrow(/hunter2/);
});

it('makes nothing up in production', () => {
  expect(() => loadConfig({ NODE_ENV: 'production' })).toThrow(/SECRET_KEY: required/);
  expect(() => loadConfig({ NODE_ENV: 'production', SECRET_KEY: KEY, WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8' })).toThrow(
    /WEBHOOK_ALLOWED_SUBNETS: refused/,
  );
  expect(loadConfig({ NODE_ENV: 'production', SECRET_KEY: KEY }).environment).toBe('production');
});

it('renders every variable with default and description', () => {
  const rows = configTable().split('\n');
  expect(rows.slice(2).map(row => row.split(' | ')[0])).toEqual(
    Object.keys(configSchema.shape).map(name => `| \`${name}\``),
  );
  expect(rows).toContain('| `PORT` | `8080` | Port of the HTTP API; 0 takes a free one |');
  expect(rows).toContain('| `MONGODB_URL` | unset | MongoDB; unset: the embedded document store |');
  expect(rows.every(row => !row.includes('undefined'))).toBe(true);
});
