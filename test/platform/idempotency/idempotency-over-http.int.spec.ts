import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SystemClock } from '../../../src/platform/clock/system-clock';
import { EmbeddedDocuments } from '../../../src/platform/documents/embedded/embedded-documents';
import { EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../../src/platform/event-store/embedded/embedded-event-store';
import { IDEMPOTENCY_RECORDS } from '../../../src/platform/idempotency/idempotency-records';
import { eventually } from '../../support/service-process';
import { ask, codeOf, IdempotentApp, ORDER } from './idempotent-app';
import { MortalEngines, type Death, type Engines } from './mortal-engines';
import { recordedEvents } from '../../support/recorded-events';

const LIMIT_MS = 15_000;

let folder: string;
let file: EmbeddedFile;
let engines: Engines;
let app: IdempotentApp;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'quittance-idempotency-'));
  file = EmbeddedFile.open(folder, { role: 'service' });
  engines = { documents: new EmbeddedDocuments(file), store: new EmbeddedEventStore(file, new SystemClock()) };
  app = await IdempotentApp.start(engines);
});

afterAll(async () => {
  await app.stop();
  await engines.store.close();
  await engines.documents.close();
  file.close();
  rmSync(folder, { recursive: true, force: true });
});

let keys = 0;
const newKey = (): string => `key ${++keys}`;

async function recordCount(): Promise<number> {
  return (await engines.documents.open(IDEMPOTENCY_RECORDS)).count();
}

async function createdEvents(): Promise<number> {
  return (await recordedEvents(engines.store, 'payment_intent', 'PaymentIntentCreated')).length;
}

describe('a replay', () => {
  it('is the first answer byte for byte, and says that it is one', async () => {
    const key = newKey();
    const first = await ask(app, 'POST /v1/orders', { key });
    const second = await ask(app, 'POST /v1/orders', { key });
    expect(first).toMatchObject({ status: 200, replayed: false });
    expect(second).toMatchObject({ status: 200, replayed: true, text: first.text });
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(second.headers.get('content-length')).toBe(first.headers.get('content-length'));
    expect(second.headers.get('request-id')).not.toBe(first.headers.get('request-id'));
  });

  it('shows an error as the first request got it, its log address included', async () => {
    const codes = ['currency_not_quotable', 'insufficient_scope', 'payment_not_found', 'invalid_state_transition'];
    for (const code of codes) {
      const key = newKey();
      const first = await ask(app, `POST /v1/orders/refused/${code}`, { key, body: '' });
      const second = await ask(app, `POST /v1/orders/refused/${code}`, { key, body: '' });
      expect(codeOf(first)).toBe(code);
      expect(first.text).toContain(String(first.headers.get('request-id')));
      expect(second).toMatchObject({ status: first.status, replayed: true, text: first.text });
    }
  });

  it('needs no new one-time code', async () => {
    const key = newKey();
    const coded = { key, headers: { 'mfa-code': '123456' } };
    const first = await ask(app, 'PUT /v1/orders', { ...coded, body: '' });
    const attempts = app.stage.mfaAttempts.length;
    const second = await ask(app, 'PUT /v1/orders', { key, body: '' });
    expect(second).toMatchObject({ status: 200, replayed: true, text: first.text });
    expect(app.stage.mfaAttempts).toHaveLength(attempts);
    const { command } = JSON.parse(first.text) as { command: string };
    expect(app.stage.mfaAttempts.at(-1)?.commandId).toBe(command);
  });

  it('is another client’s where the API key is another one', async () => {
    const key = newKey();
    const first = await ask(app, 'POST /v1/orders', { key });
    const other = await ask(app, 'POST /v1/orders', { key, apiKey: 'other' });
    expect(other).toMatchObject({ status: 200, replayed: false });
    expect(other.text).not.toBe(first.text);
  });
});

