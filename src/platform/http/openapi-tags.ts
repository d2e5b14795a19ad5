/** The headings of the document, in its order, each with a sentence for its readers. */
const TAG_DESCRIPTIONS = {
  'Payment intents': 'Payments that are asked for in fiat and made in a token.',
  'Payment links': 'Addresses that open a new payment each time somebody pays.',
  Invoices: 'Numbered invoices, each paid by a payment.',
  'Transaction claims': 'The transactions that people named for payments, and what came of them.',
  Reconciliations: 'The books: each wallet’s balance on the chain against what the service knows, day by day.',
  'Unmatched transfers': 'The queue of transfers that match no payment.',
  Exports: 'Lists as files, for books and tables.',
  Wallets: 'The addresses that payments go to, and the proofs that they are yours.',
  Routes: 'The wallet of each token and network.',
  'Exchange rates': 'The currencies that payments can be asked in.',
  Fees: 'The fees of the service, and its bills for them.',
  Settings: 'The choices of the account.',
  'API keys': 'The keys of the account, their scopes and their ends.',
  MFA: 'Proofs of one-time codes, made beforehand.',
  'Webhook endpoints': 'The addresses that events are sent to.',
  'Webhook events': 'The events, and how their deliveries stand.',
  Sandbox: 'The clock and the customers of test mode.',
  Health: 'The state of the process, for those who operate it.',
  'Queues and objects': 'Lists of what administrators decide on and look at.',
  Actions: 'The steps of administrators that change something.',
  Approvals: 'Proposed actions, and the decisions on them.',
  'State of the service': 'What the parts of the service tell of themselves, and its streams.',
  'Audit log': 'The entry of every event and sign-in.',
  'Own account': 'Signing in, and the administrator’s own means for it.',
  Webhooks: 'The calls that the service makes to your endpoints.',
} as const;

export type Tag = keyof typeof TAG_DESCRIPTIONS;

type DeclaredTag = { readonly name: string; readonly description: string };

/** The declarations of the headings that the document uses. */
export function declaredTags(used: ReadonlySet<string>): readonly DeclaredTag[] {
  return Object.entries(TAG_DESCRIPTIONS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
