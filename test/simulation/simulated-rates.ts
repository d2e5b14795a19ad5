import { isoTime, MINUTE_MS, type Clock } from '../../src/kernel/clock';
import type { RateObservation, RateSource } from '../../src/kernel/ports/rate-source';
import { isOn } from './knobs';

export const LEGS = ['one', 'two'] as const;
export type Leg = (typeof LEGS)[number];

/** Millionths of a token by one major unit of the currency. */
const MILLIONTHS: Readonly<Record<string, bigint>> = { EUR: 1_080_000n, USD: 1_000_000n, JPY: 6_600n, KWD: 3_250_000n };
const DIGITS = 12;
/** So often a rate moves, by up to two tenths of a percent, and the second leg is six hundredths above the first. */
const MOVES_EVERY_MS = 10 * MINUTE_MS;
const MOVE_MILLIONTHS = 2_000;
const APART_MILLIONTHS: Readonly<Record<Leg, bigint>> = { one: 0n, two: 600n };

/** The rate of a source at a moment, in 10^-12 of a token by one major unit. */
export function rateAt(leg: Leg, currency: string, timeMs: number): bigint {
  const moved = isOn('prices') ? movedAt(timeMs) : 0n;
  return (MILLIONTHS[currency] as bigint) * (1_000_000n + moved + APART_MILLIONTHS[leg]);
}

function movedAt(timeMs: number): bigint {
  const step = Math.floor(timeMs / MOVES_EVERY_MS);
  return BigInt(((step * 7_919) % (2 * MOVE_MILLIONTHS)) - MOVE_MILLIONTHS);
}

/** Two families of made-up rates, which everybody outside can recompute. */
export class SimulatedRates implements RateSource {
  readonly family: string;
  /** None grows old before it is asked for again, however long the clock jumps. */
  readonly freshForMs = Number.MAX_SAFE_INTEGER;
  readonly currencies = Object.keys(MILLIONTHS);

  constructor(
    readonly name: Leg,
    private readonly clock: Clock,
  ) {
    this.family = name;
  }

  async observe(): Promise<readonly RateObservation[]> {
    const nowMs = this.clock.now();
    return (['USDT', 'USDC'] as const).flatMap(asset =>
      this.currencies.map(currency => {
        const digits = rateAt(this.name, currency, nowMs)
          .toString()
          .padStart(DIGITS + 1, '0');
        const rate = `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`;
        const [source, family] = [this.name, this.family];
        return { source, family, asset, currency, rate, observed_at: isoTime(nowMs) };
      }),
    );
  }
}
