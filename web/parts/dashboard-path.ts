import type { Mode } from '../../src/vocabulary/modes';
import { useDashboard } from './dashboard-context';
import { usePage } from './page-context';

/** The address of a page in a mode: `payments`, or the mode's home where the path is empty. */
export function pathInMode(root: string, mode: Mode, path: string): string {
  return `${root}/dashboard/${mode}${path === '' ? '' : `/${path}`}`;
}

/** Makes addresses of pages in the page's mode: `path('payments')`, and the mode's home by `path('')`. */
export function usePaths(): (path: string) => string {
  const { root } = usePage();
  const { mode, modes } = useDashboard();
  return path => pathInMode(root, mode ?? modes[0], path);
}
