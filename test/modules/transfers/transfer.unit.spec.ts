import { ACTOR_ROLES, type ActorRole } from '../../../src/kernel/event';
import {
  transferId,
  transferKeyOf,
  transfers,
  transferStreamId,
  type TransferCommand,
} from '../../../src/modules/transfers/transfer.decider';
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
const elsewhere = { ...data, block_hash: '0xbb', block_number: 101 };
const seen = (facts: TransferSeen['data'] = data): TransferEvent => ({ type: 'TransferSeen', data: facts });
const claimed = (paymentIntent: string): TransferEvent => ({
  type: 'TransferClaimed',
  data: { payment_intent: paymentIntent, evidence: null },
});
const unmatched: TransferEvent = { type: 'TransferUnmatched', data: { reason: 'no_reservation', candidate: null } };
const refused = (candidate: string): TransferEvent => ({
  type: 'TransferUnmatched',
  data: { reason: 'credit_refused', candidate },
});
const resolved: TransferEvent = { type: 'TransferResolved', data: { payment_intent: 'pi_1', note: 'by phone' } };
const failed: TransferEvent = {
  type: 'AttributionFailed',
  data: { payment_intent: 'pi_1', refusal: 'invalid_state_transition' },
};
const reopened: TransferEvent = { type: 'TransferReopened', data: { reason: 'another one' } };
const gone: TransferEvent = { type: 'TransferReorgedOut', data: { block_hash: '0xaa' } };
const candidates = [candidateOf('pi_1')];
const ranked: TransferEvent = { type: 'CandidatesRanked', data: { candidates } };

const context = (role: ActorRole = 'watcher') => ({ actor: { role, type: 'system', id: 'x' } as const, now: 0 });
const when = (history: readonly TransferEvent[], command: TransferCommand, role?: ActorRole) =>
  given(transfers, history).when(command, context(role));

