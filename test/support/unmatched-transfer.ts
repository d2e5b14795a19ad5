import { TOKENS } from '../../src/vocabulary/tokens';
import { transferId } from '../../src/modules/transfers/transfer.decider';
import type { ApiInstance } from './api-stage';

const FROM = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const TOKEN = TOKENS['usdc-base'];

let sent = 0;

/** A hash that no other transfer here has. */
export function freshHash(): string {
  return `0x${(sent += 1).toString(16).padStart(64, '0')}`;
}

/** Puts a transfer on the stage's chain; the hash of its transaction. */
export function sendTransfer({ chain }: ApiInstance, to: string, valueBaseUnits: bigint, txHash = freshHash()): string {
  chain.mine({ txHash, contract: TOKEN.contract.test, from: FROM, to, valueBaseUnits });
  return txHash;
}

/** Has a transfer of the stage's chain seen, as a watcher does; its id. */
export async function seeTransfer({ chain, parts }: ApiInstance, txHash: string): Promise<string> {
  const [transfer] = (await chain.receipt(txHash))?.transfers ?? [];
  const block = transfer && (await chain.blockAt(transfer.blockNumber));
  if (!transfer || !block) throw new Error(`${txHash} is not on the chain`);
  const { matching } = parts.payments.matching;
  await matching.observe({ mode: 'test', token: TOKEN, transfer, block, paidAtMs: parts.core.clock.now() });
  return transferId({ network: TOKEN.network, txHash, ordinal: transfer.ordinal });
}

/** A transfer in the queue that fits no payment; its id. */
export function unmatchedTransfer(instance: ApiInstance, to: string, valueBaseUnits = 12_345_678n): Promise<string> {
  return seeTransfer(instance, sendTransfer(instance, to, valueBaseUnits));
}
