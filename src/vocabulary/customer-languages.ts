/** The languages in which customers get mail, as BCP 47 writes them. Pages have the same ones. */
export const CUSTOMER_LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'zh'] as const;
export type CustomerLanguage = (typeof CUSTOMER_LANGUAGES)[number];

export function isCustomerLanguage(code: string): code is CustomerLanguage {
  return (CUSTOMER_LANGUAGES as readonly string[]).includes(code);
}
