import { ReadModelBeingBuilt } from '../../../src/kernel/ports/read-models';
import { paymentIntentsReadModel } from '../../../src/modules/payment-intents/payment-intents.read-model';
import { transfers, transferStreamId } from '../../../src/modules/transfers/transfer.decider';
import type { ScriptedTransfer } from '../../support/scripted-chain';
import { hash, MatchingFixture, pi } from './matching-fixture';

const SENDER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const SEARCHED = ['by_quote', 'by_due', 'by_remainder'];
export const KEY = { network: 'base', txHash: hash(1), ordinal: 0 } as const;

/** A payment with a transfer that was credited to it by inference, in the newest block. */
export type MovedInference = {
  readonly fixture: MatchingFixture;
  readonly due: bigint;
  /** Puts another block with the same transfer, and with others, in the place of the newest one. */
  move: (beside?: readonly ScriptedTransfer[]) => Promise<void>;
  /** The transfer is deep enough after it, wherever it stands. */
  deepen: () => Promise<void>;
  claimed: () => Promise<{ claim: string | null; blockHash: string; judgedIn: string | undefined }>;
};

/** `value`: half of a percent short of the amount due, unless told. */
export async function inferredCredit(dedicated: boolean, value?: bigint): Promise<MovedInference> {
  const fixture = await new MatchingFixture({ infers: true, toleranceBps: 100, dedicated }).start();
  const { payments } = fixture;
  const due = await payments.quoted(pi(1));
  const short = value ?? (due * 995n) / 1_000n;
  await fixture.pay(1, short, SENDER);
  return {
    fixture,
    due,
    move: async (beside = []) => {
      payments.chain.reorganise(1, [payments.transfer(hash(1), short, SENDER), ...beside]);
      payments.clock.timeMs += 1_000;
      await fixture.settle();
    },
    deepen: async () => {
      for (let look = 0; look < 3; look++) await fixture.confirm();
    },
    claimed: async () => {
      const { state } = await payments.writes.load(transfers, 'test', transferStreamId(KEY));
      if (state.status === 'none') throw new Error('not seen');
      return { claim: state.claim, blockHash: state.seen.block_hash, judgedIn: state.evidence?.block_hash };
    },
  };
}

/**
 * Nothing can be judged until the answer is called: the indexes that inference searches are being built. The watcher
 * goes on to follow payments by another index.
 */
export function withoutIndex({ payments: { readModels } }: MatchingFixture): () => void {
  const list = readModels.list.bind(readModels);
  const building = jest.spyOn(readModels, 'list').mockImplementation((readModel, query) => {
    const isSearch = readModel.name === paymentIntentsReadModel.name && SEARCHED.includes(query.index);
    if (isSearch) throw new ReadModelBeingBuilt(readModel.name);
    return list(readModel, query);
  });
  return () => building.mockRestore();
}
