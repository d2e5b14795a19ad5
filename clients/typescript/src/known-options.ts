/** Every name of `Options`; a name that is missing here, or is none of the type, does not compile. */
export type OptionNames<Options> = { readonly [Name in keyof Required<Options>]: true };

/** Throws TypeError for an option that does not exist: left unread, a misspelt limit would be no limit. */
export function checkOptions<Options extends object>(options: Options, known: OptionNames<Options>): void {
  const unknown = Object.keys(options).filter(name => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  const names = Object.keys(known).join(', ');
  throw new TypeError(`unknown option ${unknown.join(', ')}; the options are ${names}`);
}
