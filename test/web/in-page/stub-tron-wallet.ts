/** A TRON wallet's page side. All of its behaviour is in the test, which answers `GIVEN.binding`. */
interface Given {
  readonly binding: string;
  readonly address: string;
  /** `tron` is the newer way (TIP-1193), `tronLink` the older one. */
  readonly way: 'tron' | 'tronLink';
}
type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };
type Ask = (method: string, params: unknown) => Promise<Answer>;
declare const GIVEN: Given;

async function asked(method: string, params: unknown): Promise<unknown> {
  const ask = (globalThis as unknown as Record<string, Ask>)[GIVEN.binding] as Ask;
  const answer = await ask(method, params);
  if ('error' in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
  return answer.result;
}

const tronWeb = {
  defaultAddress: { base58: GIVEN.address },
  transactionBuilder: { triggerSmartContract: (...args: unknown[]) => asked('triggerSmartContract', args) },
  trx: {
    getBlock: (...args: unknown[]) => asked('getBlock', args),
    signMessageV2: (...args: unknown[]) => asked('signMessageV2', args),
    sign: (...args: unknown[]) => asked('sign', args),
    sendRawTransaction: (...args: unknown[]) => asked('sendRawTransaction', args),
  },
};
const request = ({ method, params = [] }: { method: string; params?: unknown[] }): Promise<unknown> =>
  asked(method, params);

if (GIVEN.way === 'tron') Object.assign(globalThis, { tron: { isTronLink: true, request, tronWeb } });
else Object.assign(globalThis, { tronLink: { ready: true, request, tronWeb }, tronWeb });
export {};
