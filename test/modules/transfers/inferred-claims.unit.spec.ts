import { transfers, type TransferCommand } from '../../../src/modules/transfers/transfer.decider';
import { isToBeJudged } from '../../../src/modules/transfers/transfer.sightings';
import type { InferenceEvidence } from '../../../src/modules/transfers/inference-facts';
import type { TransferEvent, TransferSeen } from '../../../src/modules/transfers/transfer.events';
import { given } from '../../support/given-when-then';

const data = {
  token_id: 'usdc-base' as const,
  from: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  value_base_units: '26865000',
  block_number: 100,
  block_hash: '0xaa',
  block_time: '2026-11-01T12:05:00.000Z',
};
const elsewhere = { ...data, block_hash: '0xbb', block_number: 101 };
const evidenceIn = ({ to, value_base_units, block_hash, block_time }: typeof data): InferenceEvidence => ({
  refusal: null,
  address: to,
  payment_intent: 'pi_1',
  due_base_units: '27000120',
  value_base_units,
  distance_base_units: '135120',
  quoted_at: '2026-11-01T12:00:00.000Z',
  quote_expires_at: '2026-11-01T12:15:00.000Z',
  block_time,
  clock_ahead_ms: 0,
  block_hash,
  is_dedicated: false,
  index_position: '7',
  last_day_count: 0,
  last_month_count: 0,
  others: [],
});

const seen = (facts: TransferSeen['data'] = data): TransferEvent => ({ type: 'TransferSeen', data: facts });
const inferred = (facts = data, paymentIntent = 'pi_1'): TransferEvent => ({
  type: 'TransferClaimed',
  data: { payment_intent: paymentIntent, evidence: evidenceIn(facts) },
});
const named: TransferEvent = { type: 'TransferClaimed', data: { payment_intent: 'pi_1', evidence: null } };
const committed: TransferEvent = {
  type: 'TransferCommitted',
  data: { payment_intent: 'pi_1', block_hash: '0xaa' },
};
const queued = (reason: 'no_reservation' | 'credit_refused' | 'given_up'): TransferEvent => ({
  type: 'TransferUnmatched',
  data: { reason, candidate: null },
});
const unmatched = queued('no_reservation');
const setAside: TransferEvent = { type: 'TransferSetAside', data: { outcome: 'kept', note: 'a tip' } };
const gone: TransferEvent = { type: 'TransferReorgedOut', data: { block_hash: '0xaa' } };

const infer = (facts = data, paymentIntent = 'pi_1'): TransferCommand => ({
  type: 'infer',
  seen: facts,
  paymentIntent,
  evidence: evidenceIn(facts),
});
const see = (facts: typeof data, isJudged: boolean): TransferCommand => ({
  type: 'see',
  seen: facts,
  claim: null,
  isJudged,
});
const when = (history: readonly TransferEvent[], command: TransferCommand) =>
  given(transfers, history).when(command, { actor: { role: 'watcher', type: 'system', id: 'x' }, now: 0 });

describe('an inference', () => {
  it('claims the transfer with its evidence, as it is first seen or in the queue', () => {
    when([], infer()).then([seen(), inferred()]);
    when([seen(), unmatched], infer()).then([inferred()]);
    when([seen(), inferred()], infer()).then([]);
  });

  it.each<[string, readonly TransferEvent[]]>([
    ['a naming', [seen(), named]],
    ['a payment has refused it', [seen(), queued('credit_refused')]],
    ['an administrator has ended its wait', [seen(), queued('given_up')]],
    ['its merchant has set it aside', [seen(), unmatched, setAside]],
    ['it was opened again', [seen(), unmatched, setAside, { type: 'TransferReopened', data: { reason: 'why' } }]],
  ])('stands behind what was decided before: %s', (_, history) => {
    when(history, infer()).then([]);
    expect(isToBeJudged(given(transfers, history).state, data)).toBe(false);
  });

  it('leaves a transfer that its merchant has set aside so in another block too', () => {
    when([seen(), unmatched, setAside], infer(elsewhere)).then([seen(elsewhere), setAside]);
  });

  it('claims nothing for a second payment', () => {
    when([seen(), inferred()], infer(data, 'pi_2')).then([]);
    when([seen(), named], infer(elsewhere, 'pi_2')).then([seen(elsewhere), named]);
  });
});

