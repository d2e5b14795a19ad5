import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemEntropy } from '../../../src/platform/clock/system-entropy';
import {
  adoptNextMasterKey,
  loadMasterKeys,
  loadNextMasterKeys,
  refuseLostKey,
} from '../../../src/platform/secrets/master-key';

const entropy = new SystemEntropy();
let root: string;
let dataFolder: string;
let file: string;
let unset: { readonly secretKey: null; readonly formerSecretKey: null; readonly dataFolder: string };

function textOf(key: Uint8Array | null | undefined): string {
  return Buffer.from(key ?? []).toString('base64');
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'master-key-'));
  dataFolder = join(root, 'data');
  file = join(dataFolder, 'secret.key');
  unset = { secretKey: null, formerSecretKey: null, dataFolder };
});
afterEach(() => rmSync(root, { recursive: true }));

it('takes the configured keys and leaves the folder alone', () => {
  const [current, former] = [3, 4].map(byte => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array];
  const configured = { ...unset, secretKey: current, formerSecretKey: former };
  expect(loadMasterKeys(configured, entropy)).toEqual({ current, former, replaced: null });
  expect(() => refuseLostKey(configured)).not.toThrow();
  expect(existsSync(dataFolder)).toBe(false);
});

it('makes a key that only the owner can read, and finds it again', () => {
  const { current, former } = loadMasterKeys(unset, entropy);
  expect(current).toHaveLength(32);
  expect(former).toBeNull();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dataFolder).mode & 0o777).toBe(0o700);
  expect(readdirSync(dataFolder)).toEqual(['secret.key']);
  expect(textOf(loadMasterKeys(unset, entropy).current)).toBe(textOf(current));
});

it('yields to a process that made the key a moment before', () => {
  const theirs = Buffer.alloc(32, 9).toString('base64');
  const racing = {
    bytes: (count: number) => {
      if (!existsSync(file)) writeFileSync(file, theirs, { mode: 0o600 });
      return entropy.bytes(count);
    },
  };
  expect(textOf(loadMasterKeys(unset, racing).current)).toBe(theirs);
  expect(readFileSync(file, 'utf8')).toBe(theirs);
});

it.each(['', 'not a key', Buffer.alloc(31).toString('base64')])('refuses a file that holds "%s"', text => {
  loadMasterKeys(unset, entropy);
  writeFileSync(file, text);
  expect(() => loadMasterKeys(unset, entropy)).toThrow(
    expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining(file) }),
  );
});

it('refuses a file that others can read', () => {
  loadMasterKeys(unset, entropy);
  chmodSync(file, 0o640);
  expect(() => loadMasterKeys(unset, entropy)).toThrow(
    expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining('chmod 600') }),
  );
});

it('replaces the file at once by the next key, which is the same until then', () => {
  const first = textOf(loadMasterKeys(unset, entropy).current);
  const next = loadNextMasterKeys(dataFolder, entropy);
  expect(textOf(next.former)).toBe(first);
  expect(textOf(loadNextMasterKeys(dataFolder, entropy).current)).toBe(textOf(next.current));
  expect(statSync(`${file}.next`).mode & 0o777).toBe(0o600);
  // A start in between has both.
  const between = loadMasterKeys(unset, entropy);
  expect([between.current, between.former].map(textOf)).toEqual([first, textOf(next.current)]);
  adoptNextMasterKey(dataFolder);
  expect(readdirSync(dataFolder)).toEqual(['secret.key', 'secret.key.former']);
  expect(statSync(`${file}.former`).mode & 0o777).toBe(0o600);
  const after = loadMasterKeys(unset, entropy);
  expect([after.current, after.former, after.replaced].map(textOf)).toEqual([textOf(next.current), '', first]);
});

it('keeps the key that was replaced, and the next rotation reads it too', () => {
  const keys = [1, 2].map(() => {
    const { former } = loadNextMasterKeys(dataFolder, entropy);
    adoptNextMasterKey(dataFolder);
    return textOf(former);
  });
  const third = loadNextMasterKeys(dataFolder, entropy);
  expect(textOf(third.replaced)).toBe(keys[1]);
  // A crash between the two renamings leaves one key in two places; the next end of the rotation goes on from there.
  writeFileSync(`${file}.former`, readFileSync(file), { mode: 0o600 });
  adoptNextMasterKey(dataFolder);
  const after = loadMasterKeys(unset, entropy);
  expect([after.current, after.replaced].map(textOf)).toEqual([third.current, third.former].map(textOf));
});

it('refuses a log whose key file is gone, and makes no other', () => {
  expect(() => refuseLostKey(unset)).toThrow(
    expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining(`${file} is missing`) }),
  );
  expect(existsSync(file)).toBe(false);
  loadMasterKeys(unset, entropy);
  expect(() => refuseLostKey(unset)).not.toThrow();
});
