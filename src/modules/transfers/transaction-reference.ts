import { refuse, type Refusal } from '../../vocabulary/errors';
import { familyOf, NETWORKS, type NetworkId } from '../../vocabulary/networks';

/** `exchange_transfer`: money moved within an exchange, by a number that no chain knows. */
export type TransactionReference =
  | { readonly kind: 'transaction'; readonly txHash: string }
  | { readonly kind: 'exchange_transfer'; readonly id: string };

const EVM_HASH = /^0x[0-9a-fA-F]{64}$/;
const TRON_HASH = /^[0-9a-fA-F]{64}$/;
const HEX_TEXT = /^(?:0[xX])?[0-9a-fA-F]+$/;
const HASH_HEX = 64;
/** Fewer characters than any hash that lost some, and more than any exchange's number. A text in between is neither. */
const MANGLED_HASH_HEX = 48;

/**
 * The forms of exchanges' numbers for internal transfers: numbers, a letter and a number, UUIDs, groups with dashes, 24
 * hex characters.
 */
const EXCHANGE_IDS = [
  /^[A-Z]?\d{6,30}$/i,
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[A-Z0-9]{6,7}-[A-Z0-9]{5,6}-[A-Z0-9]{5,6}$/,
  /^[0-9a-f]{24}$/i,
];
/** Other exchanges mix letters, digits and dashes; a word has fewer digits, and an address or a hash is longer. */
const MIXED_EXCHANGE_ID = /^[0-9A-Z-]{6,30}$/i;
const MIXED_ID_DIGITS = 4;
const EXCHANGE_NAME = /^[a-z]{2,20} /i;
const EXCHANGE_WORDS = /^(?:internal|off-?chain)(?: transfer| tx)?[ :#-]+([0-9A-Za-z][0-9A-Za-z-]*)$/i;
const EXCHANGE_ID_LENGTH = { min: 4, max: 64 } as const;

type Mistake = readonly [form: RegExp, message: string];

/** The mistakes in order: the sender is told the first one that fits. */
const MISTAKES: readonly Mistake[] = [
  [/^[a-z][a-z0-9+.-]*:\/\/|^www\./i, 'This is the address of a web page; copy the transaction hash that it shows.'],
  [/^["'`“”‘’«»]|["'`“”‘’«»]$/, 'Send the hash without quotation marks.'],
  [/\s|[\u200b-\u200d\ufeff]/, 'Send the hash without spaces or line breaks.'],
  [
    /^0x[0-9a-fA-F]{40}$|^41[0-9a-fA-F]{40}$|^T[1-9A-HJ-NP-Za-km-z]{33}$/,
    'This is an address, not a transaction hash.',
  ],
];

/**
 * The reference in a text that somebody pasted as the transaction of a payment on `network`. Hex digits of either case
 * are the same hash, which is kept in lower case. Throws Refusal invalid_tx_hash, whose message names the mistake.
 */
export function transactionReference(network: NetworkId, text: string): TransactionReference {
  const isTron = familyOf(network) === 'tron';
  if ((isTron ? TRON_HASH : EVM_HASH).test(text)) return { kind: 'transaction', txHash: text.toLowerCase() };
  const exchangeId = exchangeIdIn(text);
  if (exchangeId !== null) return { kind: 'exchange_transfer', id: exchangeId.toLowerCase() };
  const known = MISTAKES.find(([form]) => form.test(text));
  if (known) throw invalidTxHash(known[1]);
  throw invalidTxHash(HEX_TEXT.test(text) ? hexMistake(network, text) : formOf(network));
}

function exchangeIdIn(text: string): string | null {
  const words = EXCHANGE_WORDS.exec(text.replace(EXCHANGE_NAME, '')) ?? EXCHANGE_WORDS.exec(text);
  const named = words?.[1] ?? '';
  if (named.length >= EXCHANGE_ID_LENGTH.min && named.length <= EXCHANGE_ID_LENGTH.max) return named;
  return EXCHANGE_IDS.some(form => form.test(text)) || isMixedId(text) ? text : null;
}

function isMixedId(text: string): boolean {
  // A text of hex digits alone is more probably a hash that was cut short.
  if (!MIXED_EXCHANGE_ID.test(text) || HEX_TEXT.test(text)) return false;
  return text.replace(/\D/g, '').length >= MIXED_ID_DIGITS;
}

function hexMistake(network: NetworkId, text: string): string {
  const { name } = NETWORKS[network];
  const isPrefixed = /^0x/i.test(text);
  const digits = isPrefixed ? text.length - 2 : text.length;
  if (digits !== HASH_HEX) {
    if (digits < MANGLED_HASH_HEX) return formOf(network);
    const off = digits < HASH_HEX ? 'too few' : 'too many';
    return `A transaction hash has ${HASH_HEX} hex characters; this one has ${digits}, which is ${off}.`;
  }
  if (familyOf(network) === 'tron')
    return `A hash on ${name} has no 0x in front; with it, it is one of another network.`;
  return isPrefixed
    ? 'Write the 0x in front of the hash in lower case.'
    : `A hash on ${name} starts with 0x; without it, it is one of TRON.`;
}

function formOf(network: NetworkId): string {
  const form = familyOf(network) === 'tron' ? '64 hex characters' : '0x and 64 hex characters';
  return `A transaction hash on ${NETWORKS[network].name} is ${form}.`;
}

export function invalidTxHash(message: string): Refusal {
  return refuse('invalid_tx_hash', { param: 'tx_hash', message });
}
