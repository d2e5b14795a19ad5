import type { SecretBox } from '../../kernel/ports/secret-box';
import { refuse, type Refusal } from '../../vocabulary/errors';

/** The box of a tool that was opened without the keys of the log, so that it works where those are lost. */
export class ClosedSecretBox implements SecretBox {
  seal(): Promise<string> {
    return Promise.reject(closed());
  }

  open(): Promise<string> {
    return Promise.reject(closed());
  }

  deriveKey(): Promise<Uint8Array> {
    return Promise.reject(closed());
  }
}

function closed(): Refusal {
  return refuse('invalid_config', { param: 'SECRET_KEY', message: 'This command was opened without SECRET_KEY.' });
}
