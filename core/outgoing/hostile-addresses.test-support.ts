import assert from 'node:assert/strict'
import { createOutgoingClient } from './client.ts'
import { type Internet, PUBLIC } from './internet.test-support.ts'
import { OutgoingError } from './outgoing-error.ts'

/** Requests URLs which users give: the client itself, a receiver, a page to read. */
export interface Subject {
  /** Requests the URL. `refused`: the URL or its address was not allowed; `sent`: a server got the request. */
  request(url: string): Promise<'refused' | 'sent'>
}

export interface HostileCase {
  readonly name: string
  run(subject: Subject, internet: Internet): Promise<void>
}

/** Nobody outside may have these addresses connected to; they are one or more of each range that IANA sets aside. */
export const HOSTILE_ADDRESSES = [
  // IPv4: unspecified, private, carrier NAT, loopback, link-local with its metadata services, private, protocol assignments.
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.0.192',
  // IPv4: documentation, 6to4 relays, private, benchmarking, documentation, multicast, reserved, broadcast, Azure's platform.
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  // IPv6: unspecified, loopback, IPv4-compatible, IPv4-mapped, translated, NAT64 and its local prefix.
  '::',
  '::1',
  '::127.0.0.1',
  '::8.8.8.8',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:0:127.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::1',
  // IPv6: discard-only, Teredo, benchmarking, ORCHID, documentation, 6to4, segment routing.
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::1',
  '2002:808:808::1',
  '3fff::1',
  '5f00::1',
  // IPv6: unique local with metadata services, link-local, site-local, multicast, never assigned.
  'fc00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '4000::1',
  '1::1',
] as const

/** These spellings lead to loopback, to metadata, or nowhere, in URLs as an attacker writes them. */
export const HOSTILE_URLS = [
  'http://0177.0.0.1/',
  'http://0x7f.0.0.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://017700000001/',
  'http://127.1/',
  'http://127.0.1/',
  'http://0/',
  'http://127.0.0.1./',
  'http://127.0.0.1../',
  'http://%31%32%37.0.0.1/',
  'http://127%2e0%2e0%2e1/',
  'http://１２７.０.０.１/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:a9fe:a9fe]/latest/meta-data/',
  'http://[0:0:0:0:0:ffff:7f00:1]/',
  'http://[fe80::1%25eth0]/',
  'http://[fe80::1%eth0]/',
  'http://user@93.184.216.34/',
  'http://user:word@93.184.216.34/',
  'http://93.184.216.34@127.0.0.1/',
  'http://93.184.216.34%20@127.0.0.1/',
  'http:\\\\127.0.0.1\\',
  'http:///127.0.0.1/',
  'http://127.0.0.1:80\t/',
  'http://93.184.216.34:0/',
  'http://256.256.256.256/',
  'http://4294967296/',
  'http:// /',
  'http://',
  'http://a..b/',
  `http://${'a'.repeat(64)}.test/`,
  'ftp://93.184.216.34/',
  'file:///etc/passwd',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'unix:/var/run/docker.sock',
  '//93.184.216.34/',
  '/relative',
  '',
] as const

/**
 * Lists every way to have a request sent where it must not go. None of them may open a connection to anything but a
 * public address.
 */
export function hostileCases(followsRedirects: boolean): HostileCase[] {
  return [
    ...HOSTILE_ADDRESSES.map(address => refused(`the address ${address}`, urlOf(address))),
    ...HOSTILE_ADDRESSES.map(address => refused(`a name that leads to ${address}`, 'http://hostile.test/', [address])),
    ...HOSTILE_URLS.map(url => refused(JSON.stringify(url), url)),
    refused('a name that leads to a public address and to a private one', 'http://hostile.test/', [PUBLIC, '10.0.0.1']),
    refused('a name with a dot at its end', 'http://hostile.test./', ['127.0.0.1']),
    refused('localhost', 'http://localhost/', ['127.0.0.1', '::1']),
    rebinding,
    ...(followsRedirects ? REDIRECTED_TO.map(redirected) : [redirectNotFollowed]),
    ...(followsRedirects ? [rebindingBetweenHops] : []),
  ]
}

function refused(name: string, url: string, addresses?: readonly string[]): HostileCase {
  return {
    name: `refuses ${name}`,
    async run(subject, { names, reached }) {
      if (addresses) names.set('hostile.test', addresses).set('localhost', addresses)
      assert.equal(await subject.request(url), 'refused')
      assert.deepEqual(reached, [])
    },
  }
}

/**
 * A name whose second look-up leads elsewhere gains nothing, since the connection goes to the address that was checked.
 */
const rebinding: HostileCase = {
  name: 'connects to the address that was checked, whatever the name leads to a moment later',
  async run(subject, { names, reached, serve }) {
    await serve(PUBLIC, (_, response) => response.end('public'))
    let lookups = 0
    names.set('rebinding.test', () => (lookups++ === 0 ? [PUBLIC] : ['127.0.0.1']))
    await subject.request('http://rebinding.test/')
    assert.ok(lookups > 0)
    assert.deepEqual(
      reached.filter(address => address !== PUBLIC),
      [],
    )
  },
}

const REDIRECTED_TO = [
  'http://127.0.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://0x7f000001/',
  'http://inner.test/',
  '//127.0.0.1/',
  'file:///etc/passwd',
  'http://user:word@93.184.216.34/',
] as const

function redirected(location: string): HostileCase {
  return {
    name: `refuses a redirect to ${location}`,
    async run(subject, { names, reached, serve }) {
      await serve(PUBLIC, (_, response) => response.writeHead(302, { location }).end())
      names.set('public.test', [PUBLIC]).set('inner.test', ['10.0.0.1'])
      assert.equal(await subject.request('http://public.test/'), 'refused')
      assert.deepEqual(reached, [PUBLIC])
    },
  }
}

const redirectNotFollowed: HostileCase = {
  name: 'follows no redirect',
  async run(subject, { names, reached, serve }) {
    await serve(PUBLIC, (_, response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end())
    names.set('public.test', [PUBLIC])
    await subject.request('http://public.test/')
    assert.deepEqual(reached, [PUBLIC])
  },
}

const rebindingBetweenHops: HostileCase = {
  name: 'checks a name again at each redirect, also the same name',
  async run(subject, { names, reached, serve }) {
    await serve(PUBLIC, (_, response) => response.writeHead(302, { location: '/again' }).end())
    let lookups = 0
    names.set('rebinding.test', () => (lookups++ === 0 ? [PUBLIC] : ['169.254.169.254']))
    assert.equal(await subject.request('http://rebinding.test/'), 'refused')
    assert.deepEqual(reached, [PUBLIC])
  },
}

function urlOf(address: string): string {
  return address.includes(':') ? `http://[${address}]/` : `http://${address}/`
}

/** The subject is the client itself, without anything around it. */
export function clientSubject({ network }: Internet, redirectsMax: number): Subject {
  const client = createOutgoingClient({ allowPrivateNetworks: false, network })
  return {
    async request(url) {
      try {
        const response = await client.request(url, { redirectsMax })
        await response.discard()
        return 'sent'
      } catch (error) {
        if (error instanceof OutgoingError && /^(INVALID_URL|ADDRESS_REFUSED)$/.test(error.code)) return 'refused'
        throw error
      }
    },
  }
}
