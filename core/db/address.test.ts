import { describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { AddressError, addressFault, type DatabaseAddress, readAddress } from './address.ts'

const authority = fileURLToPath(new URL('../../test/fixtures/certificates/authority.pem', import.meta.url))
const read = (url: string, environment: Record<string, string> = {}) => readAddress(url, environment)
const at = (parameters: string) => read(`postgres://app:secret@db.example/mneme?${parameters}`)
const faultOf = (parameters: string) => addressFault(`postgres://app:secret@db.example/mneme?${parameters}`)

describe('the parts of an address', () => {
  test('are decoded', () => {
    expect(read('postgresql://a%40b:p%2F%23%3A:x@db.example:6432/my%20db')).toMatchObject({
      host: 'db.example',
      port: 6432,
      user: 'a@b',
      password: 'p/#::x',
      database: 'my db',
      ssl: false,
      applicationName: 'mneme',
      connectTimeoutSeconds: 5,
    })
  })

  test('may be a Unix socket, an IPv6 address, or left out', () => {
    const socket = { host: '/cloudsql/p:r:i', port: 5432, user: 'app', password: 'x', database: 'mneme', ssl: false }
    expect(read('postgres://app:x@/mneme?host=/cloudsql/p:r:i&sslmode=require')).toMatchObject(socket)
    expect(read('postgres://app:x@%2Fcloudsql%2Fp%3Ar%3Ai/mneme')).toMatchObject(socket)
    expect(read('postgres://app@[::1]:5433')).toMatchObject({ host: '::1', port: 5433, password: '', database: 'app' })
    expect(
      read('postgres:///x', { PGHOST: 'db.internal', PGPORT: '5433', PGUSER: 'me', PGPASSWORD: 'p' }),
    ).toMatchObject({ host: 'db.internal', port: 5433, user: 'me', password: 'p', database: 'x' })
  })

  test('go before the environment, which may ask for TLS', () => {
    const environment = { PGHOST: 'other', PGUSER: 'other', PGSSLMODE: 'require' }
    const { host, user, ssl } = read('postgres://app@db.example/mneme', environment)
    expect([host, user, ssl]).toEqual(['db.example', 'app', { rejectUnauthorized: false }])
    expect(read('postgres://app@db.example/mneme?sslmode=disable', environment).ssl).toBe(false)
    expect(read('postgres://app@db.example/mneme', { PGSSLMODE: 'prefer' }).ssl).toBe(false)
  })
})

describe('TLS', () => {
  test.each<[parameters: string, ssl: DatabaseAddress['ssl']]>([
    ['sslmode=disable', false],
    ['ssl=false', false],
    ['sslmode=require', { rejectUnauthorized: false }],
    ['sslmode=require&channel_binding=require', { rejectUnauthorized: false }],
    ['sslmode=no-verify', { rejectUnauthorized: false }],
    ['sslmode=verify-full', { rejectUnauthorized: true, host: 'db.example' }],
    ['ssl=true', { rejectUnauthorized: true, host: 'db.example' }],
    ['sslrootcert=system&sslmode=require', { rejectUnauthorized: true, host: 'db.example' }],
  ])('by %s', (parameters, ssl) => {
    expect(at(parameters).ssl).toEqual(ssl)
  })

  test('trusts the authority in sslrootcert alone, and asks for the name as the mode says', () => {
    const ca = expect.stringContaining('BEGIN CERTIFICATE')
    const root = `sslrootcert=${encodeURIComponent(authority)}`
    for (const parameters of [`${root}&sslmode=verify-full`, root])
      expect(at(parameters).ssl).toEqual({ ca, rejectUnauthorized: true, host: 'db.example' })
    for (const parameters of [`${root}&sslmode=verify-ca`, `${root}&sslmode=require`])
      expect(at(parameters).ssl).toEqual({ ca, rejectUnauthorized: true, checkServerIdentity: expect.any(Function) })
  })
})

describe('parameters', () => {
  test('name the application, the time to connect and settings of sessions, which go behind those of Mneme', () => {
    const address = at(
      'application_name=memories&connect_timeout=15&options=-c%20statement_timeout%3D9s%20-c%20jit%3Don',
    )
    expect(address).toMatchObject({ applicationName: 'memories', connectTimeoutSeconds: 15 })
    expect(address.options).toMatch(/^-c jit=off .* -c statement_timeout=9s -c jit=on$/)
  })

  test.each([
    'sslmode=require&channel_binding=require',
    'gssencmode=disable&krbsrvname=postgres&target_session_attrs=read-write',
    'keepalives=1&keepalives_idle=30&tcp_user_timeout=9',
    'schema=public&connection_limit=5&pool_timeout=0&pgbouncer=false&supa=base-pooler.x',
  ])('of other clients, or without use here, change nothing: %s', parameters => {
    const { ssl, ...rest } = at(parameters)
    expect(rest).toEqual(expect.objectContaining({ database: 'mneme', options: at('').options }))
    expect(Boolean(ssl)).toBe(parameters.includes('require'))
  })
})

describe('an address that cannot be used is refused in one sentence', () => {
  test.each([
    [
      'sslmode=prefer',
      'has a sslmode that cannot be used: it may be disable, require, verify-ca, verify-full, no-verify.',
    ],
    ['sslmode=verify-ca', 'has sslmode=verify-ca, which needs the file of the authority in sslrootcert.'],
    ['sslmode=verify-full&sslrootcert=/none/ca.pem', 'names a file in sslrootcert that cannot be read: /none/ca.pem.'],
    [`sslrootcert=${import.meta.path}`, 'names files whose certificates or key cannot be read.'],
    ['gssencmode=require', 'has a gssencmode that cannot be used: it may be disable, prefer.'],
    [
      'connect_timeout=soon',
      'has a connect_timeout that cannot be used: it may be a number of seconds from 1 to 9999.',
    ],
    ['host=a,b', 'has a host that cannot be used: it may be a single one.'],
    [
      'target_session_attrs=standby',
      'has a target_session_attrs that cannot be used: it may be any, read-write, primary, prefer-standby.',
    ],
    [
      'sslmod=require',
      'has the parameter sslmod, which Mneme does not know. Settings of sessions are written as options=-c%20name=value.',
    ],
    [
      'pgbouncer=true',
      'leads to a pooler of transactions, and Mneme needs sessions of its own: give the address of the database itself or of a pooler of sessions, without pgbouncer=true.',
    ],
    [
      'host=aws-0-eu-west-1.pooler.supabase.com&port=6543',
      'leads to a pooler of transactions, and Mneme needs sessions of its own: give the address of the database itself or of a pooler of sessions, which has port 5432.',
    ],
  ])('%s', (parameters, fault) => {
    expect(faultOf(parameters)).toBe(fault)
    expect(() => at(parameters)).toThrow(new AddressError(fault))
  })

  test('several hosts', () => {
    const fault = 'has a host that cannot be used: it may be a single one.'
    for (const hosts of ['a.example,b.example', 'a.example:5432,b.example:5433', 'a.example,b.example:5433'])
      expect(addressFault(`postgres://app:x@${hosts}/mneme`)).toBe(fault)
  })

  test.each([
    'postgres://app:a/b@db.example/x',
    'postgres://app:a#b@db.example/x',
    'postgres://app:1/b@db.example/x',
    'postgres://app:1?b@db.example/x',
    'postgres://app:100%@db.example/x',
    'postgres://app@db.example:port/x',
  ])('%s, without a word of the password', url => {
    expect(addressFault(url)).toStartWith('is no valid address')
  })
})
