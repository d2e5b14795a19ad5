import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');
const LIMIT_MS = 60_000;
const PROGRAM = `
  const { CountedApi } = require('./dist/test/support/counted-api.js');
  void (async () => {
    const api = await CountedApi.open();
    const asked = await api.asked(() => api.merchant.createIntent());
    await api.close();
    console.log(asked.join());
  })();
`;

it(
  'a bench opens the stage of the tests without a test, and counts by it',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', PROGRAM], { cwd: ROOT });
    expect(stdout).toBe('getAll access,append payment_intent,putNewer payment_intents\n');
  },
  LIMIT_MS,
);
