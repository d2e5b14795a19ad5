import { CommandBus } from '@nestjs/cqrs';
import { operatorContext } from '../../../src/cli/operator-context';
import { BeginKyb } from '../../../src/modules/kyb/commands/kyb-case.command';
import { DecideKybCase } from '../../../src/modules/kyb/commands/decide-kyb-case.command';
import type { Reply } from '../../support/http-caller';
import { type DashboardStage, type PersonBrowser } from '../dashboard-stage';
import { hiddenIn } from '../form-browser';

export const PEOPLE = '/dashboard/test/settings/users';
export const VERIFICATION = '/dashboard/test/verification';
export const PDF = Buffer.from('%PDF-1.7 a register');
const BOUNDARY = '----form-of-a-test';

type Stage = Pick<DashboardStage, 'instance' | 'stage'>;

/** Opens a case of verification for the person's account, as signing up does. */
export function beginKyb({ instance, stage }: Stage, { merchant }: PersonBrowser): Promise<string> {
  const context = { ...operatorContext({ ...stage.core, user: 'operator' }), merchantId: merchant.id };
  return instance.app.get(CommandBus).execute(new BeginKyb(context));
}

/** The operator's word on a submitted case. */
export function decideKyb(
  { instance, stage }: DashboardStage,
  kybCase: string,
  decision: 'approve' | 'reject',
  note: string,
): Promise<void> {
  return instance.app
    .get(CommandBus)
    .execute(new DecideKybCase(kybCase, decision, note, operatorContext({ ...stage.core, user: 'operator' })));
}

type SentFile = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly kind?: string;
  readonly csrf?: string;
  readonly formId?: string;
};

/** Sends a document with the form of the page, as a browser does. */
export async function upload(
  person: PersonBrowser,
  { name, bytes, kind = 'registration', csrf, formId }: SentFile,
): Promise<Reply> {
  const { body } = await person.open(VERIFICATION);
  const fields = { csrf: csrf ?? hiddenIn(body, 'csrf'), form_id: formId ?? hiddenIn(body, 'form_id'), kind };
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  const head = `content-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/pdf`;
  const file = [Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)];
  return person.sendRaw(`${VERIFICATION}/documents`, {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'sec-fetch-site': 'same-origin' },
    body: Buffer.concat([Buffer.from(parts.join('')), ...file]),
  });
}

/** The id of the first document on the page of verification. */
export async function firstDocument(person: PersonBrowser): Promise<string> {
  const { body } = await person.open(VERIFICATION);
  return /documents\/(kdoc_\w+)/.exec(body)?.[1] ?? '';
}

/** The fields of a case as somebody fills them in. */
export const CASE = {
  'business[legal_name]': 'Corner Shop SARL',
  'business[country]': 'FR',
  'business[registration_number]': '552 100 554',
  'business[address]': '1 rue de la Paix\n75002 Paris',
  'business[website]': '',
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, row) =>
      ['name', 'country', 'share_bps'].map(name => [`owners[${row}][${name}]`, '']),
    )
      .flat()
      .map(([name, value]) => [name as string, value as string]),
  ),
  'owners[0][name]': 'Ada Vale',
  'owners[0][country]': 'GB',
  'owners[0][share_bps]': '60',
} as const;
