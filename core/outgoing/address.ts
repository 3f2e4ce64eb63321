import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * `ALLOW_PRIVATE_NETWORKS` opens these private networks for development. Link-local is not among them, since cloud
 * metadata lies there.
 */
const OWN_NETWORKS = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])

/**
 * IPv6 assigns only this range as global unicast; everything outside of it is set aside (RFC 4291, IANA's IPv6 address
 * space).
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * NAT64 gateways stand in for all of IPv4 under this prefix (RFC 6052); hosts without IPv4 reach the rest of the world
 * by it.
 */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** IPv4-mapped addresses are the IPv4 address in another spelling (RFC 4291, 2.5.5.2). */
const MAPPED = ipaddr.IPv6.parseCIDR('::ffff:0:0/96')

/**
 * These lead to a cloud's own services outside of the link-local range, and are refused in development too: Azure's
 * platform, which is public by its range, and the metadata of Alibaba, AWS (IPv6) and Google (IPv6), which lie in
 * private networks.
 */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'])

/**
 * Tells whether an address may be connected to: a global unicast one, by IANA's registries of special-purpose addresses
 * as ipaddr.js has them. Anything that is no address at all may not.
 */
export function isAllowed(address: string, allowPrivateNetworks: boolean): boolean {
  const kind = isIP(address)
  if (kind === 0) return false
  const parsed = ipaddr.parse(kind === 6 ? canonical(address) : address)
  const effective = parsed instanceof ipaddr.IPv6 ? (embedded(parsed) ?? parsed) : parsed
  const range = effective.range()
  if (METADATA.has(effective.toString())) return false
  if (allowPrivateNetworks && OWN_NETWORKS.has(range)) return true
  if (range !== 'unicast') return false
  return effective instanceof ipaddr.IPv4 || effective.match(GLOBAL_UNICAST)
}

/**
 * Spells an IPv6 address in hexadecimal alone: ipaddr.js takes `::8.8.8.8`, which is IPv4-compatible, for
 * `::ffff:8.8.8.8`. It drops a zone, as in `fe80::1%eth0`, since the ranges that have any are refused without it.
 */
function canonical(address: string): string {
  return new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1)
}

/** Returns the IPv4 address that an IPv6 one is only another way to reach. */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  if (!address.match(MAPPED) && !address.match(NAT64)) return undefined
  return new ipaddr.IPv4(address.toByteArray().slice(12))
}
