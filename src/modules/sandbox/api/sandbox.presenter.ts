import { isoTime } from '../../../kernel/clock';
import { formatTokenAmount, TOKENS } from '../../../kernel/tokens';
import type { SandboxOrder, SentTransfer } from '../commands/send-sandbox-transfer.command';
import type { ShownClock } from '../queries/get-sandbox-clock.query';
import type { SandboxClockResource, SandboxTransferResource } from './sandbox.operations';

export function presentSandboxClock({ nowMs, aheadMs, advancedAt }: ShownClock): SandboxClockResource {
  const now = isoTime(nowMs);
  return { object: 'sandbox_clock', mode: 'test', now, advanced_ms: aheadMs, advanced_at: advancedAt };
}

export function presentSandboxTransfer(order: SandboxOrder, sent: SentTransfer): SandboxTransferResource {
  return {
    object: 'sandbox_transfer',
    mode: 'test',
    payment_intent: order.paymentIntent,
    outcome: order.outcome,
    network_id: sent.networkId,
    tx_hash: sent.txHash,
    token_amount: formatTokenAmount(TOKENS[sent.tokenId], sent.baseUnits),
  };
}
