/** One address as a list has it. */
export type ListedText = {
  readonly text: string;
  readonly line: number;
  /** The address's place in the list. */
  readonly reference: string;
  /** True where the text cannot be an address of a chain that is unknown here. */
  readonly mustBeOurs: boolean;
};

/** `publishedOn`: the list's own date, null where it has none. */
export type ParsedList = { readonly addresses: readonly ListedText[]; readonly publishedOn: string | null };
