import { h, type FunctionComponent } from 'preact';
import type { PlatformContext } from '../../src/kernel/command-context';
import type { FormBody } from '../../src/platform/http/form-body';
import type { LastMail } from '../http/last-mail';
import type { SignedPages } from '../http/signed-pages';
import type { Asked } from '../http/visits';
import { MailSentPage, type TokenProps } from './mailed-links.page';

export type TokenQuery = { readonly token?: string };
type Effect = (context: PlatformContext<'platform'>) => Promise<unknown>;
type MailParts = { readonly pages: SignedPages; readonly mails: LastMail };

/** Puts a mail. The page after it says the same for every address. */
export async function putMail(
  { pages, mails }: MailParts,
  asked: Asked,
  form: FormBody,
  page: FunctionComponent,
  put: Effect,
): Promise<void> {
  await pages.orAgain(
    asked,
    form,
    () => pages.send(asked, h(page, {})),
    async () => {
      await put(pages.strangerContext(asked.request));
      await pages.send(asked, h(MailSentPage, { mail: await mails.to(form.email ?? '') }));
    },
  );
}

/** Takes the token of a mailed link, and leads to signing in. */
export async function takeToken(
  pages: SignedPages,
  asked: Asked,
  form: FormBody,
  page: FunctionComponent<TokenProps>,
  reason: 'opened' | 'renewed',
  effect: Effect,
): Promise<void> {
  await pages.orAgain(
    asked,
    form,
    () => pages.send(asked, h(page, tokenIn(form))),
    async () => {
      await effect(pages.strangerContext(asked.request));
      pages.leadTo(asked, `${pages.realm.place}/sign-in?ended=${reason}`);
    },
  );
}

export function tokenIn({ token = '' }: TokenQuery): TokenProps {
  return { token };
}
