import { hash } from 'node:crypto';
import { z } from 'zod';
import type { AssertionAnswer, AttestationAnswer } from '../../kernel/ports/web-authn';
import { refuse } from '../../vocabulary/errors';

/** Lengths of base64url texts. An id has 1,023 bytes at most (WebAuthn 3, section 5.1). */
const MAX_ID = 1_364;
const MAX_CLIENT_DATA = 4_096;
const MAX_BYTES = 16_384;

const bytes = (most: number) => z.string().regex(/^[A-Za-z0-9_-]+$/).max(most); // prettier-ignore
const base = { id: bytes(MAX_ID), rawId: bytes(MAX_ID), type: z.literal('public-key') };
const attestation = z.object({
  ...base,
  response: z.object({ clientDataJSON: bytes(MAX_CLIENT_DATA), attestationObject: bytes(MAX_BYTES) }),
});
const assertion = z.object({
  ...base,
  response: z.object({
    clientDataJSON: bytes(MAX_CLIENT_DATA),
    authenticatorData: bytes(MAX_BYTES),
    signature: bytes(MAX_BYTES),
    userHandle: bytes(MAX_ID).nullish(),
  }),
});
const clientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
});

/** The part of an answer that the browser has written. */
export type ClientData = z.infer<typeof clientData>;

type Ceremony = 'webauthn.create' | 'webauthn.get';

/** Throws Refusal passkey_malformed. */
export function readAttestation(credential: unknown): AttestationAnswer & { readonly client: ClientData } {
  const { id, rawId, response } = parsed(attestation, credential);
  if (id !== rawId) throw refuse('passkey_malformed');
  return { id, ...response, client: readClientData(response.clientDataJSON, 'webauthn.create') };
}

/** `userId`: the user whom the authenticator names; null where it names none. Throws Refusal passkey_malformed. */
export function readAssertion(
  credential: unknown,
): AssertionAnswer & { readonly client: ClientData; readonly userId: string | null } {
  const { id, rawId, response } = parsed(assertion, credential);
  if (id !== rawId) throw refuse('passkey_malformed');
  const { userHandle, ...answer } = response;
  const userId = userHandle ? Buffer.from(userHandle, 'base64url').toString() : null;
  return { id, ...answer, userId, client: readClientData(answer.clientDataJSON, 'webauthn.get') };
}

/** The id of the credential's stream. */
export function credentialHash(credentialId: string): string {
  return hash('sha256', Buffer.from(credentialId, 'base64url'), 'hex');
}

function readClientData(text: string, ceremony: Ceremony): ClientData {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch (cause) {
    throw refuse('passkey_malformed', { cause });
  }
  const client = parsed(clientData, json);
  if (client.type !== ceremony) throw refuse('passkey_malformed');
  return client;
}

function parsed<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (!result.success) throw refuse('passkey_malformed', { cause: result.error });
  return result.data;
}
