import type { NavEntry } from '../parts/dashboard-context';

/** All ways of the navigation, in their order. A way is shown once its page is served. */
export const NAVIGATION: readonly NavEntry[] = [
  { group: 'Money', path: '', text: 'Home', icon: 'house', permission: null },
  { group: 'Money', path: 'payments', text: 'Payments', icon: 'arrow-left-right', permission: 'payment.read' },
  { group: 'Money', path: 'reviews', text: 'To review', icon: 'inbox', permission: 'payment.read' },
  { group: 'Money', path: 'transfers', text: 'Unmatched', icon: 'circle-question-mark', permission: 'transfer.read' },
  { group: 'Money', path: 'links', text: 'Links', icon: 'link', permission: 'link.read' },
  { group: 'Money', path: 'invoices', text: 'Invoices', icon: 'file-text', permission: 'invoice.read' },
  { group: 'Money', path: 'fees', text: 'Fees', icon: 'percent', permission: 'fee.read' },
  { group: 'Money', path: 'books', text: 'Books', icon: 'book-open', permission: 'books.read' },
  { group: 'Money', path: 'exports', text: 'Exports', icon: 'download', permission: 'export.create' },
  { group: 'Receiving', path: 'wallets', text: 'Wallets', icon: 'wallet', permission: 'wallet.read' },
  { group: 'Receiving', path: 'routes', text: 'Routes', icon: 'split', permission: 'route.read' },
  { group: 'Developers', path: 'keys', text: 'API keys', icon: 'key-round', permission: 'key.read' },
  { group: 'Developers', path: 'webhooks', text: 'Webhooks', icon: 'webhook', permission: 'webhook.read' },
  { group: 'Developers', path: 'events', text: 'Events', icon: 'list-ordered', permission: 'payment.read' },
  { group: 'Developers', path: 'requests', text: 'Requests', icon: 'scroll-text', permission: 'request_log.read' },
  {
    ...{ group: 'Developers', path: 'simulate', text: 'Simulate', icon: 'flask-conical', permission: 'sandbox.use' },
    testOnly: true,
  },
  { group: 'Account', path: 'settings', text: 'Settings', icon: 'settings', permission: 'settings.read' },
  { group: 'Account', path: 'users', text: 'People', icon: 'users', permission: 'user.read' },
  { group: 'Account', path: 'kyb', text: 'Verification', icon: 'shield-check', permission: 'kyb.manage' },
  { group: 'Account', path: 'outbox', text: 'Mails', icon: 'mail', permission: 'outbox.read' },
  { group: 'Account', path: 'security', text: 'Security', icon: 'lock', permission: null },
];