describe('the same key', () => {
  it.each([
    ['another amount', 'POST /v1/orders', '{"amount":2501,"currency":"EUR"}'],
    ['the same amount as text', 'POST /v1/orders', '{"amount":"2500","currency":"EUR"}'],
    ['another path', 'POST /v1/orders/secret', ''],
    ['another method', 'PUT /v1/orders', ''],
  ])('is refused for %s', async (_, line, body) => {
    const key = newKey();
    await ask(app, 'POST /v1/orders', { key });
    const reused = await ask(app, line, { key, body });
    expect(reused).toMatchObject({ status: 409, replayed: false });
    expect(JSON.parse(reused.text)).toMatchObject({
      error: { type: 'idempotency_error', code: 'idempotency_key_reuse' },
    });
  });

  it('is the same request for a body of the same meaning, whatever its order, white space and escapes', async () => {
    const key = newKey();
    const first = await ask(app, 'POST /v1/orders', { key, body: '{"amount":2500,"currency":"EUR"}' });
    const bodies = ['{ "currency": "EUR",\n "amount": 2500 }', '{"\\u0061mount":2500,"currency":"\\u0045UR"}'];
    for (const body of bodies) {
      const second = await ask(app, 'POST /v1/orders', { key, body });
      expect(second).toMatchObject({ status: 200, replayed: true, text: first.text });
    }
  });

  it('is no way around the refusal of a key that a body has twice', async () => {
    const key = newKey();
    await ask(app, 'POST /v1/orders', { key });
    const twice = await ask(app, 'POST /v1/orders', { key, body: '{"amount":1,"amount":2500,"currency":"EUR"}' });
    expect([twice.status, codeOf(twice)]).toStrictEqual([400, 'invalid_json']);
  });

  it('is in use while the first request works, which goes on and is answered when its client has left', async () => {
    const key = newKey();
    const reached = new Promise<void>(resolve => (app.stage.reached = resolve));
    let open: () => void = () => undefined;
    app.stage.gate = new Promise(resolve => (open = resolve));
    const leaving = new AbortController();
    const left = ask(app, 'POST /v1/orders', { key, signal: leaving.signal }).catch((error: Error) => error.name);
    await reached;
    const second = await ask(app, 'POST /v1/orders', { key });
    expect([second.status, codeOf(second)]).toStrictEqual([409, 'idempotency_key_in_use']);
    expect(second.headers.get('retry-after')).toBe('1');
    const before = app.stage.executions;
    leaving.abort();
    expect(await left).toBe('AbortError');
    open();
    const replayed = await eventually('the answer', LIMIT_MS, async () => {
      const answer = await ask(app, 'POST /v1/orders', { key });
      return answer.status === 409 ? null : answer;
    });
    expect(replayed).toMatchObject({ status: 200, replayed: true });
    expect(app.stage.executions).toBe(before);
  });
});

describe('nothing is persisted', () => {
  it.each<[string, number, Record<string, unknown> & { readonly query?: string }]>([
    ['an unknown API key', 401, { apiKey: 'wrong' }],
    ['a media type that is not JSON', 415, { headers: { 'content-type': 'text/plain' } }],
    ['a body that is too large', 413, { body: `{"amount":1,"currency":"${'x'.repeat(70_000)}"}` }],
    ['a body that is no JSON', 400, { body: '{' }],
    ['a field that is missing', 400, { body: '{"amount":1}' }],
  ])('of %s, and the key is good for the corrected request', async (_, status, wrong) => {
    const key = newKey();
    const before = await recordCount();
    expect((await ask(app, 'POST /v1/orders', { key, ...wrong })).status).toBe(status);
    expect(await recordCount()).toBe(before);
    expect(await ask(app, 'POST /v1/orders', { key })).toMatchObject({ status: 200, replayed: false });
  });

  it('of a request with a query, and the key is good for the corrected request', async () => {
    const key = newKey();
    const before = await recordCount();
    const refused = await ask(app, 'POST /v1/orders?expand=all', { key });
    expect([refused.status, codeOf(refused)]).toStrictEqual([400, 'invalid_filter']);
    expect(await recordCount()).toBe(before);
    expect(await ask(app, 'POST /v1/orders', { key })).toMatchObject({ status: 200, replayed: false });
  });

  it('of a request without its one-time code, nor of a refusal with 400, 401 or 429 by the command', async () => {
    const before = await recordCount();
    const key = newKey();
    expect(codeOf(await ask(app, 'PUT /v1/orders', { key, body: '' }))).toBe('mfa_required');
    for (const code of ['amount_too_small', 'mfa_proof_invalid', 'rate_limit']) {
      expect(codeOf(await ask(app, `POST /v1/orders/refused/${code}`, { key: newKey(), body: '' }))).toBe(code);
    }
    expect(await recordCount()).toBe(before);
    const again = await ask(app, 'PUT /v1/orders', { key, body: '', headers: { 'mfa-code': '123456' } });
    expect(again).toMatchObject({ status: 200, replayed: false });
  });

  it('of a request without the header, nor of one that only reads', async () => {
    const before = await recordCount();
    const first = await ask(app, 'POST /v1/orders');
    expect((await ask(app, 'POST /v1/orders')).text).not.toBe(first.text);
    const key = newKey();
    expect((await ask(app, 'GET /v1/orders', { key, body: '' })).replayed).toBe(false);
    expect((await ask(app, 'GET /v1/orders', { key, body: '' })).replayed).toBe(false);
    expect(await recordCount()).toBe(before);
  });
});

