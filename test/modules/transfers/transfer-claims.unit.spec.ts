import { transfers, type TransferCommand } from '../../../src/modules/transfers/transfer.decider';
import type { TransferEvent, TransferSeen } from '../../../src/modules/transfers/transfer.events';
import { given } from '../../support/given-when-then';
import { candidateOf } from '../../support/candidate';

const data = {
  token_id: 'usdc-base' as const,
  from: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  value_base_units: '27000120',
  block_number: 100,
  block_hash: '0xaa',
  block_time: '2026-11-01T12:05:00.000Z',
};
const moved = { ...data, block_hash: '0xbb', block_number: 101 };
const dearer = { ...moved, value_base_units: '30000000' };

const seen = (facts: TransferSeen['data'] = data): TransferEvent => ({ type: 'TransferSeen', data: facts });
const claimed = (paymentIntent = 'pi_1'): TransferEvent => ({
  type: 'TransferClaimed',
  data: { payment_intent: paymentIntent, evidence: null },
});
const committed = (block_hash = '0xaa', paymentIntent = 'pi_1'): TransferEvent => {
  return { type: 'TransferCommitted', data: { payment_intent: paymentIntent, block_hash } };
};
const unmatched: TransferEvent = { type: 'TransferUnmatched', data: { reason: 'no_reservation', candidate: null } };
const refused: TransferEvent = { type: 'TransferUnmatched', data: { reason: 'credit_refused', candidate: 'pi_1' } };
const resolved: TransferEvent = { type: 'TransferResolved', data: { payment_intent: 'pi_1', note: 'by phone' } };
const gone: TransferEvent = { type: 'TransferReorgedOut', data: { block_hash: '0xaa' } };

const context = { actor: { role: 'watcher', type: 'system', id: 'x' } as const, now: 0 };
const when = (history: readonly TransferEvent[], command: TransferCommand) =>
  given(transfers, history).when(command, context);

const see = (facts: TransferSeen['data'], claim: string | null = null): TransferCommand => {
  return { type: 'see', seen: facts, claim };
};
const commit = (blockHash = '0xaa', paymentIntent = 'pi_1'): TransferCommand => ({
  type: 'commit',
  paymentIntent,
  blockHash,
});
const letGo = (isDropped: boolean, blockHash = '0xaa', paymentIntent = 'pi_1'): TransferCommand => {
  return { type: 'let_go', paymentIntent, blockHash, isDropped };
};

describe('a claim', () => {
  it('is committed for its own payment, in the block where the transfer is known to be, once', () => {
    when([seen(), claimed()], commit()).then([committed()]);
    when([seen(), unmatched, resolved], commit()).then([committed()]);
    when([seen(), claimed(), committed()], commit()).then([]);
  });

  it.each<[string, readonly TransferEvent[]]>([
    ['another’s', [seen(), claimed('pi_2')]],
    ['another’s, for what was seen before', [seen(), claimed('pi_2'), seen(dearer)]],
  ])('of a transfer that is %s is not committed', (_, history) => {
    when(history, commit()).thenRefused('attribution_already_exists');
  });

  it.each<[string, readonly TransferEvent[]]>([
    ['was never seen', []],
    ['has no payment', [seen(), unmatched]],
    ['has left the chain', [seen(), claimed(), gone]],
    ['stands in another block', [seen(), claimed(), seen(moved), claimed()]],
    ['is of another value where it is now', [seen(), claimed(), seen({ ...data, value_base_units: '5' })]],
    ['was refused', [seen(), claimed(), refused]],
  ])('of a transfer that %s is not committed', (_, history) => {
    when(history, commit()).thenRefused('invalid_state_transition');
  });

  it('is committed anew in the block that the transfer has moved to', () => {
    const history = [seen(), claimed(), committed(), seen(moved), claimed()];
    when(history, commit('0xbb')).then([committed('0xbb')]);
    when([...history, committed('0xbb')], commit('0xbb')).then([]);
  });
});

describe('a claim whose transfer is seen with another value', () => {
  const waiting = [seen(), claimed(), seen(dearer)];

  it('stands, for what it was made for, whoever the new value would fit', () => {
    when([seen(), claimed()], see(dearer)).then([seen(dearer)]);
    when([seen(), claimed()], see(dearer, 'pi_2')).then([seen(dearer)]);
    when([seen(), claimed(), committed()], see(dearer, 'pi_2')).then([seen(dearer)]);
    when(waiting, see(dearer, 'pi_2')).then([]);
    when(waiting, { type: 'claim', paymentIntent: 'pi_2', seen: data }).thenRefused('attribution_already_exists');
  });

  it('goes on where the new value fits its own payment', () => {
    when([seen(), claimed()], see(dearer, 'pi_1')).then([seen(dearer), claimed()]);
  });

  it('is good again where the transfer comes back as it was, here or elsewhere', () => {
    when(waiting, see(data)).then([seen(), claimed()]);
    when(waiting, see({ ...data, block_hash: '0xcc' })).then([seen({ ...data, block_hash: '0xcc' }), claimed()]);
  });

  it('ends where its payment lets go, and the transfer is matched anew', () => {
    when(waiting, letGo(true)).then([gone]);
    when([...waiting, gone], see(dearer, 'pi_2')).then([seen(dearer), claimed('pi_2')]);
    when([...waiting, gone], see(dearer)).then([seen(dearer), unmatched]);
  });
});

