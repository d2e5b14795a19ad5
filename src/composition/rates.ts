import type { Clock } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import type { Log } from '../kernel/ports/log';
import { ASSETS } from '../vocabulary/tokens';
import type { RateSource } from '../kernel/ports/rate-source';
import { EvmChain } from '../platform/chains/evm/evm-chain';
import { quotesFixedRates, type Config, type RateSourceName } from '../platform/config/config';
import { BinanceSource } from '../platform/rates/binance-source';
import { BitstampSource } from '../platform/rates/bitstamp-source';
import { ChainlinkSource } from '../platform/rates/chainlink-source';
import { CoinbaseSource } from '../platform/rates/coinbase-source';
import { CoinGeckoSource } from '../platform/rates/coingecko-source';
import { EcbSource } from '../platform/rates/ecb-source';
import { KrakenSource } from '../platform/rates/kraken-source';
import { PacedSource } from '../platform/rates/paced-source';
import type { RateSources } from './ports';

/** Shorter than the rate book's wait for a source, so that a second provider has its turn. */
const RPC_TIMEOUT_MS = 4_000;

type Opening = { readonly config: Config; readonly clock: Clock; readonly log: Log };

/** The configured sources; in test mode without any, two built-in fixed legs that say `sandbox`. */
export async function rateSources(opening: Opening): Promise<RateSources> {
  const { config, clock } = opening;
  const configured = (mode: Mode): readonly RateSource[] => {
    const names = config.modes.includes(mode) ? config.rateSources[mode] : [];
    return names.flatMap(name => sourcesOf(name, opening).map(source => new PacedSource(source, clock)));
  };
  const test = quotesFixedRates(config) ? await fixedSources(clock) : configured('test');
  return { test, live: configured('live') };
}

async function fixedSources(clock: Clock): Promise<readonly RateSource[]> {
  // Live mode loads no rate that is made up.
  const { FixedSource } = await import('../platform/rates/fixed-source.js');
  return [new FixedSource('sandbox-a', clock), new FixedSource('sandbox-b', clock)];
}

function sourcesOf(name: RateSourceName, { config, clock, log }: Opening): readonly RateSource[] {
  switch (name) {
    case 'coinbase':
      // One source for each token, so that losing one token's rates does not take the other's along.
      return ASSETS.map(asset => new CoinbaseSource({ asset, clock, baseUrl: config.coinbaseUrl }));
    case 'kraken':
      return [new KrakenSource({ clock, baseUrl: config.krakenUrl })];
    case 'binance':
      return [new BinanceSource({ clock, baseUrl: config.binanceUrl })];
    case 'bitstamp':
      return [new BitstampSource({ baseUrl: config.bitstampUrl })];
    case 'coingecko':
      return [new CoinGeckoSource({ baseUrl: config.coingeckoUrl, apiKey: config.coingeckoApiKey ?? undefined })];
    case 'ecb':
      return [new EcbSource({ baseUrl: config.frankfurterUrl })];
    case 'chainlink': {
      const urls = config.rpcUrls.base.live;
      const chain = new EvmChain({ network: 'base', mode: 'live', urls, timeoutMs: RPC_TIMEOUT_MS, log });
      return [new ChainlinkSource(chain, config.chainlinkFeed)];
    }
  }
}
