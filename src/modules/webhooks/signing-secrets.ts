import type { MerchantContext } from '../../kernel/command-context';
import type { Entropy } from '../../kernel/entropy';
import { refuse } from '../../vocabulary/errors';
import { commandId, type IdPrefix } from '../../vocabulary/ids';
import { invariant } from '../../kernel/invariant';
import type { SecretBox } from '../../kernel/ports/secret-box';
import type { SealedSecret, WebhookEndpoint } from './webhook-endpoint.decider';

const SECRET_BYTES = 32;
const SECRET_PREFIX = 'whsec_';

/** Makes and reads signing secrets. Events hold the sealed text only, which opens under the secret's own id. */
export class SigningSecrets {
  constructor(
    private readonly entropy: Entropy,
    private readonly secretBox: SecretBox,
  ) {}

  /** The id of an object that the command creates: a command that is run again finds its own work. */
  async idOf(prefix: Extract<IdPrefix, 'we' | 'ws'>, context: MerchantContext): Promise<string> {
    return commandId(prefix, context.startedAt, await this.secretBox.deriveKey('object ids'), context.commandId);
  }

  async issue(context: MerchantContext): Promise<SealedSecret> {
    const id = await this.idOf('ws', context);
    const text = SECRET_PREFIX + Buffer.from(this.entropy.bytes(SECRET_BYTES)).toString('base64url');
    return { id, sealed: await this.secretBox.seal(text, id, context) };
  }

  /** Throws the secret box's error when the text was changed or sealed by another key. */
  open({ id, sealed }: SealedSecret): Promise<string> {
    return this.secretBox.open(sealed, id);
  }

  /**
   * The text of the secret that `issue` made, once the endpoint has it. Throws Refusal idempotency_response_unavailable
   * where an earlier run of the same command gave the endpoint its secret. That text may have been shown already, and a
   * text is shown only once.
   */
  async openIssued(endpoint: WebhookEndpoint, made: SealedSecret): Promise<string> {
    const issued = endpoint.status === 'none' ? undefined : endpoint.secrets.find(({ id }) => id === made.id);
    invariant(issued, `the endpoint lacks the secret ${made.id} that was made for it`);
    if (issued.sealed !== made.sealed) throw refuse('idempotency_response_unavailable');
    return this.open(issued);
  }
}
