import { adminIdOfEmail } from '../../../src/modules/admins/admin-people';
import { InviteAdmin } from '../../../src/modules/admins/commands/manage-admins.command';
import { OutboxReader } from '../../../src/modules/outbox/queries/outbox-reader';
import type { ApiInstance, ApiStage } from '../../support/api-stage';
import { ConsoleCaller, PASSWORD } from '../admins/console-caller';

export type SignedInAdmin = { readonly id: string; readonly browser: ConsoleCaller };

/** An administrator who is signed in at the instance. */
export async function signedInAdmin(
  stage: ApiStage,
  instance: ApiInstance,
  email: string,
  role: string,
): Promise<SignedInAdmin> {
  const browser = new ConsoleCaller(stage, instance);
  await browser.run(new InviteAdmin(email, role, browser.context()));
  const mail = await (await OutboxReader.open(stage.core.documents)).newestLinkTo(email);
  const token = /token=([\w.-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
  await browser.post('invitations/accept', { token, name: 'Bo Lind', password: PASSWORD });
  await browser.enrol(email);
  return { id: adminIdOfEmail(email), browser };
}
