const TRON_GRID = /^(?:[a-z0-9-]+\.)*trongrid\.io$/;

/** The header for a provider's URL. The key is TronGrid's: no other provider may see it, and no listener on the way. */
export function tronGridKey(key: string | null): (url: string) => Readonly<Record<string, string>> {
  return (url): Record<string, string> => {
    const { protocol, hostname } = new URL(url);
    const isTronGrid = protocol === 'https:' && TRON_GRID.test(hostname);
    if (key === null || !isTronGrid) return {};
    return { 'TRON-PRO-API-KEY': key };
  };
}
