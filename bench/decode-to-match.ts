import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DAY_MS, isoTime } from '../src/kernel/clock';
import type { DomainEvent, EventMetadata } from '../src/kernel/event';
import { GENESIS_HASH } from '../src/kernel/hash-chain';
import { TOKENS } from '../src/vocabulary/tokens';
import { SystemCommands } from '../src/kernel/system-commands';
import { WritePath } from '../src/kernel/write-path';
import { amountOfSlot } from '../src/modules/quotes/amount-grid';
import { addressTopic, ReceiptLogs, TRANSFER_TOPIC, TransferFilter } from '../src/platform/chains/evm/transfer-logs';
import { SystemClock } from '../src/platform/clock/system-clock';
import { SystemEntropy } from '../src/platform/clock/system-entropy';
import { EmbeddedFile } from '../src/platform/embedded-file/embedded-file';
import { EmbeddedEventStore } from '../src/platform/event-store/embedded/embedded-event-store';
import { createLogger } from '../src/platform/logging/logger';
import { TransferCredit } from '../src/processes/matching/transfer-credit';
import { TransferMatching } from '../src/processes/matching/transfer-matching';
import { inFlight, median } from './measure';
import { wallClocks } from './wall-clocks';

const FEW = 1_000;
const MANY = 1_000_000;
const FILLING = 64;
const ROUNDS = 9;
const ROUND = 100;
const MERCHANT = 'mch_00000000000000000000000000';
const WALLET = 'wal_00000000000000000000000000';
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const TOKEN = TOKENS['usdc-base'];
const CONTRACT = TOKEN.contract.live;
/** Amounts from 10.00 upwards, one a slot. */
const FIRST_SLOT = 1_000_000n;
const BLOCK_HASH = `0x${'b1'.repeat(32)}`;

/**
 * R5: time from a transfer's raw log to its claim and credit, with a million reservations open over with a thousand.
 */
export async function decodeToMatch(): Promise<number> {
  const [few, many] = [new Place(FEW), new Place(MANY)];
  try {
    await few.fill();
    await many.fill();
    await few.round(0);
    await many.round(0);
    const ratios: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const base = await few.round(round);
      ratios.push((await many.round(round)) / base);
    }
    return median(ratios);
  } finally {
    await few.close();
    await many.close();
  }
}

