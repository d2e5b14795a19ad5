import type { Fault } from '../../../src/kernel/hash-chain-check';
import { spoken } from '../../parts/status-badge';

/** A type of events in words: `PaymentIntentCreated` is `Payment intent created`. */
export function eventTitle(type: string): string {
  return spoken(type.replaceAll(/(?<=[a-z\d])[A-Z]/g, letter => ` ${letter.toLowerCase()}`));
}

const FAULTS: Readonly<Record<Fault, string>> = {
  revision_gap: 'events before it are missing',
  previous_hash_differs: 'it does not follow on the event before it',
  content_differs: 'its content is not the content that was hashed',
};

export function chainFaultText(fault: Fault): string {
  return FAULTS[fault];
}
