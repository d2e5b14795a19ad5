import type { Mode, Universe } from '../../vocabulary/modes';
import type { NetworkId } from '../../vocabulary/networks';
import type { AdminRole } from '../../vocabulary/admin-roles';
import type { UserRole } from '../../vocabulary/roles';
import type { TokenId } from '../../vocabulary/tokens';
import type { RealmName } from '../../vocabulary/realms';
import type { Actor } from '../../kernel/event';
import type { MailText } from '../../kernel/ports/mail';

/** The time and the actor of a change. `at` is ISO-8601 UTC, as every time of a mail. */
export type Deed = { readonly at: string; readonly actor: Actor };
/** A deed with the actor's network address, which a mail about another person's deed does not tell. */
export type Origin = Deed & { readonly ip: string | null };

type Change = { readonly mode: Universe; readonly origin: Origin };
type RouteFacts = Change & {
  readonly asset: string;
  readonly network: NetworkId;
  readonly walletId: string;
  readonly address: string;
};
/** `host` is the host of the endpoint's URL, whose path and query may hold a secret. */
type EndpointFacts = Change & { readonly endpointId: string; readonly host: string };
type KeyFacts = Change & { readonly keyId: string };

/** Sent by the service to an address that has no session yet. `token` is the secret of the link. */
type LinkFacts = { readonly token: string; readonly expiresAt: string };

type Money = { readonly currency: string; readonly minorUnits: string; readonly decimals: number };

type FeeInvoice = {
  readonly id: string;
  readonly number: string;
  readonly amount: Money;
  readonly dueAt: string;
  readonly pausesAt: string;
};

/** The holes and deferrals of one network, and the moment since which the oldest of them waits. */
export type SetAsideNotice = {
  readonly mode: Mode;
  readonly network: NetworkId;
  readonly holes: number;
  readonly deferred: number;
  /** No more places can be set aside: blocks are not read until there is room. */
  readonly isFull: boolean;
  readonly since: string;
};

/** `since`: the moment at which a process first found the network behind. */
export type LagNotice = { readonly mode: Mode; readonly network: NetworkId; readonly since: string };

/** `readUntil`: time of the newest block that was read; null where none was yet. */
export type BehindNotice = LagNotice & { readonly readUntil: string | null };

/** `stream`: the name that the command line takes. A stream is given up once, and for good. */
export type GivenUpNotice = {
  readonly mode: Universe;
  readonly stream: string;
  readonly why: string;
  readonly givenUpBy: string;
  readonly at: string;
};

/** A fee that accrued for a payment whose transfer the chain has taken back. */
export type LostFeeNotice = {
  readonly merchantId: string;
  readonly paymentIntent: string;
  readonly transferId: string;
  readonly fee: Money;
};

/** Mail to accounts about their keys, endpoints and routes. */
type AccessMail = {
  readonly route_set: RouteFacts;
  readonly route_changed: RouteFacts & { readonly coolingDownUntil: string };
  readonly api_key_minted: KeyFacts & {
    readonly name: string | null;
    readonly scopes: readonly string[];
    readonly expiresAt: string | null;
  };
  readonly api_key_rotated: KeyFacts & { readonly successor: string; readonly expiresAt: string };
  readonly api_key_revoked: KeyFacts;
  readonly endpoint_created: EndpointFacts;
  readonly endpoint_moved: EndpointFacts;
  readonly endpoint_secret_rolled: EndpointFacts & { readonly overlapEndsAt: string };
  readonly endpoint_disabled: EndpointFacts;
  /** The endpoint was switched off for its failures. */
  readonly endpoint_failing: EndpointFacts;
  /** The limits of the account's sessions. */
  readonly session_policy_set: {
    readonly idleMinutes: number;
    readonly absoluteMinutes: number;
    /** A session is taken from its own network address alone. */
    readonly pinsAddress: boolean;
    readonly origin: Origin;
  };
  readonly codes_barred: {
    readonly keyId: string;
    readonly barred: { readonly kind: 'key' | 'user'; readonly id: string; readonly limit: number };
    /** The codes were for the end of a key. */
    readonly isOfRevoking: boolean;
    readonly at: string;
  };
};

