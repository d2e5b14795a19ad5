/** One address as a list has it. */
export type ListedText = {
  readonly text: string;
  readonly line: number;
  /** Where in the list it stands. */
  readonly reference: string;
  /** It may be no address of a chain that is unknown here. */
  readonly mustBeOurs: boolean;
};

/** `publishedOn`: the list's own date, null where it has none. */
export type ParsedList = { readonly addresses: readonly ListedText[]; readonly publishedOn: string | null };
