/** `payment_intents` -> `paymentIntents` */
export function camel(words: string): string {
  const [first = '', ...rest] = words.split(/[^A-Za-z0-9]+/);
  return first + rest.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('');
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