describe('a transfer', () => {
  const see = (facts: TransferSeen['data'], claim: string | null): TransferCommand => ({
    type: 'see',
    seen: facts,
    claim,
  });

  it('is claimed, or unmatched, in the append that first sees it', () => {
    when([], see(data, 'pi_1')).then([seen(), claimed('pi_1')]);
    when([], see(data, null)).then([seen(), unmatched]);
  });

  it.each([
    ['claimed', [claimed('pi_1')]],
    ['unmatched', [unmatched]],
    ['resolved', [unmatched, resolved]],
    ['not credited', [unmatched, resolved, failed]],
  ])('is nothing new when seen again in its block, while %s', (_, history) => {
    when([seen(), ...history], see(data, 'pi_2')).then([]);
  });

  it('stays with its payment when it moves to another block', () => {
    when([seen(), claimed('pi_1')], see(elsewhere, 'pi_2')).then([seen(elsewhere), claimed('pi_1')]);
    when([seen(), unmatched, resolved], see(elsewhere, 'pi_2')).then([seen(elsewhere), claimed('pi_1')]);
  });

  describe('that cannot wait for its payment', () => {
    const queue = (facts: TransferSeen['data']): TransferCommand => ({
      type: 'queue',
      seen: facts,
      candidate: 'pi_2',
      reason: 'too_many_waiting',
    });
    const crowded: TransferEvent = {
      type: 'TransferUnmatched',
      data: { reason: 'too_many_waiting', candidate: 'pi_2' },
    };

    it('lies in the queue with that payment named, wherever it moves', () => {
      when([], queue(data)).then([seen(), crowded]);
      when([seen(), crowded], queue(data)).then([]);
      when([seen(), crowded], queue(elsewhere)).then([seen(elsewhere), crowded]);
    });

    it('stays with the payment that has it, or had it as the same money', () => {
      when([seen(), claimed('pi_1')], queue(elsewhere)).then([seen(elsewhere), claimed('pi_1')]);
      when([seen(), claimed('pi_1'), gone], queue(elsewhere)).then([seen(elsewhere), claimed('pi_1')]);
    });

    it('is not taken from the holder of a former value', () => {
      const other = { ...elsewhere, value_base_units: '5' };
      when([seen(), claimed('pi_1')], queue(other)).then([seen(other)]);
    });
  });

  describe('to a payment that takes no new one', () => {
    const turnAway = (facts: TransferSeen['data']): TransferCommand => ({
      type: 'turn_away',
      seen: facts,
      paymentIntent: 'pi_1',
    });
    const refused: TransferEvent = {
      type: 'TransferUnmatched',
      data: { reason: 'credit_refused', candidate: 'pi_1' },
    };

    it('lies in the queue with that payment named', () => {
      when([], turnAway(data)).then([seen(), refused]);
      when([seen(), refused], turnAway(data)).then([]);
    });

    it('stays with it where it was seen before, in whatever block it stands now', () => {
      when([seen(), claimed('pi_1')], turnAway(data)).then([]);
      when([seen(), claimed('pi_1')], turnAway(elsewhere)).then([seen(elsewhere), claimed('pi_1')]);
      when([seen(), claimed('pi_2')], turnAway(elsewhere)).then([seen(elsewhere), claimed('pi_2')]);
    });

    it('is not taken from the holder of a former value', () => {
      const other = { ...elsewhere, value_base_units: '5' };
      when([seen(), claimed('pi_2')], turnAway(other)).then([seen(other)]);
    });
  });

  it('is matched anew when it comes back with another value after it was gone, or when nobody has it', () => {
    const other = { ...elsewhere, value_base_units: '5' };
    when([seen(), claimed('pi_1'), gone], see(other, null)).then([seen(other), unmatched]);
    when([seen(), claimed('pi_1'), gone], see(other, 'pi_2')).then([seen(other), claimed('pi_2')]);
    when([seen(), unmatched, resolved, failed], see(elsewhere, 'pi_2')).then([seen(elsewhere), claimed('pi_2')]);
  });

  it('is told otherwise of the same block: what nobody has is matched anew, and only the payer changes nothing', () => {
    const [dearer, payer] = [
      { ...data, value_base_units: '5' },
      { ...data, from: '0x05' },
    ];
    when([seen(), unmatched], see(dearer, 'pi_2')).then([seen(dearer), claimed('pi_2')]);
    when([seen(), unmatched], see({ ...data, to: '0x06' }, 'pi_2')).then([
      seen({ ...data, to: '0x06' }),
      claimed('pi_2'),
    ]);
    const token = { ...data, token_id: 'usdt-bnb' as const };
    when([seen(), unmatched], see(token, null)).then([seen(token), unmatched]);
    when([seen(), claimed('pi_1')], see(payer, null)).then([seen(payer), claimed('pi_1')]);
    when([seen(), claimed('pi_1')], see(data, 'pi_2')).then([]);
  });

  it('leaves the chain once, and only by the block that it was last in', () => {
    const out = (blockHash: string): TransferCommand => ({ type: 'reorg_out', blockHash });
    when([seen(), unmatched], out('0xaa')).then([gone]);
    when([seen(), unmatched], out('0xbb')).then([]);
    when([seen(), unmatched, gone], out('0xaa')).then([]);
    when([], out('0xaa')).then([]);
    // With this rule no payment keeps a transfer that no claim stands for.
    when([seen(), claimed('pi_1')], out('0xaa')).then([]);
  });

  it('goes to the queue once when its credit is refused, and only from the claim that was refused', () => {
    const unmatch: TransferCommand = { type: 'unmatch', paymentIntent: 'pi_1', isDropped: false };
    when([seen(), claimed('pi_1')], unmatch).then([refused('pi_1')]);
    when([seen(), claimed('pi_1'), refused('pi_1')], unmatch).then([]);
    when([seen(), claimed('pi_1'), refused('pi_1'), claimed('pi_2')], unmatch).then([]);
    when([seen(), unmatched, resolved], unmatch).then([]);
  });

  it('is identified by network, hash and ordinal', () => {
    const key = { network: 'base' as const, txHash: '0x01', ordinal: 0 };
    expect(transferStreamId(key)).toBe('base:0x01:0');
    expect(transferKeyOf(transferStreamId(key))).toStrictEqual(key);
    for (const other of ['solana:0x01:0', 'base:0x01:x', 'base:0x01'])
      expect(() => transferKeyOf(other)).toThrow('not a transfer');
    const others = [
      { ...key, ordinal: 1 },
      { ...key, network: 'bnb' as const },
      { ...key, txHash: '0x02' },
    ];
    const ids = [key, ...others].map(transferId);
    expect(new Set(ids).size).toBe(4);
    expect(ids.every(id => /^tr_[0-9a-z]{26}$/.test(id))).toBe(true);
  });
});

