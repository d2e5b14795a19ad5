import type { Mode } from '../../vocabulary/modes';

/** No image came. `code` tells the reason in one word, such as `blocked_address`, `timeout` or `status_404`. */
export class ImageUnavailable extends Error {
  constructor(
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(`no image came: ${code}`, options);
    this.name = 'ImageUnavailable';
  }
}

/** Fetches images from addresses that merchants choose. */
export interface ImageSource {
  /** The body of one answer, of `mostBytes` at most. Throws ImageUnavailable. */
  fetch(request: { readonly mode: Mode; readonly url: string; readonly mostBytes: number }): Promise<Uint8Array>;
}
