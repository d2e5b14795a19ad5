import { fold } from '../../../src/kernel/decider';
import {
  transferId,
  transfers,
  transferStreamId,
  type TransferCommand,
} from '../../../src/modules/transfers/transfer.decider';
import type { TransferEvent } from '../../../src/modules/transfers/transfer.events';

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
const seen = (facts = data): TransferEvent => ({ type: 'TransferSeen', data: facts });
const claimed = (by: string): TransferEvent => ({ type: 'TransferClaimed', data: { by } });
const unmatched: TransferEvent = { type: 'TransferUnmatched', data: { reason: 'no_reservation', candidate: null } };
const gone: TransferEvent = { type: 'TransferReorgedOut', data: { block_hash: '0xaa' } };

const decide = (history: readonly TransferEvent[], command: TransferCommand) =>
  transfers.decide(command, fold(transfers, history), { actor: { role: 'watcher', type: 'system', id: 'x' }, now: 0 });

describe('a transfer', () => {
  it('is claimed, or unmatched, in the append that first sees it', () => {
    expect(decide([], { type: 'see', seen: data, claim: 'pi_1' })).toStrictEqual([seen(), claimed('pi_1')]);
    expect(decide([], { type: 'see', seen: data, claim: null })).toStrictEqual([seen(), unmatched]);
  });

  it('is nothing new when seen again in its block', () => {
    expect(decide([seen(), claimed('pi_1')], { type: 'see', seen: data, claim: 'pi_2' })).toStrictEqual([]);
    expect(decide([seen(), unmatched], { type: 'see', seen: data, claim: 'pi_2' })).toStrictEqual([]);
  });

  it('stays with its payment when it moves to another block', () => {
    const moved = decide([seen(), claimed('pi_1')], { type: 'see', seen: elsewhere, claim: 'pi_2' });
    expect(moved).toStrictEqual([seen(elsewhere), claimed('pi_1')]);
  });

  it('is matched anew when it comes back with another value, or after it was gone', () => {
    const other = { ...elsewhere, value_base_units: '5' };
    expect(decide([seen(), claimed('pi_1')], { type: 'see', seen: other, claim: null })).toStrictEqual([
      seen(other),
      unmatched,
    ]);
    const back = decide([seen(), claimed('pi_1'), gone], { type: 'see', seen: data, claim: 'pi_2' });
    expect(back).toStrictEqual([seen(), claimed('pi_2')]);
  });

  it('leaves the chain once, and only by the block that it was last in', () => {
    const out = (blockHash: string): TransferCommand => ({ type: 'reorg_out', blockHash });
    expect(decide([seen(), claimed('pi_1')], out('0xaa'))).toStrictEqual([gone]);
    expect(decide([seen(), claimed('pi_1')], out('0xbb'))).toStrictEqual([]);
    expect(decide([seen(), claimed('pi_1'), gone], out('0xaa'))).toStrictEqual([]);
  });

  it('goes to the unmatched queue once when its credit is refused', () => {
    const refused: TransferEvent = { type: 'TransferUnmatched', data: { reason: 'credit_refused', candidate: 'pi_1' } };
    expect(decide([seen(), claimed('pi_1')], { type: 'unmatch' })).toStrictEqual([refused]);
    expect(decide([seen(), claimed('pi_1'), refused], { type: 'unmatch' })).toStrictEqual([]);
  });

  it('is identified by network, hash and ordinal', () => {
    const key = { network: 'base' as const, txHash: '0x01', ordinal: 0 };
    expect(transferStreamId(key)).toBe('base:0x01:0');
    const ids = [key, { ...key, ordinal: 1 }, { ...key, network: 'bnb' as const }, { ...key, txHash: '0x02' }].map(
      transferId,
    );
    expect(new Set(ids).size).toBe(4);
    expect(ids.every(id => /^tr_[0-9a-z]{26}$/.test(id))).toBe(true);
  });
});
