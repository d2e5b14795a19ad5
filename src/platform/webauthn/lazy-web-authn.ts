import type { WebAuthn } from '../../kernel/ports/web-authn';

/** The library takes a third of a second to load, so that happens with the first passkey. */
export class LazyWebAuthn implements WebAuthn {
  private loading: Promise<WebAuthn> | null = null;

  async attest(...asked: Parameters<WebAuthn['attest']>): ReturnType<WebAuthn['attest']> {
    return (await this.loaded()).attest(...asked);
  }

  async assert(...asked: Parameters<WebAuthn['assert']>): ReturnType<WebAuthn['assert']> {
    return (await this.loaded()).assert(...asked);
  }

  private loaded(): Promise<WebAuthn> {
    this.loading ??= import('./simple-web-authn.js').then(({ SimpleWebAuthn }) => new SimpleWebAuthn());
    return this.loading;
  }
}
