import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { refuse } from '../vocabulary/errors';

/**
 * Writes the parts to a file, which `--option` names. A file that is not whole never stands under its name. Throws
 * Refusal parameter_invalid where the file cannot be written.
 */
export async function writeWhole(
  { file, option }: { readonly file: string; readonly option: string },
  parts: AsyncIterable<string> | Iterable<Buffer>,
  signal: AbortSignal,
): Promise<void> {
  const partial = `${file}.${process.pid}.part`;
  try {
    await pipeline(parts, createWriteStream(partial), { signal });
    await rename(partial, file);
  } catch (error) {
    // The first fault is told: a path that cannot be written often cannot be removed either.
    await rm(partial, { force: true }).catch(() => undefined);
    signal.throwIfAborted();
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw refuse('parameter_invalid', { param: option, message: `${file} cannot be written: ${code}.`, cause: error });
  }
}
