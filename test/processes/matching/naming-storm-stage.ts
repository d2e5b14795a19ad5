import { refuse } from '../../../src/vocabulary/errors';
import type { Receipt } from '../../../src/kernel/ports/chain';
import { paymentIntents } from '../../../src/modules/payment-intents/payment-intent.decider';
import { TOKENS } from '../../../src/vocabulary/tokens';
import { PauseWanted, ResponseTooLarge } from '../../../src/platform/outbound/http-client';
import type { Dialect } from '../../../src/platform/chains/providers/dialect';
import { PooledChain } from '../../../src/platform/chains/providers/pooled-chain';
import { DECISION_RATES } from '../../../src/processes/matching/decision-looks';
import type { LookUpRates } from '../../../src/processes/matching/look-up-budget';
import { ManualClock, NOON, RecordingLog } from '../../support/payment-fixture';
import type { ScriptedChain } from '../../support/scripted-chain';
import { MatchingFixture, pi } from './matching-fixture';
import { termsOf } from '../../support/payment-terms';

const SECOND_MS = 1_000;
/** The rate that public providers allow. */
const REQUESTS_A_SECOND = 25;
const NAMINGS_A_SECOND = 60;
/** The hash of the transaction that is too large. */
const BIG_RECEIPT_BYTES = 26_000_000;

type PublicProvider = { readonly name: string; readonly span: { readonly blocks: number } };

/** A public provider before a scripted chain: beyond 25 requests in a second it says 429. */
export class PublicChain extends PooledChain<PublicProvider> {
  requests = 0;
  refused = 0;
  bytes = 0;
  readonly asked = new Map<string, number>();
  readonly big = new Set<string>();
  scripted: ScriptedChain | null = null;
  /** Not at the start, at which the watcher reads many blocks at once. */
  isLimited = false;
  private second = 0;
  private inSecond = 0;

  constructor(
    private readonly time: ManualClock,
    readonly lines = new RecordingLog(),
  ) {
    const dialect: Dialect<PublicProvider> = {
      network: 'base',
      chain: 'chain 84532',
      tokenStandard: 'ERC-20',
      serves: () => this.answer(() => Promise.resolve(true)),
      decimalsOf: () => this.answer(() => Promise.resolve(BigInt(TOKENS['usdc-base'].decimals))),
      headOf: () => this.answer(chain => chain.head()),
      headerAt: (_, height) => this.answer(chain => chain.blockAt(height)),
      finalizedOf: () => this.answer(chain => chain.finalizedHeight()),
      scan: (_, contract, recipients) => ({
        inBlock: hash => this.answer(chain => chain.transfersInBlock(hash, contract, recipients)),
        inRange: (from, to) =>
          this.answer(async chain => {
            const endHash = (await chain.blockAt(to))?.hash ?? '';
            return { ...(await chain.transfersInRange(from, to, contract, recipients)), endHash };
          }),
      }),
      receiptOf: (_provider, txHash, _contracts, _recipients, mostBytes) => this.receiptOf(txHash, mostBytes),
      contractAnswer: () => this.answer(() => Promise.resolve(null)),
      balanceOf: () => this.answer(() => Promise.resolve(0n)),
    };
    super(dialect, [{ name: 'public.example', span: { blocks: 100 } }], {
      mode: 'test',
      urls: [],
      clock: time,
      log: lines,
    });
  }

  private receiptOf(txHash: string, mostBytes = Infinity): Promise<Receipt | null> {
    return this.answer(chain => {
      this.asked.set(txHash, (this.asked.get(txHash) ?? 0) + 1);
      if (!this.big.has(txHash)) return chain.receipt(txHash);
      this.bytes += Math.min(BIG_RECEIPT_BYTES, mostBytes);
      if (mostBytes >= BIG_RECEIPT_BYTES) return chain.receipt(txHash);
      throw refuse('provider_response_invalid', { cause: new ResponseTooLarge(mostBytes) });
    });
  }

  private answer<T>(give: (chain: ScriptedChain) => Promise<T>): Promise<T> {
    const second = Math.floor(this.time.now() / SECOND_MS);
    if (second !== this.second) this.inSecond = 0;
    this.second = second;
    this.requests += 1;
    this.inSecond += 1;
    if (this.isLimited && this.inSecond > REQUESTS_A_SECOND) {
      this.refused += 1;
      const message = 'eth_call was answered with status 429.';
      return Promise.reject(refuse('provider_unavailable', { message, cause: new PauseWanted(null) }));
    }
    return give(this.scripted as ScriptedChain);
  }
}

/** Payments, each of an attacker of its own. */
const ATTACKERS = [11, 12, 13];

/** A service whose one provider is a public one, and attackers who name transactions. Payment 2 is a bystander's. */
export class NamingStorm {
  readonly chain: PublicChain;
  readonly fixture: MatchingFixture;
  readonly outcomes = new Map<string, number>();

  private constructor(rates?: LookUpRates) {
    const clock = new ManualClock(NOON);
    this.chain = new PublicChain(clock);
    this.fixture = new MatchingFixture({
      clock,
      chain: this.chain,
      decisionRates: DECISION_RATES,
      ...(rates && { rates }),
    });
    this.chain.scripted = this.fixture.payments.chain;
  }

  static async start(rates?: LookUpRates): Promise<NamingStorm> {
    const storm = new NamingStorm(rates);
    await storm.fixture.start();
    storm.chain.isLimited = true;
    for (const attacker of ATTACKERS) await storm.quotedFor(attacker);
    return storm;
  }

  private async quotedFor(attacker: number): Promise<void> {
    const { payments } = this.fixture;
    const own = () => ({ ...payments.context(), merchantId: merchantOf(attacker) });
    await payments.writes.execute(paymentIntents, pi(attacker), { type: 'create', terms: termsOf() }, own());
    await payments.select(pi(attacker), own());
  }

  /** A second in which a block comes, the naming of `next` is made, and the watcher looks once. */
  async second(next: (() => string) | null): Promise<void> {
    const { payments, watcher } = this.fixture;
    payments.mineEmpty(1);
    const numbers = Array.from({ length: next === null ? 0 : NAMINGS_A_SECOND }, (_, number) => number);
    const namings = numbers.map(number => this.name(ATTACKERS[number % ATTACKERS.length] ?? 0, next?.() ?? ''));
    await Promise.all(namings);
    await watcher?.tick().catch(() => undefined);
    await this.fixture.handleAll();
    await this.fixture.looks?.round();
  }

  /** The outcome: the naming's status where it was filed, a refusal's code. */
  async name(payment: number, txHash: string): Promise<string> {
    const change = ATTACKERS.includes(payment) ? { merchantId: merchantOf(payment) } : {};
    const outcome = await this.fixture.name(pi(payment), txHash, 'merchant', null, change).then(
      named => (named.kind === 'filed' ? named.naming.status : named.kind),
      (error: unknown) => String((error as { code?: string }).code),
    );
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    return outcome;
  }
}

function merchantOf(attacker: number): string {
  return `mch_${String(attacker).padStart(26, '0')}`;
}
