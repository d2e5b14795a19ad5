import { hash } from 'node:crypto';
import type { ReadModel } from '../../kernel/ports/read-models';
import { addressKey } from './payment-intents.read-model';

/** A payment under one of the texts that people search it by. */
export type SearchKeyDocument = {
  readonly merchant_id: string;
  readonly mode: string;
  /** The digest of the text: a text may be long, and people search whole texts alone. */
  readonly search_key: string;
  readonly payment_intent: string;
};

const KEY_LENGTH = 22;

/** Ids of payments sort by creation, so that the newest payment of a text comes first. */
export const searchKeysReadModel: ReadModel<SearchKeyDocument> = {
  name: 'search_keys',
  version: 1,
  indexes: { by_key: ['merchant_id', 'mode', 'search_key', 'payment_intent', 'id'] },
};

/** A transaction's hash, with or without the `0x` of its network. */
export function hashKey(txHash: string): string {
  return digest('hash', txHash.toLowerCase().replace(/^0x/, ''));
}

export function payerKey(address: string): string {
  return digest('payer', addressKey(address));
}

/** A value of the metadata, whatever its name. */
export function valueKey(value: string): string {
  return digest('value', folded(value));
}

/** A pair of the metadata, as `name=value`. */
export function pairKey(name: string, value: string): string {
  return digest('pair', `${folded(name)}=${folded(value)}`);
}

/** The texts by which the metadata are found, each once. */
export function metadataKeys(metadata: Readonly<Record<string, string>>): readonly string[] {
  const keys = Object.entries(metadata).flatMap(([name, value]) => [pairKey(name, value), valueKey(value)]);
  return [...new Set(keys)];
}

function folded(text: string): string {
  return text.trim().toLowerCase();
}

function digest(kind: string, text: string): string {
  return hash('sha256', `${kind} ${text}`, 'base64url').slice(0, KEY_LENGTH);
}
