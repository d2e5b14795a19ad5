import { CUSTOMER_LANGUAGES, type CustomerLanguage } from '../../src/vocabulary/customer-languages';

const NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** A language's name in English: `German` for `de`. */
export function languageName(code: CustomerLanguage): string {
  return NAMES.of(code) ?? code;
}

export const LANGUAGE_OPTIONS = CUSTOMER_LANGUAGES.map(value => ({ value, text: languageName(value) }));
