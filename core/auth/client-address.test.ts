import { describe, expect, test } from 'bun:test'
import { createClientAddress, setPeer, untrustable } from './client-address.ts'

function addressOf(peer: string | undefined, forwarded: string | undefined, trusted: readonly string[] = []): string {
  const request = new Request('http://localhost/', { headers: forwarded ? { 'x-forwarded-for': forwarded } : {} })
  if (peer) setPeer(request, peer)
  return createClientAddress(trusted)(request)
}

describe('the address a client is counted by', () => {
  const proxies = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']

  test.each([
    ['nobody is believed', '203.0.113.1', '198.51.100.1', [], '203.0.113.1'],
    ['a stranger is not believed', '203.0.113.1', '198.51.100.1', proxies, '203.0.113.1'],
    ['a trusted proxy is', '10.1.2.3', '198.51.100.1', proxies, '198.51.100.1'],
    ['only what it wrote itself, at the end', '10.1.2.3', '1.1.1.1, 198.51.100.1', proxies, '198.51.100.1'],
    ['through several', '10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.7', proxies, '198.51.100.1'],
    ['a proxy over IPv6', 'fd00::1', '198.51.100.1', proxies, '198.51.100.1'],
    ['a proxy in IPv4 written as IPv6', '::ffff:10.1.2.3', '198.51.100.1', proxies, '198.51.100.1'],
    ['an entry that is no address ends the walk', '10.1.2.3', '198.51.100.1, unknown', proxies, '10.1.2.3'],
    ['a port is no part of it', '10.1.2.3', '198.51.100.1:4711', proxies, '198.51.100.1'],
    ['nor with brackets', '10.1.2.3', '[2001:db8:1:2:3:4:5:6]:4711', proxies, '2001:db8:1:2::/64'],
    ['no header', '10.1.2.3', undefined, proxies, '10.1.2.3'],
    ['no peer', undefined, '198.51.100.1', proxies, 'unknown'],
  ])('%s', (_, peer, forwarded, trusted, expected) => {
    expect(addressOf(peer, forwarded, trusted)).toBe(expected)
  })

  test('is the network of 64 bits for IPv6, so that one household is one', () => {
    expect(addressOf('2001:db8:1:2:aaaa::1', undefined)).toBe(addressOf('2001:db8:1:2:bbbb::2', undefined))
    expect(addressOf('2001:db8:1:3::1', undefined)).not.toBe(addressOf('2001:db8:1:2::1', undefined))
  })

  test('a proxy in a private network that is not trusted is told of once, and nobody else', () => {
    const told: string[] = []
    const clientAddress = createClientAddress(['10.0.0.0/8'], address => told.push(address))
    const ask = (peer: string, headers: Record<string, string> = { 'x-forwarded-for': '198.51.100.1' }) => {
      const request = new Request('http://localhost/', { headers })
      setPeer(request, peer)
      clientAddress(request)
    }
    ask('10.1.2.3')
    ask('203.0.113.1')
    ask('172.18.0.1', {})
    expect(told).toEqual([])
    for (const peer of ['172.18.0.1', '172.18.0.2']) ask(peer)
    expect(told).toEqual(['172.18.0.1'])
  })

  test('proxies are named by addresses and ranges', () => {
    expect(untrustable(['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8'])).toEqual([])
    expect(untrustable(['proxy', '10.0.0.0/33', '010.0.0.1', '10.1', '*'])).toEqual([
      'proxy',
      '10.0.0.0/33',
      '010.0.0.1',
      '10.1',
      '*',
    ])
  })
})
