import { loadConfig } from '../../../src/platform/config/config';
import { configSchema } from '../../../src/platform/config/config-schema';
import { unknownVariables } from '../../../src/platform/config/unknown-variables';

it.each([
  ['MONGO_URL', 'MONGODB_URL'],
  ['RATE_LIMIT_WRITE', 'RATE_LIMIT_WRITES'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['PUBLCI_URL', 'PUBLIC_URL'],
  ['mongodb_url', 'MONGODB_URL'],
  ['MODE', 'MODES'],
  ['WEBHOOK_SUBNETS', null],
  ['SMTP_PASSWORD', null],
  ['BNB_KEY', null],
  ['VERIFICATION_ADDRESS', null],
])('tells of %s, and names what it resembles: %s', (name, resembles) => {
  const found = unknownVariables({ [name]: 'hunter2' });
  expect(found).toStrictEqual([{ name, resembles }]);
});

it('says nothing of variables of the system and of other programs', () => {
  const names = [
    'PATH', 'HOME', 'USER', 'TERM', 'LANG', 'PWD', 'SHELL', 'HOSTNAME', 'MAIL', 'NODE_OPTIONS', 'NODE_VERSION', 'TZ',
    'npm_package_version', 'npm_config_cache', 'npm_lifecycle_event', 'LOG_DRIVER', 'PUBLIC_KEY_FILE', 'UNRELATED',
    'http_proxy', 'SSH_AUTH_SOCK', 'INIT_CWD', 'COLORTERM', 'KUBERNETES_PORT', 'EDITOR',
  ]; // prettier-ignore
  expect(unknownVariables(Object.fromEntries(names.map(name => [name, 'x'])))).toStrictEqual([]);
});

it('says nothing of the known ones, and gives the others in order', () => {
  const known = Object.fromEntries(Object.keys(configSchema.shape).map(name => [name, 'x']));
  expect(unknownVariables(known)).toStrictEqual([]);
  expect(unknownVariables({ ...known, TRON_KEY: 'x', BNB_KEY: 'x' }).map(({ name }) => name)).toStrictEqual([
    'BNB_KEY',
    'TRON_KEY',
  ]);
});

it('names a misspelt variable beside the one that is missing', () => {
  const env = { SMTP_URL: 'smtps://mail.example', MAIL_FORM: 'no-reply@pay.example' };
  expect(() => loadConfig(env)).toThrow(/MAIL_FROM: required.*MAIL_FORM: unknown; MAIL_FROM resembles it/);
  expect(() => loadConfig(env)).not.toThrow(/no-reply/);
});
