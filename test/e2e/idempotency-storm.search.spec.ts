import { randomInt, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RecordedEvent } from '../../src/kernel/event';
import { SystemClock } from '../../src/platform/clock/system-clock';
import { EmbeddedFile } from '../../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../../src/platform/event-store/embedded/embedded-event-store';
import { searchSize } from '../levels/search-size';
import { Merchant } from '../support/merchant';
import { eventually, freePort, pause, ServiceProcess } from '../support/service-process';
import { recordedEvents } from '../support/recorded-events';

/** `STORMS=20000 npx jest test/e2e/idempotency-storm` for a night's run. */
const STORMS = searchSize('STORMS', { small: 1, full: 15 });
/** Every third storm meets the end of the process, at a moment within which all of a storm happens here. */
const KILL_EVERY = 3;
const LONGEST_DELAY_MS = 60;
const MOST_DUPLICATES = 50;
const LIMIT_MS = 30_000;
/** No storm needs chains, and none is to be held up by its own number. */
const ENV = { SANDBOX_CHAINS: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' };

type Answer = { readonly text: string; readonly replayed: boolean };

describe('storms of duplicates', () => {
  /** Every storm's one answer, by its key. */
  const storms = new Map<string, string>();
  let dataFolder: string;
  let port: number;
  let service: ServiceProcess;
  let merchant: Merchant;

  beforeAll(async () => {
    dataFolder = mkdtempSync(path.join(tmpdir(), 'quittance-storm-'));
    port = await freePort();
    service = await ServiceProcess.start({ dataFolder, port, env: ENV });
    merchant = await Merchant.register(dataFolder, service.baseUrl);
  }, 2 * LIMIT_MS);

  afterAll(async () => {
    await service.kill('SIGTERM');
    rmSync(dataFolder, { recursive: true, force: true });
  }, LIMIT_MS);

  /**
   * The behaviour of a client: it sends the same request under the same key until an answer comes, whatever happens
   * between.
   */
  function create(key: string): Promise<Answer> {
    return eventually('an answer', LIMIT_MS, async () => {
      const answer = await fetch(`${service.baseUrl}/v1/payment_intents`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${merchant.key}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({ amount: '2500', currency: 'EUR', metadata: { storm: key } }),
        signal: AbortSignal.timeout(LIMIT_MS),
      }).catch(() => null);
      const text = await answer?.text().catch(() => null);
      if (!answer || typeof text !== 'string') return null;
      if (answer.status === 200) return { text, replayed: answer.headers.get('idempotent-replayed') === 'true' };
      const { error } = JSON.parse(text) as { error: { code: string } };
      if (error.code === 'idempotency_key_in_use' || answer.status >= 500) return null;
      throw new Error(`${answer.status}: ${text}`);
    });
  }

  async function killAndRestart(): Promise<void> {
    await pause(randomInt(LONGEST_DELAY_MS));
    await service.kill('SIGKILL');
    service = await ServiceProcess.start({ dataFolder, port, env: ENV });
  }

  async function createdEvents(): Promise<readonly RecordedEvent[]> {
    const file = EmbeddedFile.open(dataFolder, { role: 'tool' });
    const store = new EmbeddedEventStore(file, new SystemClock());
    const created = await recordedEvents(store, 'payment_intent', 'PaymentIntentCreated');
    await store.close();
    file.close();
    return created;
  }

  it.each(Array.from({ length: STORMS }, (_, n) => [n + 1, n % KILL_EVERY === 1, randomInt(2, MOST_DUPLICATES + 1)]))(
    'storm %i, process killed: %s, %i duplicates: one answer',
    async (_, killed, duplicates) => {
      const key = randomUUID();
      const clients = Array.from({ length: Number(duplicates) }, () => create(key));
      const [answers] = await Promise.all([Promise.all(clients), killed ? killAndRestart() : null]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      // Only the request that worked has an answer that is no replay; that request may have lost its connection.
      expect(answers.filter(({ replayed }) => !replayed).length).toBeLessThanOrEqual(1);
      storms.set(key, answers[0]?.text ?? '');
    },
    2 * LIMIT_MS,
  );

  it('left one effect each, which is the one that was answered', async () => {
    const created = await createdEvents();
    expect(created.length).toBe(STORMS);
    for (const [key, text] of storms) {
      const [event, ...others] = created.filter(({ data }) => (data.metadata as { storm: string }).storm === key);
      expect(others).toStrictEqual([]);
      const { id } = JSON.parse(text) as { id: string };
      expect(event?.stream).toBe(`test.payment_intent-${id}`);
    }
  });

  it('are answered a day long: a late duplicate of each has the same answer', async () => {
    for (const [key, text] of storms) {
      expect(await create(key)).toStrictEqual({ text, replayed: true });
    }
  });
});
