const peers = new WeakMap<Request, string>()

/** Notes which address a request came from; the server adapters call it, as a Request does not say. */
export function setPeer(request: Request, address: string): void {
  peers.set(request, address)
}

/**
 * The address to count a client's attempts by, or undefined when nobody knows. Behind a proxy, which a public URL stands
 * for, it is the last entry of `X-Forwarded-For`: the one that proxy wrote. Entries before it are the client's own claims.
 */
export function clientAddress(request: Request, behindProxy: boolean): string | undefined {
  const forwarded = behindProxy ? request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return forwarded || peers.get(request)
}
