/** Typesense cannot be reached, does not answer in time, or is not able to do anything at the moment. */
export class Away extends Error {
  override readonly name = 'Away'
}

/** Typesense does not do what it was asked, and would not the next time. */
export class Refused extends Error {
  override readonly name = 'Refused'
  constructor(
    message: string,
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
