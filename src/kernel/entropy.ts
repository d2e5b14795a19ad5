/** Randomness comes in by this port; the real adapter is the operating system's generator. */
export interface Entropy {
  bytes(count: number): Uint8Array;
}

/** UUID version 4 (RFC 9562) from the given randomness. */
export function randomUuid(entropy: Entropy): string {
  const bytes = Buffer.from(entropy.bytes(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
