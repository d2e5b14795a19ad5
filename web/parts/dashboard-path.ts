import { usePage } from './page-context';
import { useDashboard } from './dashboard-context';

/** Makes addresses of pages in the page's mode: `path('payments')`, and the mode's home by `path('')`. */
export function usePaths(): (path: string) => string {
  const { root } = usePage();
  const { mode, modes } = useDashboard();
  return path => `${root}/dashboard/${mode ?? modes[0]}${path === '' ? '' : `/${path}`}`;
}
