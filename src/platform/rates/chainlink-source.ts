import { HOUR_MS, isoTime, SECOND_MS } from '../../kernel/clock';
import { refuse } from '../../vocabulary/errors';
import type { ContractReader } from '../../kernel/ports/contract-reader';
import type { RateObservation, RateSource } from '../../kernel/ports/rate-source';
import { invertPrice } from './exact-rate';

/** First four bytes of keccak256("latestRoundData()"). */
const LATEST_ROUND_DATA = '0xfeaf968c';
/** roundId, answer, startedAt, updatedAt and answeredInRound, a word each. */
const ROUND_PATTERN = /^0x[0-9a-f]{64}([0-9a-f]{64})[0-9a-f]{64}([0-9a-f]{64})[0-9a-f]{64}$/;
/** All dollar feeds count in hundred-millionths. */
const DECIMALS = 8;
const HIGHEST_INT256 = (1n << 255n) - 1n;
/** The feed is renewed when the price moves, and otherwise once a day; the hour is for a late renewal. */
const FRESH_FOR_MS = 25 * HOUR_MS;
const HIGHEST_TIME_S = 99_999_999_999n;

/** The dollar price of USDC that Chainlink keeps on Base. The source needs a provider of Base, and no key. */
export class ChainlinkSource implements RateSource {
  readonly name = 'chainlink';
  readonly family = 'on_chain';
  readonly freshForMs = FRESH_FOR_MS;
  readonly currencies = ['USD'];

  constructor(
    private readonly contracts: ContractReader,
    private readonly feed: string,
  ) {}

  async observe(): Promise<readonly RateObservation[]> {
    const answer = await this.contracts.readContract(this.feed, LATEST_ROUND_DATA);
    const [, answerWord, updatedWord] = ROUND_PATTERN.exec(answer ?? '') ?? [];
    if (answerWord === undefined || updatedWord === undefined) {
      throw this.invalid(answer === null ? `no price feed stands at ${this.feed}` : 'the answer is no price round');
    }
    const price = BigInt(`0x${answerWord}`);
    if (price === 0n || price > HIGHEST_INT256) throw this.invalid('answer is not above zero');
    const updatedAt = BigInt(`0x${updatedWord}`);
    if (updatedAt === 0n || updatedAt > HIGHEST_TIME_S) throw this.invalid('updatedAt is not a time in seconds');
    const rate = invertPrice(decimal(price), { source: this.name, field: 'answer' });
    const observed_at = isoTime(Number(updatedAt) * SECOND_MS);
    return [{ source: this.name, family: this.family, asset: 'USDC', currency: 'USD', rate, observed_at }];
  }

  private invalid(fault: string): Error {
    return refuse('provider_response_invalid', { message: `${this.name}: ${fault}.` });
  }
}

function decimal(price: bigint): string {
  const digits = price.toString().padStart(DECIMALS + 1, '0');
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}
