/** The business that a merchant trades as; `country` is ISO 3166-1 alpha-2. */
export type KybBusiness = {
  readonly legal_name: string;
  readonly country: string;
  readonly registration_number: string;
  readonly address: string;
  /** Null for a business without a website. */
  readonly website: string | null;
};

/** A person or a business that owns a part of it, in basis points. */
export type KybOwner = { readonly name: string; readonly country: string; readonly share_bps: number };

export const KYB_DOCUMENT_KINDS = ['registration', 'identity', 'address', 'other'] as const;
type KybDocumentKind = (typeof KYB_DOCUMENT_KINDS)[number];

/** The content's type, by its first bytes. */
export type KybDocumentType = 'application/pdf' | 'image/png' | 'image/jpeg';

export type KybDocumentFacts = {
  readonly id: string;
  readonly kind: KybDocumentKind;
  /** The file's name, without a path. */
  readonly name: string;
  readonly type: KybDocumentType;
  /** Bytes. */
  readonly size: number;
  /** Of the content, as hex. */
  readonly sha256: string;
};

type KybCaseOpened = { readonly type: 'KybCaseOpened'; readonly data: { readonly merchant_id: string } };

/** The case stays as it is from now on, until it is decided. */
type KybCaseSubmitted = {
  readonly type: 'KybCaseSubmitted';
  readonly data: { readonly business: KybBusiness; readonly owners: readonly KybOwner[] };
};

/** The bytes lie sealed in a collection of their own. */
type KybDocumentAdded = { readonly type: 'KybDocumentAdded'; readonly data: KybDocumentFacts };
type KybDocumentRemoved = { readonly type: 'KybDocumentRemoved'; readonly data: { readonly id: string } };

type KybApproved = { readonly type: 'KybApproved'; readonly data: { readonly note: string } };
type KybRejected = { readonly type: 'KybRejected'; readonly data: { readonly note: string } };

export type KybCaseEvent =
  KybCaseOpened | KybCaseSubmitted | KybDocumentAdded | KybDocumentRemoved | KybApproved | KybRejected;
