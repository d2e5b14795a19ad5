import { computeAddress, hexlify, id } from 'ethers';
import type { Entropy } from '../kernel/entropy';
import { refuse } from '../vocabulary/errors';
import type { LocalChain, LocalPayment, LocalTransfer, PaidTransfer } from '../kernel/ports/local-chain';
import { DEEPEST_REORG } from './anvil-process';
import type { SandboxAccount } from './sandbox-accounts';
import type { Resend, SandboxChain } from './sandbox-chain';

const KEY_BYTES = 32;
/** The next try looks at a block that is made meanwhile, and at none that was looked at before. */
const TAKE_BACK_TRIES = 10;

/** Transactions of blocks by their height, as far as they have been looked at. */
type LookedAt = Map<number, readonly string[]>;

/**
 * Plays payers on a local chain. Each payment comes from an account of its own. So a payment which is taken back leaves
 * no gap in the sequence of any other account's transactions. The accounts of a named payment follow from its name. So
 * a call that is made again after a crash finds its former steps on the chain.
 */
export class SandboxPayer implements LocalChain {
  constructor(
    private readonly chain: SandboxChain,
    private readonly entropy: Entropy,
  ) {}

  mine(blocks: number): Promise<void> {
    return this.chain.mine(blocks);
  }

  async paid(name: string): Promise<PaidTransfer | null> {
    const { funder, payer } = this.accounts(name);
    const [funding, payment] = await Promise.all([this.chain.firstTransfer(funder), this.chain.firstTransfer(payer)]);
    return funding && payment && { ...payment, funding: funding.txHash };
  }

  /** Three blocks: the funder's tokens, the payer's, the payment. */
  async pay({ tokenId, to, baseUnits, lookalike = false, name, onSigned }: LocalPayment): Promise<LocalTransfer> {
    const once = async (
      from: SandboxAccount | undefined,
      recipient: string,
      signed?: LocalPayment['onSigned'],
    ): Promise<string> => {
      const isRemembered = from !== undefined && name !== undefined;
      const payment = { tokenId, to: recipient, baseUnits, ...(from && { from }), isRemembered, onSigned: signed };
      const sent = isRemembered ? await this.chain.firstTransfer(from) : null;
      const txHash =
        sent?.txHash ?? (await (lookalike ? this.chain.sendLookalike(payment) : this.chain.sendToken(payment)));
      await this.chain.mine(1);
      return txHash;
    };
    const { funder, payer } = this.accounts(name);
    const isFunded = name !== undefined && (await this.chain.firstTransfer(funder)) !== null;
    if (!isFunded) {
      for (const account of [funder, payer]) await this.chain.giveCoins(account);
      await once(undefined, this.chain.addressOf(funder));
    }
    const funding = await once(funder, this.chain.addressOf(payer));
    return { txHash: await once(payer, to, onSigned), funding };
  }

  async takeBack(txHashes: readonly string[]): Promise<void> {
    const unwanted = new Set(txHashes);
    const lookedAt: LookedAt = new Map();
    for (let attempt = 1; attempt <= TAKE_BACK_TRIES; attempt++) {
      const head = await this.chain.headNumber();
      const blocks = await this.blocksFrom(unwanted, head, lookedAt);
      if (blocks === null) return;
      const resends = await this.resends(blocks, unwanted);
      // Depth and offsets count from the head: by an older head, a transaction would stay and those of the newest block
      // be lost.
      if ((await this.chain.headNumber()) !== head) continue;
      await this.chain.reorg(blocks.length, resends);
      lookedAt.clear();
    }
    throw refuse('provider_unavailable', { message: `The local chain ${this.chain.network} keeps a transaction.` });
  }

  /**
   * The transactions of each block, from the first block that holds any of `unwanted` up to the head. Null when none of
   * the recent blocks holds any.
   */
  private async blocksFrom(
    unwanted: ReadonlySet<string>,
    head: number,
    lookedAt: LookedAt,
  ): Promise<readonly (readonly string[])[] | null> {
    const blocks: (readonly string[])[] = [];
    let first: number | null = null;
    for (let height = head; height > Math.max(0, head - DEEPEST_REORG); height--) {
      const block = lookedAt.get(height) ?? (await this.chain.transactionsAt(height));
      lookedAt.set(height, block);
      blocks.unshift(block);
      if (block.some(txHash => unwanted.has(txHash))) first = height;
    }
    return first === null ? null : blocks.slice(first - head - 1);
  }

  private async resends(
    blocks: readonly (readonly string[])[],
    unwanted: ReadonlySet<string>,
  ): Promise<readonly Resend[]> {
    const resends: Resend[] = [];
    for (const [offset, block] of blocks.entries()) {
      for (const txHash of block.filter(each => !unwanted.has(each))) {
        const rawTransaction = await this.chain.rawTransaction(txHash);
        if (rawTransaction !== null) resends.push({ rawTransaction, offset });
      }
    }
    return resends;
  }

  private accounts(name?: string): { readonly funder: SandboxAccount; readonly payer: SandboxAccount } {
    const account = (role: string): SandboxAccount => {
      const privateKey = name === undefined ? hexlify(this.entropy.bytes(KEY_BYTES)) : id(`${name}/${role}`);
      return { address: computeAddress(privateKey), privateKey };
    };
    return { funder: account('funder'), payer: account('payer') };
  }
}
