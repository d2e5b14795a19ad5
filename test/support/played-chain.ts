import { createHash } from 'node:crypto';
import type { Clock } from '../../src/kernel/clock';
import type { LocalChain, LocalPayment, LocalTransfer, PaidTransfer } from '../../src/kernel/ports/local-chain';
import { TOKENS } from '../../src/vocabulary/tokens';
import { PAYER } from './payment-fixture';
import { ScriptedChain, type ScriptedTransfer } from './scripted-chain';

const BLOCK_MS = 1_000;
/** Real networks are old; a block of a small number would look made up. */
const OLD_BLOCKS = 1_024;

/** A scripted chain as the service's own local chain, whose blocks come no earlier than the clock's time. */
export class PlayedChain implements LocalChain {
  readonly chain: ScriptedChain;
  private lastMs: number;
  private sent = 0;
  private readonly named = new Map<string, PaidTransfer>();

  constructor(private readonly clock: Clock) {
    this.lastMs = clock.now() - BLOCK_MS;
    this.chain = new ScriptedChain(this.lastMs - OLD_BLOCKS * BLOCK_MS, BLOCK_MS);
    this.chain.mineEmpty(OLD_BLOCKS);
  }

  mine(blocks: number): Promise<void> {
    for (let block = 0; block < blocks; block++) this.put();
    return Promise.resolve();
  }

  paid(name: string): Promise<PaidTransfer | null> {
    return Promise.resolve(this.named.get(name) ?? null);
  }

  async pay({ tokenId, to, baseUnits, name = '', onSigned }: LocalPayment): Promise<LocalTransfer> {
    const [txHash, funding] = [this.freshHash(), this.freshHash()];
    await onSigned?.(txHash);
    this.put({ txHash, contract: TOKENS[tokenId].contract.test, from: PAYER, to, valueBaseUnits: baseUnits });
    this.named.set(name, { txHash, funding, baseUnits });
    return { txHash, funding };
  }

  takeBack(txHashes: readonly string[]): Promise<void> {
    const numbers = txHashes.map(txHash => this.chain.blockOf(txHash)?.number ?? this.chain.height);
    this.chain.reorganise(this.chain.height - Math.min(...numbers) + 1);
    return Promise.resolve();
  }

  private put(...transfers: readonly ScriptedTransfer[]): void {
    this.chain.skipTime(Math.max(0, this.clock.now() - this.lastMs - BLOCK_MS));
    this.lastMs = this.chain.mine(...transfers).timeMs;
  }

  private freshHash(): string {
    const number = (this.sent += 1);
    return `0x${createHash('sha256').update(`transaction ${number}`).digest('hex')}`;
  }
}
