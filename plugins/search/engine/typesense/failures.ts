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
  override readonly name: string = 'CollectionMissing'
  constructor(
    readonly collection: string,
    options?: ErrorOptions,
    message = `Typesense has no collection ${collection}`,
  ) {
    super(message, options)
  }
}

/** A collection does not have writes any more that Typesense had acknowledged. */
export class WritesLost extends CollectionMissing {
  override readonly name = 'WritesLost'
  constructor(collection: string) {
    super(collection, {}, `Typesense lost memories of the collection ${collection} that it had stored`)
  }
}
