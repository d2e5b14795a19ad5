/** The fault of a file for an import, and its place. */
export class ImportFault extends Error {
  constructor(
    readonly line: number,
    readonly problem: string,
  ) {
    super(`line ${line}: ${problem}`);
    this.name = 'ImportFault';
  }
}
