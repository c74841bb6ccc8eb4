/** Something that the person who runs the program can mend; the message says how. */
export class Failure extends Error {
  constructor(
    message: string,
    /** 2: the command or the file is wrong. 3: what was begun can be gone on with. */
    readonly exitCode: 2 | 3 = 2,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'Failure';
  }
}
