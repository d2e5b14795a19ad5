import 'reflect-metadata';
import { operatorContext } from '../../src/cli/operator-context';
import { openToolbox, type Toolbox } from '../../src/cli/toolbox';
import type { Mode } from '../../src/vocabulary/modes';
import { apiKeys, UNBOUNDED } from '../../src/modules/api-keys/api-key.decider';
import { apiKeysReadModel } from '../../src/modules/api-keys/api-keys.read-model';
import { CliSession } from './cli-support';

const MERCHANT = 'mch_00000000000000000000000001';
const KEYS = { test: 'key_00000000000000000000000001', live: 'key_00000000000000000000000002' };

let cli: CliSession;

beforeEach(async () => {
  cli = new CliSession();
  await withToolbox(async toolbox => {
    const terms = { kind: 'sk', name: null, scopes: ['payment:read'], expiresAt: null };
    for (const mode of ['test', 'live'] as const) {
      const command = { type: 'mint', terms, grantor: UNBOUNDED, keyHash: `hash of ${mode}`, last4: 'abcd' } as const;
      const context = { ...operatorContext(toolbox), universe: mode, merchantId: MERCHANT };
      await toolbox.writes.execute(apiKeys, KEYS[mode], command, context);
    }
  });
});
afterEach(() => cli.end());

async function withToolbox<Result>(work: (toolbox: Toolbox) => Promise<Result>): Promise<Result> {
  const toolbox = await openToolbox(cli.env, () => undefined, 'alice');
  try {
    return await work(toolbox);
  } finally {
    await toolbox.close();
  }
}

/** As every request of the key finds it. */
const statusOf = (mode: Mode) =>
  withToolbox(async ({ readModels, store }) => {
    const key = await readModels.get(apiKeysReadModel, mode, KEYS[mode]);
    const [last] = await store.readStream(`${mode}.api_key-${KEYS[mode]}`, { from: 1 });
    return { status: key?.body.status, by: last?.metadata.actor, merchant: last?.metadata.merchant_id };
  });

it.each(['test', 'live'] as const)('revokes a key of %s mode by its id, as the operator', async mode => {
  expect(await cli.json('key', 'revoke', KEYS[mode])).toEqual({
    exitCode: 0,
    key_id: KEYS[mode],
    merchant_id: MERCHANT,
    mode,
    status: 'revoked',
  });
  const by = { role: 'admin', type: 'system', id: 'cli:alice' };
  expect(await statusOf(mode)).toEqual({ status: 'revoked', by, merchant: MERCHANT });
  expect(await statusOf(mode === 'test' ? 'live' : 'test')).toMatchObject({ status: 'active', by: undefined });
});

it('changes nothing where the key was revoked before', async () => {
  await cli.run(['key', 'revoke', KEYS.test]);
  const { exitCode, out } = await cli.run(['key', 'revoke', KEYS.test]);
  expect([exitCode, out]).toEqual([
    0,
    `${KEYS.test} of ${MERCHANT} is revoked (test mode). No request with it is taken any more.\n`,
  ]);
  const revocations = await withToolbox(({ store }) => store.readStream(`test.api_key-${KEYS.test}`, { from: 1 }));
  expect(revocations).toHaveLength(1);
});

it('fails for an id that no key has, and repeats no key that was given in its place', async () => {
  const { exitCode, err } = await cli.run(['key', 'revoke', 'key_00000000000000000000000009']);
  expect([exitCode, err]).toEqual([1, expect.stringContaining('resource_missing: No key of either mode has this id.')]);
  const pasted = await cli.run(['key', 'revoke', 'sk_test_pasted']);
  expect([pasted.exitCode, pasted.err.includes('pasted')]).toEqual([1, false]);
});
