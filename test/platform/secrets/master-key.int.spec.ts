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
import { loadMasterKey } from '../../../src/platform/secrets/master-key';

const entropy = new SystemEntropy();
let root: string;
let dataFolder: string;
let file: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'master-key-'));
  dataFolder = join(root, 'data');
  file = join(dataFolder, 'secret.key');
});
afterEach(() => rmSync(root, { recursive: true }));

it('takes the configured key and leaves the folder alone', () => {
  const secretKey = new Uint8Array(32).fill(3);
  expect(loadMasterKey({ secretKey, dataFolder }, entropy)).toBe(secretKey);
  expect(existsSync(dataFolder)).toBe(false);
});

it('makes a key that only the owner can read, and finds it again', () => {
  const made = loadMasterKey({ secretKey: null, dataFolder }, entropy);
  expect(made).toHaveLength(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dataFolder).mode & 0o777).toBe(0o700);
  expect(readdirSync(dataFolder)).toEqual(['secret.key']);
  expect(Buffer.from(loadMasterKey({ secretKey: null, dataFolder }, entropy))).toEqual(Buffer.from(made));
});

it('yields to a process that made the key a moment before', () => {
  const theirs = Buffer.alloc(32, 9).toString('base64');
  const racing = {
    bytes: (count: number) => {
      if (!existsSync(file)) writeFileSync(file, theirs, { mode: 0o600 });
      return entropy.bytes(count);
    },
  };
  expect(Buffer.from(loadMasterKey({ secretKey: null, dataFolder }, racing)).toString('base64')).toBe(theirs);
  expect(readFileSync(file, 'utf8')).toBe(theirs);
});

it.each(['', 'not a key', Buffer.alloc(31).toString('base64')])('refuses a file that holds "%s"', text => {
  loadMasterKey({ secretKey: null, dataFolder }, entropy);
  writeFileSync(file, text);
  expect(() => loadMasterKey({ secretKey: null, dataFolder }, entropy)).toThrow(
    expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining(file) }),
  );
});

it('refuses a file that others can read', () => {
  loadMasterKey({ secretKey: null, dataFolder }, entropy);
  chmodSync(file, 0o640);
  expect(() => loadMasterKey({ secretKey: null, dataFolder }, entropy)).toThrow(
    expect.objectContaining({ code: 'invalid_config', message: expect.stringContaining('chmod 600') }),
  );
});
