const KB = 1_024;

/** A file's size in words, such as `312 kB` or `1.4 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < KB) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const kilobytes = bytes / KB;
  return kilobytes < KB ? `${Math.ceil(kilobytes)} kB` : `${(kilobytes / KB).toFixed(1)} MB`;
}
