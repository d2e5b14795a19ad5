export const BUSINESS_FIELDS = ['legal_name', 'country', 'registration_number', 'address', 'website'] as const;

/** Rows of the form. An owner of a tenth or more is one of ten at most. */
export const OWNER_ROWS: readonly number[] = Array.from({ length: 10 }, (_, row) => row);

export function ownerField(row: number, name: 'name' | 'country' | 'share_bps'): string {
  return `owners[${row}][${name}]`;
}
