import { hash } from 'node:crypto';
import { refuse } from '../../vocabulary/errors';
import { cleanFileName } from '../../vocabulary/file-names';
import { KYB_DOCUMENT_KINDS, type KybDocumentFacts, type KybDocumentType } from './kyb-case.events';

export const KYB_DOCUMENT_BYTES = 10 * 1_024 * 1_024;

/** A file as it was sent; `kind` is one of KYB_DOCUMENT_KINDS. */
export type SentDocument = { readonly kind: string; readonly name: string; readonly bytes: Uint8Array };

const MARKS: Readonly<Record<KybDocumentType, readonly number[]>> = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
};
const TYPES = Object.keys(MARKS) as KybDocumentType[];

/** Throws Refusal request_too_large, unsupported_media_type, or parameter_invalid naming `kind`. */
export function documentFactsOf({ kind: text, name, bytes }: SentDocument): Omit<KybDocumentFacts, 'id'> {
  if (bytes.length > KYB_DOCUMENT_BYTES) throw refuse('request_too_large', { param: 'file' });
  const type = typeOf(bytes);
  if (type === undefined)
    throw refuse('unsupported_media_type', { param: 'file', message: 'A document is a PDF, a PNG or a JPEG.' });
  const kind = KYB_DOCUMENT_KINDS.find(each => each === text);
  if (kind === undefined)
    throw refuse('parameter_invalid', { param: 'kind', message: `A kind is one of ${KYB_DOCUMENT_KINDS.join(', ')}.` });
  return { kind, name: cleanFileName(name), type, size: bytes.length, sha256: hash('sha256', bytes) };
}

/** The type by the first bytes, whatever the name says. */
function typeOf(bytes: Uint8Array): KybDocumentType | undefined {
  return TYPES.find(type => MARKS[type].every((byte, index) => bytes[index] === byte));
}
