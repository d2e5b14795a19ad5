import type { Core } from './core';
import type { Mode } from './kernel/event';
import type { RateSource } from './kernel/ports/rate-source';
import { RateBook } from './modules/quotes/rate-book';
import { CoinbaseSource } from './platform/rates/coinbase-source';
import { CoinGeckoSource } from './platform/rates/coingecko-source';
import { KrakenSource } from './platform/rates/kraken-source';
import { SandboxSource } from './platform/rates/sandbox-source';

/** The rate book over the configured sources; in test mode without any, over two built-in fixed legs that say `sandbox`. */
export function openRates({ config, clock, log }: Core): RateBook {
  const configured = (mode: Mode): readonly RateSource[] =>
    (config.modes.includes(mode) ? config.rateSources[mode] : []).flatMap((name): readonly RateSource[] => {
      switch (name) {
        case 'coinbase':
          // One for each token, so that losing one token's rates does not take the other's along.
          return (['USDT', 'USDC'] as const).map(
            asset => new CoinbaseSource({ asset, clock, baseUrl: config.coinbaseUrl }),
          );
        case 'kraken':
          return [new KrakenSource({ clock, baseUrl: config.krakenUrl })];
        case 'coingecko':
          return [new CoinGeckoSource({ baseUrl: config.coingeckoUrl, apiKey: config.coingeckoApiKey ?? undefined })];
      }
    });
  const test = configured('test');
  const sandbox = [new SandboxSource('sandbox-a', clock), new SandboxSource('sandbox-b', clock)];
  return new RateBook({ test: test.length > 0 ? test : sandbox, live: configured('live') }, clock, log);
}
