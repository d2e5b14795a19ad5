import type { Entropy } from '../../kernel/entropy';
import type { Token } from '../../vocabulary/tokens';
import type { NetworkId } from '../../vocabulary/networks';
import { TOKENS } from '../../vocabulary/tokens';

/** Amounts go from 0.001001 to 0.009999 token in millionths: less than any payment, and never a round number. */
const LEAST_UNITS = 1_001n;
const MOST_UNITS = 9_999n;
const UNIT_DECIMALS = 6;
/** Far more bits than units, so that no amount is likelier than another. */
const RANDOM_BYTES = 16;

/** The approved token of a network, in which its micro-deposits are made. */
export function depositToken(network: NetworkId): Token {
  const token = Object.values(TOKENS).find(candidate => candidate.network === network);
  if (!token) throw new RangeError(`no approved token on ${network}`);
  return token;
}

export function randomUnits(entropy: Entropy): bigint {
  const random = BigInt(`0x${Buffer.from(entropy.bytes(RANDOM_BYTES)).toString('hex')}`);
  return LEAST_UNITS + (random % (MOST_UNITS - LEAST_UNITS + 1n));
}

export function amountOfUnits(token: Token, units: bigint): bigint {
  return units * scale(token);
}

/** Null for an amount that no micro-deposit has. */
export function unitsOfAmount(token: Token, amountBaseUnits: bigint): bigint | null {
  if (amountBaseUnits % scale(token) !== 0n) return null;
  const units = amountBaseUnits / scale(token);
  return units >= LEAST_UNITS && units <= MOST_UNITS ? units : null;
}

/** One id for an amount of an address, so that two merchants who add the address wait for different amounts. */
export function microDepositId(token: Token, from: string, units: bigint): string {
  return `${token.network}:${from}:${token.id}:${units}`;
}

function scale({ decimals }: Token): bigint {
  return 10n ** BigInt(decimals - UNIT_DECIMALS);
}