describe('a transfer named by its hash', () => {
  const claim: TransferCommand = { type: 'claim', paymentIntent: 'pi_1', seen: data };

  it.each([
    ['value', { ...data, value_base_units: '30000000' }],
    ['block', elsewhere],
  ])('is not claimed where its %s has changed since it was judged', (_, now) => {
    when([seen(), unmatched, gone, seen(now), unmatched], claim, 'merchant').thenRefused('provider_unavailable');
    when([seen(), unmatched, gone, seen(), unmatched], claim, 'merchant').then([claimed('pi_1')]);
  });

  it('is claimed out of the queue', () => {
    when([seen(), unmatched], claim, 'merchant').then([claimed('pi_1')]);
    when([seen(), unmatched, resolved, failed, reopened], claim, 'merchant').then([claimed('pi_1')]);
    when([seen(), claimed('pi_2'), refused('pi_2')], claim, 'merchant').then([claimed('pi_1')]);
  });

  it('is its payment’s already, or another one’s', () => {
    when([seen(), claimed('pi_1')], claim).then([]);
    when([seen(), unmatched, resolved], claim).then([]);
    when([seen(), claimed('pi_2')], claim).thenRefused('attribution_already_exists');
  });

  it('is not to be had where it was never seen, has gone, or waits for an administrator', () => {
    when([], claim).thenRefused('unmatched_transfer_not_found');
    when([seen(), unmatched, gone], claim).thenRefused('unmatched_transfer_not_found');
    when([seen(), unmatched, resolved, failed], claim).thenRefused('unmatched_transfer_already_resolved');
  });
});

describe('a row of the queue', () => {
  const resolve = (note = 'by phone'): TransferCommand => ({ type: 'resolve', paymentIntent: 'pi_1', note });
  const reopen = (reason = ' another one '): TransferCommand => ({ type: 'reopen', reason });

  it('is resolved once, with a note', () => {
    when([seen(), unmatched], resolve(), 'admin').then([resolved]);
    when([seen(), unmatched], resolve(' '), 'admin').thenRefused('invalid_resolution', 'note');
    when([seen(), unmatched], resolve('x'.repeat(501)), 'admin').thenRefused('parameter_invalid', 'note');
    when([seen(), unmatched, resolved], resolve(), 'admin').thenRefused('unmatched_transfer_already_resolved');
    when([seen(), unmatched, claimed('pi_2')], resolve(), 'admin').thenRefused('unmatched_transfer_already_resolved');
    when([seen(), unmatched, resolved, failed], resolve(), 'admin').thenRefused('unmatched_transfer_already_resolved');
  });

  it('is known to it still when it moved and met a payment', () => {
    const moved = [seen(), unmatched, seen(elsewhere), claimed('pi_1')];
    when(moved, resolve(), 'admin').thenRefused('unmatched_transfer_already_resolved');
    when([seen(), claimed('pi_1'), seen(elsewhere), claimed('pi_1')], resolve(), 'admin').thenRefused(
      'unmatched_transfer_not_found',
    );
  });

  it('is one that lacked a payment some time and stands on the chain', () => {
    for (const history of [[], [seen(), claimed('pi_1')], [seen(), unmatched, gone]]) {
      when(history, resolve(), 'admin').thenRefused('unmatched_transfer_not_found');
      when(history, reopen(), 'admin').thenRefused('unmatched_transfer_not_found');
    }
  });

  it('shows a credit that failed, once, of the resolution that it was', () => {
    const fail = (paymentIntent: string): TransferCommand => ({
      type: 'fail_attribution',
      paymentIntent,
      isDropped: false,
      refusal: 'invalid_state_transition',
    });
    when([seen(), unmatched, resolved], fail('pi_1')).then([failed]);
    when([seen(), unmatched, resolved], fail('pi_2')).then([]);
    when([seen(), unmatched, resolved, failed], fail('pi_1')).then([]);
    when([seen(), unmatched, claimed('pi_1')], fail('pi_1')).then([]);
  });

  it('is opened again only where its credit failed, with a reason, and resolved anew', () => {
    when([seen(), unmatched, resolved, failed], reopen(), 'admin').then([reopened]);
    when([seen(), unmatched, resolved, failed], reopen(' '), 'admin').thenRefused('invalid_reason');
    when([seen(), unmatched, resolved, failed], reopen('x'.repeat(501)), 'admin').thenRefused('invalid_reason');
    when([seen(), unmatched, resolved, failed, reopened], resolve(), 'admin').then([resolved]);
    when([seen(), unmatched, resolved], reopen(), 'admin').thenRefused('unmatched_transfer_not_resolved');
    when([seen(), unmatched], reopen(), 'admin').thenRefused('unmatched_transfer_not_resolved');
  });

  it.each(ACTOR_ROLES.filter(role => role !== 'admin'))('is not decided by %s', role => {
    when([seen(), unmatched], resolve(), role).thenRefused('forbidden_actor');
    when([seen(), unmatched, resolved, failed], reopen(), role).thenRefused('forbidden_actor');
  });

  it('keeps its candidates, as long as it waits', () => {
    const rank: TransferCommand = { type: 'rank_candidates', candidates };
    when([seen(), unmatched], rank).then([ranked]);
    when([seen(), unmatched, ranked], rank).then([]);
    when([seen(), unmatched], { ...rank, candidates: [] }).then([]);
    when([seen(), unmatched, claimed('pi_1')], rank).then([]);
    when([], rank).then([]);
  });
});

