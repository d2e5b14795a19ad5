import type { PlatformContext } from '../../../kernel/command-context';
import type { Mode } from '../../../kernel/event';
import { ownerOf, type WritePath } from '../../../kernel/write-path';
import type { PaymentIntentCommand } from '../payment-intent.commands';
import { paymentIntents } from '../payment-intent.decider';

/**
 * Carries out an administrator's command, who is no merchant's, for the merchant whose payment it is. Throws what the
 * decision refuses with.
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
    loaded => Promise.resolve({ command, context: { ...context, merchantId: ownerOf(paymentIntents, loaded) } }),
    { universe, commandId },
  );
}