describe('a committed claim', () => {
  const history = [seen(), claimed(), committed()];

  it('ends only where its payment was asked, and has dropped the transfer', () => {
    when(history, letGo(true)).then([gone]);
    when(history, letGo(false)).then([]);
    when(history, letGo(true, '0xaa', 'pi_2')).then([]);
  });

  it.each<[string, TransferCommand, TransferCommand]>([
    [
      'the queue',
      { type: 'unmatch', paymentIntent: 'pi_1', isDropped: false },
      { type: 'unmatch', paymentIntent: 'pi_1', isDropped: true },
    ],
  ])('goes to %s only so as well', (_, unasked, asked) => {
    when(history, unasked).then([]);
    when(history, asked).then([refused]);
  });

  it('of a resolution fails only so as well', () => {
    const failing = { type: 'fail_attribution', paymentIntent: 'pi_1', refusal: 'payment_failed' } as const;
    const failed: TransferEvent = {
      type: 'AttributionFailed',
      data: { payment_intent: 'pi_1', refusal: 'payment_failed' },
    };
    const given_ = [seen(), unmatched, resolved, committed()];
    when(given_, { ...failing, isDropped: false }).then([]);
    when(given_, { ...failing, isDropped: true }).then([failed]);
  });

  it('stays committed wherever the transfer moves, until it ends; a new one starts without', () => {
    const elsewhere = [...history, seen(moved), claimed()];
    when(elsewhere, { type: 'unmatch', paymentIntent: 'pi_1', isDropped: false }).then([]);
    when([...history, gone, seen(), claimed('pi_2')], {
      type: 'unmatch',
      paymentIntent: 'pi_2',
      isDropped: false,
    }).then([{ type: 'TransferUnmatched', data: { reason: 'credit_refused', candidate: 'pi_2' } }]);
  });

  it('does not end where the same money stands in another block: its credit is to be tried', () => {
    when([...history, seen(moved), claimed()], letGo(true)).then([]);
    when([...history, seen(moved), claimed()], letGo(true, '0xbb')).then([
      { type: 'TransferReorgedOut', data: { block_hash: '0xbb' } },
    ]);
  });
});

describe('a claim that a reorganisation ended', () => {
  const ended = [seen(), claimed(), gone];

  it('is restored by the same money, in any block, whoever’s amount it is now', () => {
    when(ended, see(data)).then([seen(), claimed()]);
    when(ended, see(moved, 'pi_2')).then([seen(moved), claimed()]);
    when([seen(), unmatched, resolved, gone], see(moved)).then([seen(moved), claimed()]);
  });

  it.each([
    ['value', { value_base_units: '5' }],
    ['payer', { from: '0x05' }],
    ['receiver', { to: '0x06' }],
    ['token', { token_id: 'usdt-bnb' as const }],
  ])('is not restored by another %s', (_, change) => {
    when(ended, see({ ...moved, ...change })).then([seen({ ...moved, ...change }), unmatched]);
  });

  it('is restored after the transfer was another one for a while, unless another payment has it', () => {
    const other = [...ended, seen(dearer), unmatched];
    when(other, see(data)).then([seen(), claimed()]);
    when([...other, claimed('pi_2')], see(data)).then([seen()]);
  });

  it('is forgotten once its payment has refused the transfer', () => {
    const back = [...ended, seen(), claimed(), refused];
    when(back, see(moved)).then([seen(moved), unmatched]);
  });
});

describe('a transfer’s stream', () => {
  it('ends growing by sightings, whatever a chain without an end of forks shows', () => {
    const forks = Array.from({ length: 500 }, (_, fork) => seen({ ...data, block_hash: `0x${fork}` }));
    const history = forks.flatMap(each => [each, unmatched]);
    when(history.slice(0, -2), see(moved)).then([seen(moved), unmatched]);
    when(history, see(moved)).then([]);
  });

  it('ends growing by candidates, whatever else comes to its address', () => {
    const ranking = (distance: number): TransferEvent => {
      return { type: 'CandidatesRanked', data: { candidates: [candidateOf('pi_1', String(distance))] } };
    };
    const rankings = Array.from({ length: 100 }, (_, distance) => ranking(distance));
    const next: TransferCommand = { type: 'rank_candidates', candidates: [] };
    const none: TransferEvent = { type: 'CandidatesRanked', data: { candidates: [] } };
    when([seen(), unmatched, ...rankings.slice(1)], next).then([none]);
    when([seen(), unmatched, ...rankings], next).then([]);
  });
});
