/** `payment_intents` -> `paymentIntents` */
export function camel(words: string): string {
  return words.replace(/[^A-Za-z0-9]+(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function pascal(words: string): string {
  const name = camel(words);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `paymentIntents` -> `payment-intents` */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

export function singular(plural: string): string {
  return plural.replace(/s$/, '');
}

/** `payment_intent` -> `PaymentIntent`, `CreatePaymentIntentDto` -> `CreatePaymentIntentRequest` */
export function typeName(schemaName: string): string {
  return pascal(schemaName.replace(/Dto$/, 'Request'));
}
