import { compose } from '../../../src/composition/compose';
import type { BlockHeader } from '../../../src/kernel/ports/chain';
import type { CanonicalBlocks } from '../../../src/kernel/ports/canonical-blocks';
import { watchPolicy } from '../../../src/vocabulary/watch-policy';
import { loadConfig } from '../../../src/platform/config/config';
import { MERCHANT } from '../../support/payment-fixture';
import { stagePorts } from '../../support/stage-ports';
import { hash, keyOf, pi } from './matching-fixture';
import { NamingStorm } from './naming-storm-stage';

const CONFIG = loadConfig({ MODES: 'test', SANDBOX_CHAINS: 'off' });
const OTHER_MERCHANT = 'mch_00000000000000000000000099';
/** Decisions in one second, of which the provider answers twenty-five. */
const DECISIONS = 60;

let storm: NamingStorm;

beforeEach(async () => {
  storm = await NamingStorm.start();
});

/** The outcomes of so many decisions at once, by code. */
async function outcomes(decide: () => Promise<unknown>, count = DECISIONS): Promise<ReadonlyMap<string, number>> {
  const codes = new Map<string, number>();
  for (let number = 0; number < count; number++) {
    const code = await decide().then(
      () => 'done',
      (error: unknown) => String((error as { code?: string }).code),
    );
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  return codes;
}

async function expectWatcherUnharmed(): Promise<void> {
  expect(storm.chain.refused).toBe(0);
  storm.fixture.payments.mineEmpty(1);
  await expect(storm.fixture.watcher?.tick()).resolves.toBeUndefined();
  expect(storm.chain.lines.lines).toStrictEqual([]);
}

describe('an administrator who decides again and again on a transfer that the chain does not show', () => {
  it('takes no provider from the watcher, and is told to come later', async () => {
    const { fixture } = storm;
    const { payments } = fixture;
    payments.clock.timeMs += 1_000;
    await payments.quoted(pi(2), '3000');
    await fixture.pay(1, 7n * fixture.cent * 100n);
    payments.chain.reorganise(1);
    payments.clock.timeMs += 1_000;
    const resolve = () => fixture.decisions.resolve(keyOf(1), pi(2), 'By phone', fixture.admin());
    const found = await outcomes(resolve);
    expect(found.get('provider_unavailable')).toBe(8);
    expect(found.get('rate_limit')).toBe(DECISIONS - 8);
    await expectWatcherUnharmed();
  });

  it('resolves what the chain shows, however long its transaction is', async () => {
    const { fixture } = storm;
    const due = await fixture.payments.quoted(pi(2), '3000');
    await fixture.pay(1, due - fixture.cent);
    storm.chain.big.add(hash(1));
    await fixture.decisions.resolve(keyOf(1), pi(2), 'By phone', fixture.admin());
    expect(await fixture.status(2)).toBe('detected');
  });
});

describe('decisions on payments, before which the chain is asked for their blocks,', () => {
  let canonicalBlocks: CanonicalBlocks;
  let replaced: BlockHeader;

  beforeEach(async () => {
    const { payments } = storm.fixture;
    const base = {
      mode: 'test',
      network: 'base',
      chain: storm.chain,
      instance: 'scripted',
      policy: watchPolicy('test', false),
    } as const;
    const { clock, entropy, store, documents } = payments;
    const { parts } = await compose(CONFIG, stagePorts({ clock, entropy, store, documents, watched: [base] }));
    ({ canonicalBlocks } = parts.payments);
    replaced = { ...payments.chain.mine(), hash: hash(404) };
    payments.clock.timeMs += 1_000;
  });

  const ask = (block: BlockHeader, merchantId = MERCHANT) =>
    canonicalBlocks.isCanonical('test', 'base', block, merchantId);

  it('take no provider from the watcher, and are refused for a while', async () => {
    const found = await outcomes(() => ask(replaced));
    expect(found.get('done')).toBe(8);
    expect(found.get('rate_limit')).toBe(DECISIONS - 8);
    await expectWatcherUnharmed();
  });

  it('leave room for those of another merchant', async () => {
    await outcomes(() => ask(replaced));
    await expect(ask(replaced, OTHER_MERCHANT)).resolves.toBe(false);
  });

  it('come through in several tries where a payment has very many blocks', async () => {
    const { payments } = storm.fixture;
    const blocks = Array.from({ length: 100 }, () => payments.chain.mine());
    const decide = async () => {
      for (const block of blocks) expect(await ask(block)).toBe(true);
    };
    const codes: string[] = [];
    for (let seconds = 0; seconds < 10 * 60 && codes.at(-1) !== 'done'; seconds += 15) {
      payments.clock.timeMs += 15_000;
      codes.push(...(await outcomes(decide, 1)).keys());
    }
    expect(codes[0]).toBe('rate_limit');
    expect(codes.at(-1)).toBe('done');
  });
});
