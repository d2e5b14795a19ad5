import { isRefusal, refuse, type Refusal } from '../../../kernel/errors';
import type { Log } from '../../../kernel/ports/log';
import { JsonRpc, type Rpc } from './json-rpc';
import { LogSpan } from './log-span';
import { quantity } from './rpc-shapes';

/** After so many operations on a substitute the preferred provider is tried again. */
const OPERATIONS_UNTIL_RETURN = 500;

export type ProviderPoolOptions = {
  /** In order of preference; at least one. */
  readonly urls: readonly string[];
  readonly chainId: number;
  readonly timeoutMs: number;
  /** Told when a provider begins to fail, and when it answers again. */
  readonly log: Log | null;
};

/** One endpoint as an operation sees it; `name` is the host, since a URL's path often holds a key. */
export type Provider = {
  readonly name: string;
  readonly rpc: Rpc;
  readonly span: LogSpan;
};

type Entry = Provider & { standing: 'unchecked' | 'trusted' | 'disqualified'; failing: boolean };
type Outcome<T> = { readonly value: T } | { readonly fault: Refusal };

/** The providers of one chain. Whoever serves another chain is out for good; whoever fails is replaced by the next. */
export class ProviderPool {
  private readonly entries: readonly Entry[];
  private current = 0;
  private operations = 0;

  constructor(private readonly options: ProviderPoolOptions) {
    this.entries = options.urls.map(url => ({
      name: new URL(url).host,
      rpc: new JsonRpc(url, options.timeoutMs),
      span: new LogSpan(),
      standing: 'unchecked',
      failing: false,
    }));
  }

  /**
   * Runs an operation as a whole on the first provider that carries it out, so that no answer mixes two views of the chain.
   * Throws the first one's refusal when none does, provider_network_mismatch when every one is disqualified.
   */
  async run<T>(operation: (provider: Provider) => Promise<T>): Promise<T> {
    if (++this.operations % OPERATIONS_UNTIL_RETURN === 0) this.current = 0;
    const start = this.current;
    const faults: Refusal[] = [];
    for (let i = 0; i < this.entries.length; i++) {
      const index = (start + i) % this.entries.length;
      const outcome = await this.attempt(this.entries[index] as Entry, operation);
      if ('value' in outcome) {
        this.current = index;
        return outcome.value;
      }
      faults.push(outcome.fault);
    }
    throw this.failure(faults);
  }

  /** Runs an operation on every provider that serves the right chain, asking each for its chain again; at least one must succeed. */
  async runOnEach(operation: (provider: Provider) => Promise<void>): Promise<void> {
    for (const entry of this.entries) if (entry.standing === 'trusted') entry.standing = 'unchecked';
    const outcomes = await Promise.all(this.entries.map(entry => this.attempt(entry, operation)));
    const faults = outcomes.flatMap(outcome => ('fault' in outcome ? [outcome.fault] : []));
    if (faults.length === outcomes.length) throw this.failure(faults);
  }

  private async attempt<T>(entry: Entry, operation: (provider: Provider) => Promise<T>): Promise<Outcome<T>> {
    const { log, chainId } = this.options;
    try {
      await this.qualify(entry);
      const value = await operation(entry);
      if (entry.failing) log?.info({ provider: entry.name, chain_id: chainId }, 'chain provider answers again');
      entry.failing = false;
      return { value };
    } catch (error) {
      if (!isRefusal(error) || !error.code.startsWith('provider_')) throw error;
      const facts = { provider: entry.name, chain_id: chainId, code: error.code, fault: error.message };
      if (!entry.failing) log?.warn(facts, 'chain provider failed');
      entry.failing = true;
      return { fault: error };
    }
  }

  private async qualify(entry: Entry): Promise<void> {
    if (entry.standing === 'trusted') return;
    const { chainId } = this.options;
    if (entry.standing === 'unchecked') {
      const served = await entry.rpc.call('eth_chainId', [], quantity);
      entry.standing = served === chainId ? 'trusted' : 'disqualified';
    }
    if (entry.standing === 'disqualified') {
      throw refuse('provider_network_mismatch', { message: `${entry.name} does not serve chain ${chainId}.` });
    }
  }

  private failure(faults: readonly Refusal[]): Refusal {
    const fault = faults.find(({ code }) => code !== 'provider_network_mismatch') ?? faults[0];
    return (
      fault ?? refuse('invalid_config', { message: `No provider is configured for chain ${this.options.chainId}.` })
    );
  }
}
