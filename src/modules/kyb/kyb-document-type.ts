import type { KybDocumentType } from './kyb-case.events';

const MARKS: Readonly<Record<KybDocumentType, readonly number[]>> = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
};
const TYPES = Object.keys(MARKS) as KybDocumentType[];

/** The type of a document by its first bytes; null for any other content, whatever its name says. */
export function kybDocumentTypeOf(bytes: Uint8Array): KybDocumentType | null {
  return TYPES.find(type => MARKS[type].every((byte, index) => bytes[index] === byte)) ?? null;
}
