import { isRefusal, type Refusal } from '../../../src/vocabulary/errors';
import type { Mode } from '../../../src/vocabulary/modes';
import { EvmChain } from '../../../src/platform/chains/evm/evm-chain';
import { RecordingLog } from '../../support/fixture-doubles';
import { ManualClock } from '../../support/manual-clock';
import { ScriptedProvider, type Behaviour } from './scripted-provider';

/** Patience with providers that answer: no standstill of a busy machine passes for their silence. */
export const AMPLE_MS = 20_000;

/** The providers of one test, and the chain read through them; its clock stands still unless the test moves it. */
export class EvmStage {
  readonly clock = new ManualClock(1_790_000_000_000);
  readonly log = new RecordingLog();
  private readonly started: ScriptedProvider[] = [];

  async provider(behaviour: Behaviour): Promise<ScriptedProvider> {
    const one = await ScriptedProvider.start(behaviour);
    this.started.push(one);
    return one;
  }

  chainOf(providers: readonly ScriptedProvider[], timeoutMs = AMPLE_MS, mode: Mode = 'test'): EvmChain {
    const { clock, log } = this;
    return new EvmChain({ network: 'bnb', mode, urls: providers.map(({ url }) => url), timeoutMs, clock, log });
  }

  async stop(): Promise<void> {
    await Promise.all(this.started.splice(0).map(provider => provider.stop()));
  }
}

export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isRefusal(error)) throw new Error(`no refusal: ${String(error)}`);
  return error;
}

export const status =
  (code: number): Behaviour =>
  (_method, _params, response) => {
    response.statusCode = code;
    response.end('{"error":"busy"}');
    return 'written';
  };

export const body =
  (text: string): Behaviour =>
  (_method, _params, response) => {
    response.end(text);
    return 'written';
  };
