import { adminIdOfEmail } from '../../../src/modules/admins/admin-people';
import { InviteAdmin } from '../../../src/modules/admins/commands/manage-admins.command';
import { OutboxReader } from '../../../src/modules/outbox/queries/outbox-reader';
import type { ApiInstance, ApiStage } from '../../support/api-stage';
import { ConsoleCaller, PASSWORD, type Answer } from '../admins/console-caller';

type Json = Readonly<Record<string, unknown>>;
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

/** Sends with a fresh one-time code, as risky actions ask. */
export function risky({ browser }: SignedInAdmin, path: string, body: Json): Promise<Answer> {
  return browser.post(path, body, { 'mfa-code': browser.code() });
}

type Proposal = { readonly permission: string; readonly target: string; readonly body: Json };

/** The id of an approval that one administrator has proposed, and the other one has approved. */
export async function agreed(proposer: SignedInAdmin, approver: SignedInAdmin, proposal: Proposal): Promise<string> {
  const { body, code } = await proposer.browser.post('approvals', proposal);
  if (code !== null) throw new Error(`the proposal of ${proposal.permission} was refused: ${code}`);
  await risky(approver, `approvals/${String(body.id)}/approve`, { note: 'Seen.' });
  return String(body.id);
}
