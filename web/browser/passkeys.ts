import { all } from './page-parts';

/**
 * `<div hidden data-scripted data-passkey="sign-in|register" data-options="URL" data-send="URL">` holds a button. Its
 * `[role=status]` says why nothing came of it. `[data-name]` and `[data-code]` are the fields of a new passkey's name
 * and of the one-time code. The answer names the page that comes next.
 */
type Json = Readonly<Record<string, unknown>>;
type Answer = { readonly location?: string; readonly error?: { readonly message?: string } };

async function post(url: string, body: Json): Promise<Json> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
  });
  const answer = (await response.json()) as Json;
  if (!response.ok) throw new Error((answer as Answer).error?.message);
  return answer;
}

async function carryOut(box: HTMLElement): Promise<void> {
  const { passkey, options: optionsUrl = '', send = '', next = '' } = box.dataset;
  const isNew = passkey === 'register';
  const valueOf = (mark: string) => box.querySelector<HTMLInputElement>(`[data-${mark}]`)?.value;
  const options = await post(optionsUrl, isNew ? { code: valueOf('code') } : {});
  const credential = await (isNew
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options as never) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as never) }));
  const more = isNew ? { name: valueOf('name') } : { next };
  const answer: Answer = await post(send, { credential: (credential as PublicKeyCredential).toJSON(), ...more });
  location.assign(answer.location ?? location.href);
}

/** An old browser has no such methods, and a page without them offers no passkey. */
export function startPasskeys(): void {
  const isAble = typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
  for (const box of all('[data-passkey]')) {
    if (!isAble) box.remove();
    box.querySelector('button')?.addEventListener('click', () => {
      const line = box.querySelector('[role=status]');
      if (line) line.textContent = '';
      carryOut(box).catch((error: unknown) => {
        const isRefused = error instanceof Error && error.name === 'Error' && error.message !== '';
        if (line) line.textContent = isRefused ? error.message : 'No passkey was used.';
      });
    });
  }
}