describe('a naming of a transfer that was inferred', () => {
  const name = (paymentIntent: string, facts = data): TransferCommand => ({
    type: 'claim',
    paymentIntent,
    seen: facts,
  });

  it('takes the place of the inference for the same payment, and is refused for another', () => {
    when([seen(), inferred()], name('pi_1')).then([named]);
    when([seen(), inferred(), named], name('pi_1')).then([]);
    when([seen(), inferred()], name('pi_1', elsewhere)).thenRefused('provider_unavailable');
    when([seen(), inferred()], name('pi_2')).thenRefused('attribution_already_exists');
  });
});

describe('a transfer that was inferred, in another block', () => {
  it('stands with its former evidence until it is judged there', () => {
    const moved = [seen(), inferred(), seen(elsewhere), inferred()];
    when([seen(), inferred()], see(elsewhere, false)).then([seen(elsewhere), inferred()]);
    expect(isToBeJudged(given(transfers, moved).state, elsewhere)).toBe(true);
    when(moved, infer(elsewhere)).then([inferred(elsewhere)]);
    when([seen(), inferred()], infer(elsewhere)).then([seen(elsewhere), inferred(elsewhere)]);
  });

  it('is no longer its payment’s where nothing, or another payment, is inferred there, at a dedicated wallet', () => {
    const settles = { ...evidenceIn(data), is_dedicated: true };
    const claimed: TransferEvent = { type: 'TransferClaimed', data: { payment_intent: 'pi_1', evidence: settles } };
    when([seen(), claimed], see(elsewhere, true)).then([seen(elsewhere), unmatched]);
    when([seen(), claimed, seen(elsewhere), claimed], see(elsewhere, true)).then([unmatched]);
    when([seen(), claimed], infer(elsewhere, 'pi_2')).then([seen(elsewhere), unmatched]);
  });

  it('is nobody’s where a later payment has reserved its amount, at a dedicated wallet', () => {
    const settles = { ...evidenceIn(data), is_dedicated: true };
    const claimed: TransferEvent = { type: 'TransferClaimed', data: { payment_intent: 'pi_1', evidence: settles } };
    const meet = (isJudged: boolean): TransferCommand => ({ type: 'see', seen: elsewhere, claim: 'pi_2', isJudged });
    const away = { type: 'turn_away', seen: elsewhere, paymentIntent: 'pi_2', isJudged: true } as const;
    const moved = [seen(), claimed, seen(elsewhere), claimed];
    for (const command of [meet(true), away]) {
      when([seen(), claimed], command).then([seen(elsewhere), unmatched]);
      when(moved, command).then([unmatched]);
      when([seen(), claimed, committed], command).then([seen(elsewhere), claimed]);
      when([seen(), inferred()], command).then([seen(elsewhere), inferred()]);
    }
    when([seen(), claimed], meet(false)).then([seen(elsewhere), claimed]);
    when(moved, meet(false)).then([]);
  });

  it('may be counted only once it is judged there, at a dedicated wallet', () => {
    const commit = { type: 'commit', paymentIntent: 'pi_1', blockHash: '0xbb' } as const;
    const settlesIn = (facts: typeof data): TransferEvent => ({
      type: 'TransferClaimed',
      data: { payment_intent: 'pi_1', evidence: { ...evidenceIn(facts), is_dedicated: true } },
    });
    const moved = [seen(elsewhere), settlesIn(data)];
    when([seen(), settlesIn(data), ...moved], commit).thenRefused('invalid_state_transition');
    const committedThere = { ...committed, data: { payment_intent: 'pi_1', block_hash: '0xbb' } } as TransferEvent;
    when([seen(), settlesIn(data), ...moved, settlesIn(elsewhere)], commit).then([committedThere]);
    when([seen(), settlesIn(data), committed, ...moved], commit).then([committedThere]);
    when([seen(), inferred(), seen(elsewhere), inferred()], commit).then([committedThere]);
  });

  it('stays for its merchant’s decision at a shared wallet, where the payment would fail without it', () => {
    when([seen(), inferred()], see(elsewhere, true)).then([seen(elsewhere), inferred()]);
    when([seen(), inferred()], infer(elsewhere, 'pi_2')).then([seen(elsewhere), inferred()]);
  });

  it('stays its payment’s once that may count it', () => {
    when([seen(), inferred(), committed], see(elsewhere, true)).then([seen(elsewhere), inferred()]);
  });

  it('is judged anew where it comes back after its payment has lost it', () => {
    when([seen(), inferred(), gone], see(elsewhere, false)).then([seen(elsewhere), unmatched]);
    when([seen(), inferred(), gone], infer(elsewhere)).then([seen(elsewhere), inferred(elsewhere)]);
  });
});
