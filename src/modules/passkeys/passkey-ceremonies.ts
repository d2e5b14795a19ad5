import { MINUTE_MS } from '../../kernel/clock';
import {
  PASSKEY_ALGORITHMS,
  type ExpectedCeremony,
  type PasskeyRejection,
  type WebAuthn,
} from '../../kernel/ports/web-authn';
import { refuse } from '../../vocabulary/errors';
import type { JsonObject } from '../../vocabulary/json';
import { realmOf, type RealmName } from '../../vocabulary/realms';
import type { UserDocument } from '../users/users.read-model';
import type { PasskeyChallenges, PasskeyPurpose } from './passkey-challenges';
import { credentialHash, readAssertion, readAttestation, type ClientData } from './passkey-credential';
import type { RelyingParties, RelyingParty } from './relying-party';

const RP_NAME = 'Quittance';
const TIMEOUT_MS = 5 * MINUTE_MS;

/** A user as an authenticator shows the user, with the passkeys that the user's own stream counts. */
export type PasskeyUser = {
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  readonly passkeys: UserDocument['passkeys'];
};

/** A credential as it was registered. All bytes are base64url. */
type NewCredential = {
  readonly hash: string;
  readonly credentialId: string;
  readonly publicKey: string;
  readonly counter: number;
};

/** The owner of a credential, and the key that must have signed. */
type RegisteredCredential = { readonly userId: string; readonly publicKey: string };

/** The browser's ceremonies, for the relying parties that the operator has configured. */
export class PasskeyCeremonies {
  constructor(
    private readonly relyingParties: RelyingParties,
    private readonly challenges: PasskeyChallenges,
    private readonly webAuthn: WebAuthn,
  ) {}

  /**
   * The options of `PublicKeyCredential.parseCreationOptionsFromJSON`. `registered` are ids of credentials that the
   * user has already. Throws Refusal passkeys_not_configured or passkey_challenges_full.
   */
  async offerRegistration({ userId, email, name }: PasskeyUser, registered: readonly string[]): Promise<JsonObject> {
    const { rpId } = this.party(realmOf(userId));
    return {
      rp: { id: rpId, name: RP_NAME },
      user: { id: Buffer.from(userId).toString('base64url'), name: email, displayName: name ?? email },
      challenge: await this.challenges.give('register', userId, null),
      pubKeyCredParams: PASSKEY_ALGORITHMS.map(alg => ({ type: 'public-key', alg })),
      timeout: TIMEOUT_MS,
      excludeCredentials: registered.map(id => ({ type: 'public-key', id })),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    };
  }

  /** The options of `PublicKeyCredential.parseRequestOptionsFromJSON`. Throws as offerRegistration does. */
  async offerSignIn(realm: RealmName, ip: string | null): Promise<JsonObject> {
    const { rpId } = this.party(realm);
    const challenge = await this.challenges.give('sign_in', null, ip);
    return { rpId, challenge, timeout: TIMEOUT_MS, userVerification: 'required', allowCredentials: [] };
  }

  /** Throws Refusal passkeys_not_configured, passkey_malformed, or passkey_rejected with the reason. */
  async register(userId: string, credential: unknown): Promise<NewCredential> {
    const answer = readAttestation(credential);
    const expected = await this.expected(this.party(realmOf(userId)), answer.client, 'register', userId);
    const attested = await this.webAuthn.attest(answer, expected);
    if (attested.outcome === 'rejected') throw rejected(attested.reason);
    if (attested.outcome === 'malformed' || attested.credentialId !== answer.id) throw refuse('passkey_malformed');
    const { credentialId, publicKey, counter } = attested;
    return { hash: credentialHash(credentialId), credentialId, publicKey, counter };
  }

  /**
   * The counter that the authenticator shows, by a signature of the credential's key. `find` answers the credential of
   * a hash. Throws as register does.
   */
  async signIn(
    realm: RealmName,
    credential: unknown,
    find: (hash: string) => Promise<RegisteredCredential | null>,
  ): Promise<{ readonly hash: string; readonly counter: number }> {
    const answer = readAssertion(credential);
    const expected = await this.expected(this.party(realm), answer.client, 'sign_in', null);
    const hash = credentialHash(answer.id);
    const registered = await find(hash);
    if (registered === null) throw rejected('unknown_credential');
    if (answer.userId !== null && answer.userId !== registered.userId) throw rejected('user_mismatch');
    const asserted = await this.webAuthn.assert(answer, expected, registered.publicKey);
    if (asserted.outcome === 'rejected') throw rejected(asserted.reason);
    if (asserted.outcome === 'malformed') throw refuse('passkey_malformed');
    return { hash, counter: asserted.counter };
  }

  /** Each answer uses its challenge up, whatever else is wrong with the answer. */
  private async expected(
    { rpId, origin }: RelyingParty,
    { challenge, origin: shown, crossOrigin = false }: ClientData,
    purpose: PasskeyPurpose,
    userId: string | null,
  ): Promise<ExpectedCeremony> {
    const rejection = await this.challenges.take(challenge, purpose, userId);
    if (rejection !== null) throw rejected(rejection);
    if (shown !== origin || crossOrigin) throw rejected('origin_mismatch');
    return { challenge, origin, rpId };
  }

  private party(realm: RealmName): RelyingParty {
    const party = this.relyingParties[realm];
    if (party === null) throw refuse('passkeys_not_configured');
    return party;
  }
}

/** The detail of the refusal names the failed check. */
export function rejected(reason: PasskeyRejection): Error {
  return refuse('passkey_rejected', { detail: { reason } });
}
