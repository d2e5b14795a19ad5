import type { PlatformContext } from '../../../src/kernel/command-context';
import type { Mode } from '../../../src/vocabulary/modes';
import { operatorContext } from '../../../src/cli/operator-context';
import {
  ResolveHold,
  ResolveHoldHandler,
  type HoldDecision,
} from '../../../src/modules/payment-intents/commands/resolve-hold.command';
import type { PaymentStory } from '../../support/payment-story';
import type { ServiceInProcess } from '../../support/service-in-process';

/** Two officers of compliance let the payment go on. */
export function releaseHold(service: ServiceInProcess, story: PaymentStory): Promise<void> {
  return resolve(service, story, 'release_hold');
}

export function rejectHold(service: ServiceInProcess, story: PaymentStory): Promise<void> {
  return resolve(service, story, 'reject_hold');
}

/** The command decides by itself: it is no merchant's, so no call of the API leads to it. */
function resolve(service: ServiceInProcess, { id }: PaymentStory, type: HoldDecision['type']): Promise<void> {
  return service.beside(async toolbox => {
    const actor = { role: 'compliance', type: 'admin', id: 'adm_one' } as const;
    const context: PlatformContext<Mode> = { ...operatorContext(toolbox), universe: 'test', actor };
    const decision = { type, reason: 'looked into', proposedBy: 'adm_one', approvedBy: 'adm_two' };
    await new ResolveHoldHandler(toolbox.writes).execute(new ResolveHold(id, decision, context));
  });
}
