import { checkDraft, DraftInvoiceDto, draftOf } from '../../../src/modules/invoices/api/invoices.contract';
import { validateDto } from '../../../src/platform/http/dto-validation';
import type { FormBody } from '../../../src/platform/http/form-body';
import { refuse } from '../../../src/vocabulary/errors';
import { zonedDay } from '../../words/zoned-days';
import { inOwnFields } from '../../http/own-fields';
import { typedAmount, typedCurrency, typedMetadata, typedPercent, typedText, typedWhole } from '../typed-fields';

/** Lines of one form; the API takes more. */
export const LINES_LIMIT = 20;
const FIRST_LINES = 3;
const PARTS = ['description', 'quantity', 'price', 'discount', 'tax'] as const;
type LinePart = (typeof PARTS)[number];

const NUMBERS = Array.from({ length: LINES_LIMIT }, (_, index) => index + 1);
const FIELD_OF_API: Readonly<Record<string, LinePart>> = {
  description: 'description',
  quantity: 'quantity',
  unit_amount: 'price',
  discount_bps: 'discount',
  tax_bps: 'tax',
};
const OF_LINE = /^lines\[(\d+)\]\.(\w+)$/;

/** The name of a line's field; lines are counted from 1. */
export function lineField(line: number, part: LinePart): string {
  return `line_${line}_${part}`;
}

/** All fields of lines that a form can have. */
export const LINE_FIELDS = NUMBERS.flatMap(line => PARTS.map(part => lineField(line, part)));

/** The number of lines that a form was sent with. */
export function lineCount(form: FormBody): number {
  const sent = NUMBERS.findLast(line => form[lineField(line, 'description')] !== undefined);
  return Math.max(sent ?? 0, FIRST_LINES);
}

/** The draft that somebody has typed, by the rules of the API. A refusal names the field of the form. */
export function typedInvoice(
  form: FormBody,
  settings: Parameters<typeof draftOf>[1],
): Promise<ReturnType<typeof draftOf>> {
  const written = NUMBERS.filter(line => isWritten(form, line));
  return inOwnFields(
    param => fieldOf(param, written),
    () => {
      const body = validateDto(DraftInvoiceDto, typedBody(form, written, settings.time_zone));
      checkDraft(body);
      return draftOf(body, settings);
    },
    { invalid_bps: 'A percentage goes from 0 to 100, with at most two decimals.' },
  );
}

/** The name of the form's field for one of the API. `written` are the numbers of the lines that were sent on. */
export function fieldOf(param: string, written: readonly number[] = []): string {
  const [, index = '', part = ''] = OF_LINE.exec(param) ?? [];
  const line = written[Number(index)];
  if (index !== '' && line !== undefined) return lineField(line, FIELD_OF_API[part] ?? 'description');
  if (param === 'lines' || param === 'amount') return lineField(written[0] ?? 1, 'price');
  return param.startsWith('metadata.') ? 'metadata' : param.replace('.', '_');
}

function typedBody(form: FormBody, written: readonly number[], timeZone: string): Readonly<Record<string, unknown>> {
  const currency = typedCurrency(form.currency);
  if (written.length === 0) throw refuse('parameter_missing', { param: lineField(1, 'description') });
  const [name, email] = [typedText(form.customer_name), typedText(form.customer_email)];
  const named = { ...(name !== null && { name }), ...(email !== null && { email }) };
  return {
    currency: currency.code,
    lines: written.map(line => ({
      ...describedIn(typedText(form[lineField(line, 'description')])),
      quantity: typedWhole(form[lineField(line, 'quantity')]) ?? 1,
      unit_amount: typedAmount(form[lineField(line, 'price')], currency, lineField(line, 'price')).toString(),
      discount_bps: percentIn(form, lineField(line, 'discount')),
      tax_bps: percentIn(form, lineField(line, 'tax')),
    })),
    ...((name ?? email) !== null && { customer: named }),
    description: typedText(form.description),
    notes: typedText(form.notes),
    ...(form.language && { language: form.language }),
    due_at: zonedDay(form.due_at, 'last', timeZone, 'due_at') ?? null,
    metadata: typedMetadata(form.metadata),
  };
}

/** An empty field is none. */
function percentIn(form: FormBody, field: string): number {
  return typedText(form[field]) === null ? 0 : typedPercent(form[field], field);
}

/** A text that is left out is missing, and no empty text. */
function describedIn(description: string | null): { readonly description?: string } {
  return description === null ? {} : { description };
}

/** A line counts once anything but its quantity is filled in. */
function isWritten(form: FormBody, line: number): boolean {
  return PARTS.some(part => part !== 'quantity' && (form[lineField(line, part)] ?? '').trim() !== '');
}
