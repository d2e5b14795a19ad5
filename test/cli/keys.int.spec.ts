import 'reflect-metadata';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { FileLock } from '../../src/platform/embedded-file/file-lock';
import { CliSession } from './cli-support';

const CREATE = [
  'merchant', 'create', '--name', 'Corner Shop', '--email', 'a@example.com', '--password', 'seven green lanterns at dusk',
]; // prettier-ignore
const [KEY, OTHER_KEY] = [1, 2].map(byte => Buffer.alloc(32, byte).toString('base64')) as [string, string];

let cli: CliSession;
let file: string;

beforeEach(async () => {
  cli = new CliSession();
  file = join(cli.folder, 'secret.key');
});
afterEach(() => cli.end());

const opens = async (env = cli.env): Promise<number> => (await cli.run(['outbox'], '', env)).exitCode;

describe('keys rotate', () => {
  beforeEach(async () => expect((await cli.run(CREATE)).exitCode).toBe(0));

  it('replaces secret.key once all data keys are wrapped by the new one', async () => {
    const former = readFileSync(file, 'utf8');
    const { exitCode, out } = await cli.run(['keys', 'rotate']);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: '2 of 2 data keys were wrapped anew.\nsecret.key holds the new key. Start the service.\n',
    });
    expect(readFileSync(file, 'utf8')).not.toBe(former);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.next`)).toBe(false);
    expect(await opens()).toBe(0);
    writeFileSync(file, former);
    expect((await cli.run(['outbox'])).err).toContain('A newer key has replaced it');
  });

  it('ends a rotation of secret.key that was killed before the file was replaced', async () => {
    const former = readFileSync(file, 'utf8');
    await cli.run(['keys', 'rotate']);
    const next = readFileSync(file, 'utf8');
    writeFileSync(`${file}.next`, next, { mode: 0o600 });
    writeFileSync(file, former);
    expect(await opens()).toBe(0);
    expect(await cli.json('keys', 'rotate')).toMatchObject({ data_keys: 2, wrapped: 0, exitCode: 0 });
    expect(readFileSync(file, 'utf8')).toBe(next);
  });

  it('names a data key that no key opens, wraps all others, and fails', async () => {
    const log = new DatabaseSync(join(cli.folder, 'quittance.sqlite'));
    const { stream } = log.prepare("select stream from events where stream like '%keyring-platform%'").get() as {
      stream: string;
    };
    const name = stream.replace('platform.keyring-', '');
    log.exec('drop trigger events_never_change');
    log.prepare(`update events set data = json_set(data, '$.wrapping_key', 'unknown_') where stream = ?`).run(stream);
    log.close();
    const { exitCode, out, err } = await cli.run(['keys', 'rotate']);
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: '' });
    expect(out).toMatch(/^1 of 2 data keys were wrapped anew\.\nsecret\.key holds the new key/);
    expect(out).toContain(`No key at hand opens the data key ${name}.`);
    expect(await opens()).toBe(0);
    expect(await cli.json('keys', 'rotate')).toMatchObject({
      data_keys: 2,
      wrapped: 1,
      unreadable: [name],
      exitCode: 1,
    });
  });

  it('is refused beside a running service that has secret.key', async () => {
    const lock = FileLock.take(join(cli.folder, 'service.lock'));
    const { exitCode, err } = await cli.run(['keys', 'rotate']);
    lock?.release();
    expect({ exitCode, err }).toEqual({
      exitCode: 2,
      err: expect.stringMatching(/^invalid_config: A service is running .*Stop it first.*\n$/),
    });
    expect(existsSync(`${file}.next`)).toBe(false);
  });

  it('leads from secret.key to SECRET_KEY', async () => {
    const env = { ...cli.env, SECRET_KEY: KEY };
    expect(await opens(env)).toBe(2);
    const both = { ...env, SECRET_KEY_FORMER: readFileSync(file, 'utf8').trim() };
    expect((await cli.run(['keys', 'rotate'], '', both)).exitCode).toBe(0);
    rmSync(file);
    expect(await opens(env)).toBe(0);
    expect(await opens({ ...env, SECRET_KEY: OTHER_KEY })).toBe(2);
  });

  it('goes on by the former key where the new one was lost, though no other command starts with it', async () => {
    const former = readFileSync(file, 'utf8').trim();
    expect(
      (await cli.run(['keys', 'rotate'], '', { ...cli.env, SECRET_KEY: KEY, SECRET_KEY_FORMER: former })).exitCode,
    ).toBe(0);
    const env = { ...cli.env, SECRET_KEY: OTHER_KEY, SECRET_KEY_FORMER: former };
    const { err } = await cli.run(['outbox'], '', env);
    expect(err).toMatch(/^invalid_config: .* SECRET_KEY opens 0, SECRET_KEY_FORMER opens 2\. .*keys rotate.*\n$/);
    const { exitCode, out } = await cli.run(['keys', 'rotate'], '', env);
    expect({ exitCode, out }).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^2 of 2 data keys were wrapped anew/),
    });
    expect(await opens({ ...cli.env, SECRET_KEY: OTHER_KEY })).toBe(0);
  });

  it('asks for the key in use beside a new SECRET_KEY', async () => {
    const env = { ...cli.env, SECRET_KEY: readFileSync(file, 'utf8').trim() };
    const { exitCode, err } = await cli.run(['keys', 'rotate'], '', env);
    expect(exitCode).toBe(2);
    expect(err).toMatch(/^invalid_config: Set SECRET_KEY to the new key, and SECRET_KEY_FORMER .*\n$/);
  });
});

describe('audit verify', () => {
  beforeEach(async () => expect((await cli.run(CREATE)).exitCode).toBe(0));

  const intact = { exitCode: 0, out: expect.stringMatching(/^The hash chains hold: /) as unknown, err: '' };

  const PAGES = {
    PUBLIC_URL: 'https://pay.example',
    CHECKOUT_URL: 'https://checkout.pay.example/checkout',
    CONSOLE_URL: 'https://console.pay.example/console',
  };

  it('needs no key: neither the file, nor the variable that production asks for', async () => {
    rmSync(file);
    expect(await cli.run(['audit', 'verify'])).toEqual(intact);
    const live = { ...cli.env, NODE_ENV: 'production', ...PAGES };
    expect(await cli.run(['audit', 'verify'], '', live)).toEqual(intact);
    expect(existsSync(file)).toBe(false);
  });

  it.each([OTHER_KEY, 'no key'])('is not held up by SECRET_KEY=%s', async key => {
    expect(await cli.run(['audit', 'verify'], '', { ...cli.env, SECRET_KEY: key })).toEqual(intact);
  });
});