it('goes on under the same command after a fault, and stores no answer of it', async () => {
  const key = newKey();
  const line = 'POST /v1/orders/refused/internal_error';
  const before = app.stage.executions;
  const [first, second] = [await ask(app, line, { key, body: '' }), await ask(app, line, { key, body: '' })];
  expect([first.status, second.status, second.replayed]).toStrictEqual([500, 500, false]);
  expect(second.text).not.toBe(first.text);
  expect(app.stage.executions).toBe(before + 2);
});

it('never shows a one-time secret twice', async () => {
  const key = newKey();
  const first = await ask(app, 'POST /v1/orders/secret', { key, body: '' });
  expect(first).toMatchObject({ status: 200, text: '{"secret":"whsec_once"}' });
  for (let again = 0; again < 2; again++) {
    const second = await ask(app, 'POST /v1/orders/secret', { key, body: '' });
    expect([second.status, codeOf(second)]).toStrictEqual([500, 'idempotency_response_unavailable']);
  }
});

describe('an Idempotency-Key', () => {
  it.each([
    ['', 400, 'invalid_idempotency_key'],
    ['   ', 400, 'invalid_idempotency_key'],
    ['clé', 400, 'invalid_idempotency_key'],
    ['a\tb', 400, 'invalid_idempotency_key'],
    ['k'.repeat(256), 400, 'idempotency_key_too_long'],
    ['k'.repeat(255), 200, undefined],
    ['{"order": 42} ~', 200, undefined],
  ])('of %j is answered with %i', async (key, status, code) => {
    const answer = await ask(app, 'POST /v1/orders', { key });
    expect([answer.status, codeOf(answer)]).toStrictEqual([status, code]);
  });

  it('is refused when it is given twice', async () => {
    const request =
      'POST /v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer own\r\nContent-Type: application/json\r\nConnection: close\r\n' +
      `Idempotency-Key: a\r\nIdempotency-Key: a\r\nContent-Length: ${ORDER.length}\r\n\r\n${ORDER}`;
    const answer = await new Promise<string>(resolve => {
      let text = '';
      const socket = connect(app.port, '127.0.0.1', () => socket.write(request));
      socket.on('data', chunk => (text += chunk.toString())).on('close', () => resolve(text));
    });
    expect(answer).toContain('"code":"invalid_idempotency_key"');
  });
});

/**
 * Three duplicates at a process that dies at the given call, then the same three at the next one, until each is
 * answered.
 */
async function stormThrough(death: Death): Promise<{ readonly died: boolean; readonly answers: readonly string[] }> {
  const key = newKey();
  const mortal = new MortalEngines(engines, death);
  const first = await IdempotentApp.start(mortal);
  const clients = Array.from({ length: 3 }, () => ask(first, 'POST /v1/orders', { key }).catch(() => null));
  let allAnswered = false;
  const all = Promise.all(clients).then(answers => {
    allAnswered = true;
    return answers;
  });
  await eventually('the process’s end', LIMIT_MS, () => mortal.died || allAnswered || null);
  await first.stop();
  const answered = (await all).flatMap(answer => (answer?.status === 200 ? [answer.text] : []));
  const retried = Array.from({ length: 3 }, () =>
    eventually('an answer', LIMIT_MS, async () => {
      const answer = await ask(app, 'POST /v1/orders', { key });
      return answer.status === 200 ? answer.text : null;
    }),
  );
  return { died: mortal.died, answers: [...answered, ...(await Promise.all(retried))] };
}

it.each(['before', 'after'] as const)(
  'has one effect and one answer, at whichever call to an engine its process dies: %s it takes effect',
  async moment => {
    for (let atCall = 1, died = true; died; atCall++) {
      const before = await createdEvents();
      const storm = await stormThrough({ atCall, moment });
      expect(new Set(storm.answers).size).toBe(1);
      expect((await createdEvents()) - before).toBe(1);
      died = storm.died;
      if (!died) expect(atCall).toBeGreaterThan(6);
    }
  },
  60_000,
);
