import { z } from 'zod';
import { isoTime, MINUTE_MS, SECOND_MS } from '../../kernel/clock';
import type { RateObservation, RateSource } from '../../kernel/ports/rate-source';
import { ASSETS, type Asset } from '../../vocabulary/tokens';
import { fetchText } from '../outbound/fetch-text';
import { parseAnswer } from '../outbound/parse-answer';
import { invertMidPrice } from './exact-rate';
import { salvage } from './salvage';

type BitstampPair = { readonly asset: Asset; readonly currency: string };

type BitstampOptions = {
  readonly baseUrl?: string;
  readonly pairs?: readonly BitstampPair[];
  readonly timeoutMs?: number;
};

const DEFAULT_PAIRS: readonly BitstampPair[] = ASSETS.flatMap(asset =>
  ['USD', 'EUR'].map(currency => ({ asset, currency })),
);

/** `{"bid":"0.9998","ask":"0.9999","timestamp":"1790000000",…}`, all of them texts. */
const ANSWER = z.object({
  bid: z.string(),
  ask: z.string(),
  timestamp: z.string().regex(/^\d{9,11}$/, 'not a time in seconds'),
});

/** Bitstamp's order books, by the middle of bid and ask; one request for each pair. No key is needed. */
export class BitstampSource implements RateSource {
  readonly name = 'bitstamp';
  readonly family = 'bitstamp';
  readonly freshForMs = MINUTE_MS;
  readonly currencies: readonly string[];
  private readonly pairs: readonly BitstampPair[];

  constructor(private readonly options: BitstampOptions = {}) {
    this.pairs = options.pairs ?? DEFAULT_PAIRS;
    this.currencies = [...new Set(this.pairs.map(pair => pair.currency))];
  }

  async observe(signal: AbortSignal): Promise<readonly RateObservation[]> {
    const answers = await Promise.allSettled(this.pairs.map(pair => this.observation(pair, signal)));
    return salvage(answers, answer => {
      if (answer.status === 'fulfilled') return answer.value;
      throw answer.reason;
    });
  }

  private async observation(pair: BitstampPair, signal: AbortSignal): Promise<RateObservation> {
    const { baseUrl = 'https://www.bitstamp.net', timeoutMs } = this.options;
    const symbol = `${pair.asset}${pair.currency}`.toLowerCase();
    const url = `${baseUrl}/api/v2/ticker/${symbol}/`;
    const text = await fetchText({ source: this.name, url, signal, timeoutMs });
    const { bid, ask, timestamp } = parseAnswer(`${this.name} ${symbol}`, text, ANSWER);
    const rate = invertMidPrice(bid, ask, { source: this.name, field: symbol });
    const observedAt = isoTime(Number(timestamp) * SECOND_MS);
    return { source: this.name, family: this.family, ...pair, rate, observed_at: observedAt };
  }
}
