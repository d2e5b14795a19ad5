import { characterCount, UNFIT_IN_NAME } from '../../vocabulary/characters';
import { isCountry } from '../../vocabulary/countries';
import { refuse, type Refusal } from '../../vocabulary/errors';
import { keepsRule, type TextRule } from '../../vocabulary/text-rules';
import type { KybBusiness, KybOwner } from './kyb-case.events';

/** The whole of a business, in basis points. */
const WHOLE_BPS = 10_000;
const MAX_OWNERS = 50;
const MAX_NAME_LENGTH = 200;
export const MAX_NUMBER_LENGTH = 64;
export const MAX_URL_LENGTH = 500;
const ADDRESS = { isWritten: true, max: 500, isPlain: true } as const satisfies TextRule;
/** A reviewer's note, which the merchant reads. */
export const KYB_NOTE = { isWritten: true, max: 1_000, isPlain: true } as const satisfies TextRule;

/** The facts as they are stored. Throws Refusal parameter_missing or parameter_invalid, naming `business[…]`. */
export function checkedBusiness(business: KybBusiness): KybBusiness {
  return {
    legal_name: line(business.legal_name, 'business[legal_name]', MAX_NAME_LENGTH),
    country: country(business.country, 'business[country]'),
    registration_number: line(business.registration_number, 'business[registration_number]', MAX_NUMBER_LENGTH),
    address: text(business.address, 'business[address]', ADDRESS),
    website: website(business.website),
  };
}

/** Throws Refusal parameter_missing, parameter_invalid or parameter_invalid_integer, naming `owners[0][name]` or so. */
export function checkedOwners(owners: readonly KybOwner[]): readonly KybOwner[] {
  if (owners.length === 0) throw refuse('parameter_missing', { param: 'owners' });
  if (owners.length > MAX_OWNERS) throw invalid('owners', `Name at most ${MAX_OWNERS} owners.`);
  const checked = owners.map((owner, index) => checkedOwner(owner, `owners[${index}]`));
  const sum = checked.reduce((total, { share_bps }) => total + share_bps, 0);
  if (sum > WHOLE_BPS) throw invalid('owners', 'The shares come to more than the whole business.');
  return checked;
}

/** A reviewer's note. Throws Refusal parameter_missing or parameter_invalid. */
export function checkedNote(note: string): string {
  return text(note, 'note', KYB_NOTE);
}

function checkedOwner(owner: KybOwner, path: string): KybOwner {
  const { share_bps } = owner;
  if (!Number.isInteger(share_bps) || share_bps < 1 || share_bps > WHOLE_BPS) {
    const message = `A share is a whole number of basis points, from 1 to ${WHOLE_BPS}.`;
    throw refuse('parameter_invalid_integer', { param: `${path}[share_bps]`, message });
  }
  const name = line(owner.name, `${path}[name]`, MAX_NAME_LENGTH);
  return { name, country: country(owner.country, `${path}[country]`), share_bps };
}

function line(value: string, param: string, maxLength: number): string {
  const trimmed = value.trim();
  if (UNFIT_IN_NAME.test(trimmed)) throw invalid(param, 'This has no line breaks and no control characters.');
  return text(trimmed, param, { isWritten: true, max: maxLength });
}

/** A text of one line or more. */
function text(value: string, param: string, rule: TextRule & { readonly max: number }): string {
  const trimmed = value.replace(/\r\n?/g, '\n').trim();
  if (trimmed === '') throw refuse('parameter_missing', { param });
  if (!keepsRule(trimmed, rule))
    throw invalid(
      param,
      `This has at most ${rule.max} characters, and no control characters but tabs and line breaks.`,
    );
  return trimmed;
}

function country(value: string, param: string): string {
  const code = value.trim().toUpperCase();
  if (code === '') throw refuse('parameter_missing', { param });
  if (!isCountry(code)) throw invalid(param, 'A country is named by its two letters, such as FR.');
  return code;
}

function website(value: string | null): string | null {
  const trimmed = value?.trim() ?? '';
  if (trimmed === '') return null;
  const isWeb = URL.canParse(trimmed) && /^https?:$/.test(new URL(trimmed).protocol);
  if (!isWeb || characterCount(trimmed) > MAX_URL_LENGTH)
    throw invalid('business[website]', 'A website has an address that begins with https:// or http://.');
  return new URL(trimmed).href;
}

function invalid(param: string, message: string): Refusal {
  return refuse('parameter_invalid', { param, message });
}
