/** A wallet's page side. All of its behaviour is in the test, which answers `GIVEN.binding`. */
interface Given {
  readonly binding: string;
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string; readonly rdns: string };
  readonly announces: boolean;
  readonly legacy: boolean;
}
type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } };
type Ask = (method: string, params: unknown) => Promise<Answer>;
declare const GIVEN: Given;

const provider = Object.freeze({
  async request({ method, params }: { method: string; params?: unknown }): Promise<unknown> {
    const ask = (globalThis as unknown as Record<string, Ask>)[GIVEN.binding] as Ask;
    const answer = await ask(method, params ?? []);
    if ('error' in answer) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    return answer.result;
  },
});
const detail = Object.freeze({ info: Object.freeze(GIVEN.info), provider });
const announce = (): unknown => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));

if (GIVEN.legacy) Object.assign(globalThis, { ethereum: provider });
if (GIVEN.announces) {
  addEventListener('eip6963:requestProvider', announce);
  announce();
}
export {};
