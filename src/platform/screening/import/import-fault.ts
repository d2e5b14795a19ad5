/** What is wrong with a file that was to be imported, and where in it. */
export class ImportFault extends Error {
  constructor(
    readonly line: number,
    readonly problem: string,
  ) {
    super(`line ${line}: ${problem}`);
    this.name = 'ImportFault';
  }
}
