import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** Proxies stand in these networks, while a client from elsewhere can send any header. */
const PRIVATE: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])

const peers = new WeakMap<Request, string>()

/** Notes the address that a request came from. The server adapters call it, since a Request does not carry it. */
export function setPeer(request: Request, address: string): void {
  peers.set(request, address)
}

/** Copies the address to a request that is made in another's place. */
export function copyPeer(from: Request, to: Request): void {
  const address = peers.get(from)
  if (address !== undefined) peers.set(to, address)
}

/** Returns the address that a client's tries are counted by, `unknown` when no adapter noted one. */
export type ClientAddress = (request: Request) => string

/**
 * Reads a client's address. `X-Forwarded-For` counts only as far as proxies that are trusted wrote it: from its end on, each entry is
 * believed while the address before it is a trusted one. What stands before is the client's own claim.
 *
 * An IPv6 client is counted by its /64, the least that a household or a server is given.
 * @param trusted addresses and CIDR ranges, as {@link untrustable} accepts them
 * @param onLikelyProxy is told once of a peer in a private network that forwards for others and is not trusted
 */
export function createClientAddress(
  trusted: readonly string[],
  onLikelyProxy: (address: string) => void = () => undefined,
): ClientAddress {
  const ranges = trusted.map(toRange).filter(range => range !== undefined)
  const isTrusted = (address: Address) => ranges.some(range => matches(address, range))
  let isTold = false
  return request => {
    let address = parse(peers.get(request))
    if (!address) return 'unknown'
    const claims = request.headers.get('x-forwarded-for')?.split(',') ?? []
    if (!isTold && claims.length > 0 && PRIVATE.has(address.range()) && !isTrusted(address)) {
      isTold = true
      onLikelyProxy(address.toString())
    }
    while (claims.length > 0 && isTrusted(address)) {
      const before = parse(claims.pop()?.trim())
      if (!before) break
      address = before
    }
    return countedAs(address)
  }
}

/** Returns those of `entries` that are neither an address nor a CIDR range. */
export function untrustable(entries: readonly string[]): string[] {
  return entries.filter(entry => toRange(entry) === undefined)
}

/** An IPv4 address written as IPv6 counts as the IPv4 address. */
function parse(text: string | undefined): Address | undefined {
  // A port may follow; then brackets stand around an IPv6 address.
  const bare = text?.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
  return bare !== undefined && (ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare))
    ? ipaddr.process(bare)
    : undefined
}

function toRange(entry: string): Range | undefined {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  const address = parse(entry)
  return address && [address, address.kind() === 'ipv4' ? 32 : 128]
}

function matches(address: Address, [network, bits]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

function countedAs(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString()
  const network = ipaddr.fromByteArray([...address.toByteArray().slice(0, 8), ...Array<number>(8).fill(0)])
  return `${network.toString()}/64`
}
