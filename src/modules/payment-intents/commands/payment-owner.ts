import type { PlatformContext } from '../../../kernel/command-context';
import type { Mode } from '../../../vocabulary/modes';
import { ownerOf, type WritePath } from '../../../kernel/write-path';
import type { PaymentIntentCommand } from '../payment-intent.commands';
import { paymentIntents } from '../payment-intent.decider';

/**
 * Carries out an administrator's command for the merchant of the payment, since an administrator has no merchant.
 * Throws the decision's refusals.
 */
export async function executeForOwner(
  writes: WritePath,
  paymentIntent: string,
  command: PaymentIntentCommand,
  context: PlatformContext<Mode>,
): Promise<void> {
  const { universe, commandId } = context;
  await writes.executePlan(
    paymentIntents,
    paymentIntent,
    loaded => ({ command, context: { ...context, merchantId: ownerOf(paymentIntents, loaded) } }),
    { universe, commandId },
  );
}
