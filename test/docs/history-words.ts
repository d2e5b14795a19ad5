import { CHANGES } from '../../src/modules/payment-intents/queries/payment-history';

/** The public words for a payment's changes, each with its fields, in Markdown. */
export function historyTable(): string {
  const rows = Object.entries(CHANGES).map(([word, fields]) => `| \`${word}\` | ${fields ? code(fields) : 'none'} |`);
  return ['| Word | Fields |', '|---|---|', ...rows].join('\n');
}

const code = (fields: string): string =>
  fields
    .split(', ')
    .map(field => `\`${field}\``)
    .join(', ');
