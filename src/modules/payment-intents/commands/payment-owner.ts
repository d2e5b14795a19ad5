import type { CommandContext } from '../../../kernel/command-context';
import type { WritePath } from '../../../kernel/write-path';
import { paymentIntents } from '../payment-intent.decider';

/**
 * The context of an administrator, who is no merchant's, as one that may write to the payment. One that does not exist
 * stays nobody's.
 */
export async function onBehalfOfOwner(
  writes: WritePath,
  paymentIntent: string,
  context: CommandContext,
): Promise<CommandContext> {
  const { history } = await writes.load(paymentIntents, context.universe, paymentIntent);
  return { ...context, merchantId: history[0]?.metadata.merchant_id ?? null };
}
