import { describe, expect, test } from 'bun:test'
import { isAllowed } from './address.ts'
import { HOSTILE_ADDRESSES } from './hostile-addresses.test-support.ts'

const PUBLIC = [
  '1.1.1.1',
  '9.255.255.255',
  '100.63.255.255',
  '100.128.0.1',
  '128.0.0.1',
  '172.32.0.1',
  '192.0.1.1',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
]

describe('an address is connected to', () => {
  test('where it is public, also in a spelling for IPv6 networks', () => {
    expect(PUBLIC.filter(address => !isAllowed(address, false))).toEqual([])
  })

  test('and not where it is anything else', () => {
    expect(HOSTILE_ADDRESSES.filter(address => isAllowed(address, false))).toEqual([])
    expect(
      ['', 'localhost', '127.1', '1.1.1.1:80', '0x1010101', 'fe80::1%eth0'].filter(text => isAllowed(text, false)),
    ).toEqual([])
  })

  test("in networks of one's own for development, and still not at a cloud's metadata", () => {
    const open = HOSTILE_ADDRESSES.filter(address => isAllowed(address, true))
    expect(open).toEqual([
      '10.0.0.1',
      '10.255.255.255',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '64:ff9b::127.0.0.1',
      'fc00::1',
    ])
  })
})
