import { refuse } from '../../kernel/errors';
import type { NetworkId } from '../../kernel/tokens';
import type { MessageSignatures } from './message-signatures';
import type { VerificationMethod } from './wallet.events';

/** Throws Refusal parameter_invalid, naming `method`, where this deployment cannot check the method's proof on the network. */
export function checkMethod(method: VerificationMethod, network: NetworkId, signatures: MessageSignatures): void {
  if (method === 'signed_message' && signatures.networks.includes(network)) return;
  const message =
    `A wallet on ${network} cannot be verified by ${method} here. ` +
    `Supported: signed_message on ${signatures.networks.join(', ') || 'no network'}.`;
  throw refuse('parameter_invalid', { param: 'method', message });
}
