import type { IdempotencyRecord } from '../../src/platform/idempotency/idempotency-record';
import { recordId } from '../../src/platform/idempotency/fingerprint';
import { IDEMPOTENCY_RECORDS } from '../../src/platform/idempotency/idempotency-records';
import { ApiStage } from '../support/api-stage';
import type { StagedMerchant } from '../support/staged-merchant';

const LIMIT_MS = 60_000;
/** Longer than the lease of a process that is gone. */
const LEASE_OVER_MS = 31_000;

type Issuing = { readonly line: string; readonly body?: object };

/** Every call whose answer holds a secret that is shown once. */
const CASES: readonly (readonly [operation: string, issuing: (merchant: StagedMerchant) => Promise<Issuing>])[] = [
  ['createApiKey', async () => ({ line: 'POST /v1/api_keys', body: { kind: 'rk', scopes: ['payment:read'] } })],
  ['rotateApiKey', async merchant => ({ line: `POST /v1/api_keys/${(await merchant.mintKey()).id}/rotate` })],
  [
    'createWebhookEndpoint',
    async () => ({
      line: 'POST /v1/webhook_endpoints',
      body: { url: 'http://127.0.0.1:9/hooks', enabled_events: ['*'] },
    }),
  ],
  [
    'rollWebhookEndpointSecret',
    async merchant => ({ line: `POST /v1/webhook_endpoints/${(await merchant.createEndpoint()).id}/roll_secret` }),
  ],
];

let stage: ApiStage;
let merchant: StagedMerchant;

beforeAll(async () => {
  stage = await ApiStage.open();
  merchant = await stage.register(await stage.startInstance());
}, LIMIT_MS);

afterAll(() => stage.close());

/** Puts the record of a key back to its state before its answer was kept: a process leaves it so by dying just then. */
async function loseTheAnswer(key: string): Promise<void> {
  const [{ id: keyId }] = (await merchant.done('GET /v1/api_keys')).data.slice(-1);
  const records = await stage.core.documents.open<IdempotencyRecord>(IDEMPOTENCY_RECORDS);
  const standing = await records.get(recordId(keyId, key));
  if (!standing) throw new Error(`no record of ${key}`);
  const { fingerprint, command_id, commanded_at_ms, inserted_at, owner } = standing.body;
  const claimed = { fingerprint, command_id, commanded_at_ms, inserted_at, owner };
  const body = { ...claimed, state: 'working', holder: 'a process that died', leased_until: inserted_at } as const;
  await records.replace({ id: standing.id, version: standing.version + 1, body }, standing.version);
  stage.clock.aheadMs += LEASE_OVER_MS;
}

describe.each(CASES)('the secret that %s answers with', (operation, issuing) => {
  it('is not shown again by a replay, nor by who takes over from a process that died before it had kept its answer', async () => {
    const { line, body } = await issuing(merchant);
    const key = `once ${operation}`;
    const ask = () => ({ headers: { 'idempotency-key': key, 'mfa-code': merchant.nextCode() }, ...(body && { body }) });
    const first = await merchant.call(line, ask());
    expect([first.status, typeof first.body.secret]).toEqual([200, 'string']);
    const replayed = await merchant.call(line, ask());
    expect([replayed.status, replayed.code]).toEqual([500, 'idempotency_response_unavailable']);
    const written = await stage.core.store.lastPosition();
    await loseTheAnswer(key);
    const takenOver = await merchant.call(line, ask());
    expect([takenOver.status, takenOver.code]).toEqual([500, 'idempotency_response_unavailable']);
    expect(JSON.stringify(takenOver.body)).not.toContain(first.body.secret);
    const afterwards = await merchant.call(line, ask());
    expect([afterwards.status, afterwards.code]).toEqual([500, 'idempotency_response_unavailable']);
    expect(await stage.core.store.lastPosition()).toBe(written);
  });
});

it('has a case for every operation that the contract says it of', async () => {
  const { paths } = await merchant.done('GET /openapi.json');
  const operations = Object.values(paths as Record<string, Record<string, Operation>>).flatMap(Object.values);
  const issuing = (operations as Operation[]).filter(({ responses }) =>
    responses['500']?.description.includes('idempotency_response_unavailable'),
  );
  expect(issuing.map(({ operationId }) => operationId).sort()).toEqual(CASES.map(([operation]) => operation).sort());
});

type Operation = {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
};
