import type { ConsoleEntry } from '../parts/console-context';

const READ = 'console.read';

/** All ways of the navigation, in their order. A way is shown once its page is served. */
export const NAVIGATION: readonly ConsoleEntry[] = [
  { group: 'To do', path: '', text: 'Home', icon: 'house', permission: READ },
  { group: 'To do', path: 'approvals', text: 'Approvals', icon: 'users', permission: READ },
  { group: 'To do', path: 'kyb', text: 'Verification', icon: 'shield-check', permission: READ },
  { group: 'To do', path: 'holds', text: 'Holds', icon: 'shield-alert', permission: READ },
  { group: 'To do', path: 'reviews', text: 'Reviews', icon: 'inbox', permission: READ },
  { group: 'To do', path: 'transfers', text: 'Unmatched', icon: 'circle-question-mark', permission: READ },
  { group: 'To do', path: 'claims', text: 'Named transactions', icon: 'scroll-text', permission: READ },
  { group: 'Control', path: 'merchants', text: 'Merchants', icon: 'wallet', permission: READ },
  { group: 'Control', path: 'switches', text: 'Switches', icon: 'ban', permission: READ },
  { group: 'Control', path: 'controls', text: 'Limits', icon: 'settings', permission: READ },
  { group: 'Control', path: 'sanctions', text: 'Sanctions', icon: 'triangle-alert', permission: READ },
  { group: 'Control', path: 'fees', text: 'Fees', icon: 'percent', permission: READ },
  { group: 'System', path: 'coverage', text: 'Coverage', icon: 'layers', permission: READ },
  { group: 'System', path: 'health', text: 'Health', icon: 'monitor', permission: READ },
  { group: 'System', path: 'audit', text: 'Audit log', icon: 'book-open', permission: 'audit.read' },
  { group: 'System', path: 'streams', text: 'Events', icon: 'list-ordered', permission: READ },
  { group: 'Account', path: 'admins', text: 'Administrators', icon: 'users', permission: READ },
  { group: 'Account', path: 'security', text: 'Security', icon: 'lock', permission: READ },
];
