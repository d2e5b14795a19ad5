declare module 'tar-fs' {
  import type { Writable } from 'node:stream';
  /** Writes the files of a tar archive into a folder, and nothing outside of it. */
  export function extract(folder: string): Writable;
}
