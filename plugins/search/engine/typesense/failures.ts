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

/** An operator has to act: the message says what is wrong and what helps. */
export class Misconfigured extends Error {
  override readonly name = 'Misconfigured'
}

/** Postgres refers to a collection that Typesense does not have. */
export class CollectionMissing extends Error {
  override readonly name = 'CollectionMissing'
  constructor(
    readonly collection: string,
    options?: ErrorOptions,
  ) {
    super(`Typesense has no collection ${collection}`, options)
  }
}