/** Mail to accounts about their money. */
type MoneyMail = {
  readonly transfer_lost: {
    readonly mode: Universe;
    readonly transferId: string;
    readonly paymentIntent: string;
    readonly at: string;
  };
  readonly transfer_queued: {
    readonly mode: Universe;
    readonly transferId: string;
    readonly txHash: string;
    readonly tokenId: TokenId;
    readonly baseUnits: string;
    readonly from: string;
    readonly to: string;
  };
  readonly payment_inferred: {
    readonly mode: Universe;
    readonly paymentIntent: string;
    readonly tokenId: TokenId;
    readonly dueBaseUnits: string;
    readonly received: readonly {
      readonly transferId: string;
      readonly txHash: string;
      readonly from: string;
      readonly baseUnits: string;
    }[];
  };
  readonly payment_came_late: {
    readonly mode: Universe;
    readonly paymentIntent: string;
    readonly transferId: string;
    readonly tokenId: TokenId;
    readonly dueBaseUnits: string;
    readonly receivedBaseUnits: string;
  };
  readonly fee_invoice_issued: FeeInvoice;
  readonly pause_announced: FeeInvoice;
  readonly invoice_paid_again: {
    readonly mode: Mode;
    readonly invoice: string;
    readonly number: string;
    readonly amount: Money;
    readonly isVoid: boolean;
    readonly paidBy: string | null;
    readonly paymentIntent: string;
  };
};

/** Mail to customers. */
type CustomerMail = {
  readonly invoice_mailed: {
    /** The customer's language as BCP 47 has it, such as `de`; null where nobody has told it. */
    readonly language: string | null;
    readonly mode: Mode;
    readonly invoice: string;
    readonly number: string;
    readonly shop: string;
    readonly customer: string | null;
    /** The address that gets the mail in live mode. */
    readonly liveTo: string;
    readonly description: string | null;
    readonly amount: Money;
    readonly due: { readonly at: string; readonly timeZone: string } | null;
    readonly isPaid: boolean;
    readonly isReminder: boolean;
    /** The days from the due date to a reminder, negative before it; null for other mail. */
    readonly reminderDays: number | null;
  };
};

/** A change of a person's own ways to sign in. The realm's pages are where the person looks at it. */
type OwnChange = { readonly realm: RealmName; readonly origin: Origin };

/** Mail to people about their own sign-in. */
type PeopleMail = {
  readonly signed_in_anew: {
    readonly realm: RealmName;
    readonly method: 'password' | 'passkey' | 'recovery_code';
    /** The client's network, such as `203.0.113.0/24`. */
    readonly network: string | null;
    /** The family of the browser. */
    readonly browser: string;
    readonly ip: string | null;
    readonly at: string;
  };
  readonly sign_ins_failed: { readonly failures: number; readonly at: string };
  readonly password_changed: OwnChange & { readonly reason: 'changed' | 'reset' };
  readonly authenticator_enrolled: OwnChange;
  readonly recovery_codes_made: OwnChange;
  readonly authenticator_reset: OwnChange & { readonly reason: string };
  /** For the other owners of the account, or of the operator; `email` is the address of the person. */
  readonly authenticator_of_other_reset: OwnChange & { readonly email: string; readonly reason: string };
  readonly recovery_code_used: OwnChange;
  readonly passkey_added: OwnChange & { readonly name: string };
  readonly passkey_removed: OwnChange;
  readonly role_given: { readonly role: UserRole; readonly deed: Deed };
  readonly user_disabled: { readonly deed: Deed };
  readonly user_enabled: { readonly deed: Deed };
  readonly sign_up_link: LinkFacts;
  readonly reset_link: LinkFacts;
  readonly admin_reset_link: LinkFacts;
  readonly admin_invitation: LinkFacts & { readonly role: AdminRole };
  readonly admin_role_given: { readonly role: AdminRole; readonly deed: Deed };
  readonly admin_disabled: { readonly reason: string; readonly deed: Deed };
  readonly admin_enabled: { readonly reason: string; readonly deed: Deed };
  readonly admin_sign_ins_failed: { readonly failures: number; readonly at: string };
  readonly invitation: LinkFacts & { readonly business: string; readonly role: UserRole };
  /** A stranger asked to open an account with an address that has one. */
  readonly account_exists: Record<string, never>;
};

/** Mail to the operator. */
type OperatorMail = {
  readonly set_aside: SetAsideNotice;
  readonly behind: BehindNotice;
  readonly caught_up: LagNotice & { readonly steadyAt: string };
  readonly hole_closed: GivenUpNotice;
  readonly deferral_given_up: GivenUpNotice;
  readonly lost_fee: LostFeeNotice;
};

/** The facts of each kind of mail: codes and values, and no sentence. */
export type MailFacts = AccessMail & MoneyMail & CustomerMail & PeopleMail & OperatorMail;

export type MailName = keyof MailFacts;

/** A mail before it is put into words. */
export type MailKind = {
  readonly [Name in MailName]: { readonly kind: Name; readonly facts: MailFacts[Name] };
}[MailName];

/** Puts a mail's facts into words. Pure: the same mail has the same words. */
export interface MailTexts {
  render(mail: MailKind): MailText;
}