/** One address with so many reservations open, in an engine of its own. */
class Place {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'quittance-bench-'));
  private readonly file = EmbeddedFile.open(this.folder, { role: 'service' });
  private readonly clock = new SystemClock();
  private readonly store = new EmbeddedEventStore(this.file, this.clock);
  private readonly matching: TransferMatching;
  private readonly startedAt = Date.now();

  constructor(private readonly reservations: number) {
    const writes = new WritePath(this.store, this.clock, () => Promise.resolve());
    const clock = wallClocks(this.clock);
    const commands = new SystemCommands(writes, clock, new SystemEntropy());
    const log = createLogger({ level: 'error' });
    this.matching = new TransferMatching(writes, clock, commands, new TransferCredit(commands, clock, log), log, null);
  }

  /**
   * One reservation goes through the store, and copies of its row stand for the others: appending a million would take
   * longer than the rest.
   */
  async fill(): Promise<void> {
    await this.reserve(0);
    const stream = `'${slotStream('')}' || (${FIRST_SLOT} + n)`;
    const price = `printf('"%d"', (${FIRST_SLOT} + n) * ${TOKEN.stepBaseUnits})`;
    const data = `replace(data, '${paymentIntent(0)}', printf('pi_%026d', n)), '"${amount(0)}"', ${price}`;
    await this.file.write(() => {
      this.file.database.exec(`
        with recursive copies(n) as (select 1 union all select n + 1 from copies where n + 1 < ${this.reservations})
        insert into events (stream, revision, type, id, data, metadata)
        select ${stream}, 0, type, printf('copy-%d', n), replace(${data}), metadata
        from copies join events on position = 1`);
    });
    const paid = Array.from({ length: (ROUNDS + 1) * ROUND }, (_, index) => this.paidIndex(index));
    await inFlight(paid.length, FILLING, index => this.quote(paid[index] as number));
  }

  /** Milliseconds for a round of transfers, one after the other, each to another reservation. */
  async round(round: number): Promise<number> {
    const raw = Array.from({ length: ROUND }, (_, index) => this.receipt(round * ROUND + index));
    const before = process.hrtime.bigint();
    for (const receipt of raw) await this.match(receipt);
    const tookMs = Number(process.hrtime.bigint() - before) / 1e6;
    for (let index = 0; index < ROUND; index++) await this.checkCredit(round * ROUND + index);
    return tookMs;
  }

  async close(): Promise<void> {
    await this.store.close();
    this.file.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async checkCredit(number: number): Promise<void> {
    const history = await this.store.readStream(`live.payment_intent-${paymentIntent(this.paidIndex(number))}`);
    if (history.at(-1)?.type !== 'TransferDetected') throw new Error(`transfer ${number} was not credited`);
  }

  private async match(raw: ReturnType<Place['receipt']>): Promise<void> {
    const logs = new ReceiptLogs(new TransferFilter([CONTRACT], [ADDRESS]));
    logs.take(raw.logs);
    const [transfer] = logs.observed(raw);
    if (!transfer) throw new Error('the log holds no transfer');
    const block = { number: 1, hash: BLOCK_HASH, parentHash: BLOCK_HASH, timeMs: Date.now() };
    await this.matching.observe({ mode: 'live', token: TOKEN, transfer, block, paidAtMs: block.timeMs });
  }

  /** The reads spread over all of them, so that no page of the engine stays at hand. */
  private paidIndex(number: number): number {
    return Math.floor((number * this.reservations) / ((ROUNDS + 1) * ROUND)) % this.reservations;
  }

  private receipt(number: number) {
    const value = BigInt(amount(this.paidIndex(number)));
    const transactionHash = `0x${(number + 1).toString(16).padStart(64, '0')}`;
    const place = { transactionHash, blockNumber: 1, blockHash: BLOCK_HASH };
    const topics = [TRANSFER_TOPIC, addressTopic(PAYER), addressTopic(ADDRESS)];
    const data = `0x${value.toString(16).padStart(64, '0')}`;
    return {
      ...place,
      status: 1,
      logs: [{ ...place, blockNumber: '0x1', logIndex: '0x0', address: CONTRACT, topics, data }],
    };
  }

  private async reserve(index: number): Promise<void> {
    const data = {
      payment_intent: paymentIntent(index),
      merchant_id: MERCHANT,
      wallet_id: WALLET,
      amount_base_units: amount(index),
      price_base_units: amount(index),
      reserved_at: isoTime(this.startedAt),
      reserved_until: isoTime(this.startedAt + DAY_MS),
      purpose: 'quote',
    };
    await this.append(slotStream(String(FIRST_SLOT + BigInt(index))), [{ type: 'AmountReserved', data }]);
  }

  private async quote(index: number): Promise<void> {
    const terms = {
      amount_minor_units: '1000',
      currency: 'USD',
      currency_decimals: 2,
      metadata: {},
      description: null,
      success_url: null,
    };
    const quote = {
      token_id: TOKEN.id,
      network_id: TOKEN.network,
      address: ADDRESS,
      due_base_units: amount(index),
      quote_expires_at: isoTime(this.startedAt + DAY_MS),
    };
    await this.append(`live.payment_intent-${paymentIntent(index)}`, [
      { type: 'PaymentIntentCreated', data: terms },
      { type: 'MethodSelected', data: quote },
    ]);
  }

  private async append(stream: string, events: readonly DomainEvent[]): Promise<void> {
    const at = isoTime(this.startedAt);
    const metadata: EventMetadata = {
      actor: { role: 'api', type: 'api_key', id: 'key_00000000000000000000000000' },
      merchant_id: MERCHANT,
      mode: 'live',
      command_id: stream,
      request_id: null,
      correlation_id: stream,
      causation_id: null,
      occurred_at: at,
      recorded_at: at,
      ip: null,
      schema: 1,
      prev_hash: GENESIS_HASH,
      hash: GENESIS_HASH,
    };
    const sealed = events.map(event => ({ ...event, id: randomUUID(), metadata }));
    await this.store.append(stream, 'no_stream', sealed);
  }
}

function slotStream(slot: string): string {
  return `live.amount_slot-${TOKEN.network}:${ADDRESS}:${TOKEN.id}:${slot}`;
}

function amount(index: number): string {
  return amountOfSlot(TOKEN, FIRST_SLOT + BigInt(index)).toString();
}

function paymentIntent(index: number): string {
  return `pi_${String(index).padStart(26, '0')}`;
}
