import type { Resend, SandboxChain } from '../../src/sandbox/sandbox-chain';
import { SandboxPayer } from '../../src/sandbox/sandbox-payer';
import { CountingEntropy } from '../support/payment-fixture';

const OLDER_BLOCKS = 40;

/** A chain on which a block comes after so many questions. On a busy machine one comes each second in the same way. */
class BusyChain implements Pick<
  SandboxChain,
  'network' | 'headNumber' | 'transactionsAt' | 'rawTransaction' | 'reorg'
> {
  readonly network = 'base';
  readonly blocks: (readonly string[])[] = Array.from({ length: OLDER_BLOCKS }, () => []);
  private questions = 0;

  constructor(
    private readonly questionsABlock: number,
    /** The transactions of the next block. */
    private pending: readonly string[] = [],
  ) {}

  headNumber(): Promise<number> {
    return this.answer(() => this.blocks.length - 1);
  }

  transactionsAt(height: number): Promise<readonly string[]> {
    return this.answer(() => this.blocks[height] ?? []);
  }

  rawTransaction(txHash: string): Promise<string> {
    return this.answer(() => `raw ${txHash}`);
  }

  async reorg(depth: number, resends: readonly Resend[] = []): Promise<void> {
    this.blocks.splice(-depth);
    for (let offset = 0; offset < depth; offset++) {
      const resent = resends.filter(each => each.offset === offset);
      const sent = resent.map(({ rawTransaction }) => rawTransaction.replace('raw ', ''));
      // A transaction that stands in a block already is taken into no other.
      this.blocks.push(sent.filter(txHash => !this.transactions.includes(txHash)));
    }
  }

  get transactions(): readonly string[] {
    return this.blocks.flat();
  }

  private async answer<T>(give: () => T): Promise<T> {
    const given = give();
    this.questions += 1;
    if (this.questions % this.questionsABlock === 0) {
      this.blocks.push(this.pending);
      this.pending = [];
    }
    return given;
  }
}

function payerOn(chain: BusyChain): SandboxPayer {
  return new SandboxPayer(chain as unknown as SandboxChain, new CountingEntropy());
}

it.each([7, 12, 31, 33])('takes a payment back where a block is made every %i questions', async questions => {
  const chain = new BusyChain(questions);
  chain.blocks.push(['before', 'victim'], ['after']);
  await payerOn(chain).takeBack(['victim']);
  expect(chain.transactions).toEqual(['before', 'after']);
});

it.each([20, 31, 33])('loses nothing of a block that is made after %i questions', async questions => {
  const chain = new BusyChain(questions, ['newest']);
  chain.blocks.push(['before', 'victim'], ['after']);
  await payerOn(chain).takeBack(['victim']);
  expect(chain.transactions).toEqual(['before', 'after', 'newest']);
});
