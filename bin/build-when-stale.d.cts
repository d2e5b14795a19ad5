export const LESS_CLEARING: Readonly<Record<string, string>>;
export function buildWhenStale(
  root: string,
  tell: (line: string) => void,
  options?: { readonly checksTypes?: boolean },
): void;
export function staleSource(root: string): string | null;
export function stalePartOfPages(root: string): string | null;
