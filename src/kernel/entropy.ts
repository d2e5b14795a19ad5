/** Randomness comes in by this port; the real adapter is the operating system's generator. */
export interface Entropy {
  bytes(count: number): Uint8Array;
}
