import type { Mode } from '../../src/vocabulary/modes';

/** The address of a page in a mode: `payments`, or the mode's home where the path is empty. */
export function pathInMode(root: string, mode: Mode, path: string): string {
  return `${root}/dashboard/${mode}${path === '' ? '' : `/${path}`}`;
}
