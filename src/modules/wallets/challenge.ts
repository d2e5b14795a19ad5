import { isoTime, MINUTE_MS } from '../../kernel/clock';
import { timeToLive } from '../../vocabulary/durations';
import type { NetworkId } from '../../vocabulary/networks';

export const CHALLENGE_TTL_MS = timeToLive(30 * MINUTE_MS);
/** 128 bits, as hex in the text. */
export const NONCE_BYTES = 16;

type ChallengeFacts = {
  /** Host name of the service that asks, so that a signature given to another service proves nothing here. */
  readonly domain: string;
  readonly walletId: string;
  readonly address: string;
  readonly network: NetworkId;
  readonly mode: string;
  readonly nonce: string;
  readonly issuedAtMs: number;
};

/** ASCII, one line feed between lines and none at the end. The same bytes are shown, signed and compared. */
export function challengeText(facts: ChallengeFacts): string {
  return [
    `${facts.domain} asks you to prove that you control this wallet.`,
    'Signing costs nothing and moves no funds.',
    '',
    `Wallet: ${facts.walletId}`,
    `Address: ${facts.address}`,
    `Network: ${facts.network}`,
    `Mode: ${facts.mode}`,
    `Nonce: ${facts.nonce}`,
    `Issued at: ${isoTime(facts.issuedAtMs)}`,
    `Expires at: ${isoTime(facts.issuedAtMs + CHALLENGE_TTL_MS)}`,
  ].join('\n');
}