describe('a transfer that its merchant sets aside', () => {
  const decision = { outcome: 'returned', note: 'Sent back by hand' } as const;
  const setAside: TransferEvent = { type: 'TransferSetAside', data: decision };
  const command: TransferCommand = { type: 'set_aside', ...decision };
  const queue = [seen(), unmatched];

  it('leaves the queue, once', () => {
    when(queue, command, 'merchant').then([setAside]);
    when([...queue, resolved, failed], command, 'merchant').then([setAside]);
    for (const left of [[setAside], [claimed('pi_1')], [resolved]])
      when([...queue, ...left], command, 'merchant').thenRefused('unmatched_transfer_already_resolved');
    for (const never of [[], [seen(), claimed('pi_1')], [...queue, gone]])
      when(never, command, 'merchant').thenRefused('unmatched_transfer_not_found');
  });

  it('needs a merchant and a note', () => {
    when(queue, command, 'watcher').thenRefused('forbidden_actor');
    when(queue, { ...command, note: ' ' }, 'merchant').thenRefused('invalid_resolution', 'note');
    when(queue, { ...command, note: 'x'.repeat(501) }, 'merchant').thenRefused('parameter_invalid', 'note');
  });

  it('is given to no payment until an administrator opens it again', () => {
    const claim: TransferCommand = { type: 'claim', paymentIntent: 'pi_1', seen: data };
    const reopen: TransferCommand = { type: 'reopen', reason: 'another one' };
    when([...queue, setAside], claim).thenRefused('unmatched_transfer_already_resolved');
    when([...queue, setAside], reopen, 'merchant').thenRefused('forbidden_actor');
    when([...queue, setAside], reopen, 'admin').then([reopened]);
    when([...queue, setAside, reopened], claim).then([claimed('pi_1')]);
    when([...queue, setAside, reopened], command, 'merchant').then([setAside]);
  });

  it('stays so in another block, and comes back to the queue as other money', () => {
    const see = (facts: TransferSeen['data']): TransferCommand => ({ type: 'see', seen: facts, claim: null });
    const dearer = { ...elsewhere, value_base_units: '28000120' };
    when([...queue, setAside], see(data)).then([]);
    when([...queue, setAside], see(elsewhere)).then([seen(elsewhere), setAside]);
    when([...queue, setAside], see(dearer)).then([seen(dearer), unmatched]);
  });
});
