import { createHash, createHmac } from 'node:crypto';
import type { SecretBox } from '../../kernel/ports/secret-box';

const RECOVERY_CODES = 10;
/** A code is too long to be guessed, so its hash needs no salt. */
const CODE_BYTES = 10;
const FIVE_BITS = /.{5}/g;
const GROUP = /.{4}(?!$)/g;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_PATTERN = /^[0-9A-HJKMNP-TV-Z]{16}$/;

/**
 * Ten codes such as `7K2M-0QXA-93BT-V5WC`. Codes follow from the command, so the same command run again shows the same
 * ones.
 */
export async function recoveryCodesOf(
  secretBox: SecretBox,
  userId: string,
  commandId: string,
): Promise<readonly string[]> {
  const key = await secretBox.deriveKey('mfa proofs');
  return Array.from({ length: RECOVERY_CODES }, (_, index) =>
    textOf(createHmac('sha256', key).update(`recovery code\n${userId}\n${index}\n${commandId}`).digest()),
  );
}

/** SHA-256 of the code as a person may have typed it; null for a text that is no code. */
export function recoveryCodeHash(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return CODE_PATTERN.test(code) ? createHash('sha256').update(code).digest('hex') : null;
}

export function hashesOf(codes: readonly string[]): readonly string[] {
  return codes.map(code => recoveryCodeHash(code) as string);
}

function textOf(bytes: Uint8Array): string {
  const bits = [...bytes.subarray(0, CODE_BYTES)].map(byte => byte.toString(2).padStart(8, '0')).join('');
  const characters = bits.match(FIVE_BITS) as string[];
  return characters
    .map(five => CROCKFORD[Number.parseInt(five, 2)])
    .join('')
    .replace(GROUP, group => `${group}-`);
}
