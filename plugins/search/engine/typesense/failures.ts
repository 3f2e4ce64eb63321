/** Typesense is unreachable, does not respond in time, or is temporarily unable to serve. */
export class Unavailable extends Error {
  override readonly name = 'Away'
}

/** Typesense rejects the request, and would reject it again. */
export class Rejected extends Error {
  override readonly name = 'Refused'
  constructor(
    message: string,
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
