import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { type ConnectionOptions, createSecureContext } from 'node:tls'
import { SESSION_SETTINGS } from './session-settings.ts'

/** Says how to connect to a Postgres. Both drivers are given it, so that an address means the same to them. */
export interface DatabaseAddress {
  /** Begins with a slash where it is the folder of a Unix socket. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** False leaves the connection unencrypted. */
  readonly ssl: false | ConnectionOptions
  readonly applicationName: string
  readonly connectTimeoutSeconds: number
  /** Sessions begin with these settings, written as `postgres` takes them on its command line. */
  readonly options: string
}

/** An address that cannot be used. */
export class AddressError extends Error {
  override readonly name = 'AddressError'

  /** @param fault goes on behind the name of the setting, and shows no secrets */
  constructor(
    readonly fault: string,
    cause?: unknown,
  ) {
    super(`the address of the database ${fault}`, { cause })
  }
}

type Given = ReadonlyMap<string, string>
type Environment = Readonly<Record<string, string | undefined>>

/** The variables of libpq stand in for what an address leaves out. */
const VARIABLES: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslmode: 'PGSSLMODE',
}

/** Reads an address of a database, and the files with certificates that it names. Throws {@link AddressError}. */
export function readAddress(url: string, environment: Environment = process.env): DatabaseAddress {
  const given = new Map([...fromEnvironment(environment), ...fromUrl(url)])
  checkParameters(given)
  const host = given.get('host')?.replace(/^\[(.*)\]$/, '$1') ?? 'localhost'
  const port = Number(given.get('port') ?? 5432)
  refuseSharedSessions(host, port, given)
  const user = given.get('user') ?? userInfo().username
  const extra = given.get('options')
  return {
    host,
    port,
    user,
    password: given.get('password') ?? '',
    database: given.get('dbname') ?? user,
    ssl: host.startsWith('/') ? false : tlsOf(host, given),
    applicationName: given.get('application_name') ?? 'mneme',
    connectTimeoutSeconds: Number(given.get('connect_timeout') ?? 5),
    options: [...OPTIONS, ...(extra ? [extra] : [])].join(' '),
  }
}

/** Says why an address cannot be used, in words that go on behind the name of its setting; undefined where it can. */
export function addressFault(url: string): string | undefined {
  try {
    readAddress(url)
    return undefined
  } catch (error) {
    if (error instanceof AddressError) return error.fault
    throw error
  }
}

const OPTIONS = Object.entries(SESSION_SETTINGS).map(([name, value]) => `-c ${name}=${value}`)

function fromEnvironment(environment: Environment): [string, string][] {
  return Object.entries(VARIABLES).flatMap(([name, variable]) => {
    const value = environment[variable]
    // These modes leave it to the server, so they ask for nothing.
    const asks = value && !(name === 'sslmode' && /^(allow|prefer)$/.test(value))
    return asks ? [[name, value]] : []
  })
}

const ADDRESS =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^/?#:]*)(?::(?<password>[^/?#]*))?@)?(?<host>\[[^\]]*\]|[^/?#@]*,[^/?#@]*|[^/?#@:]*)(?::(?<port>\d*))?(?:\/(?<dbname>[^/?#@]*))?(?:\?(?<rest>[^#]*))?$/

const UNREADABLE = 'is no valid address: write / # ? @ and % in a user name or password as %2F %23 %3F %40 and %25.'

/** Parts and parameters by the names that libpq has for them; empty ones count as left out. */
function fromUrl(url: string): [string, string][] {
  const { rest = '', ...parts } = ADDRESS.exec(url.trim())?.groups ?? unreadable()
  const named = Object.entries(parts).map(([name, text = '']): [string, string] => [name, decoded(text)])
  const parameters = [...new URLSearchParams(rest)].map(([name, value]): [string, string] => {
    // A name with other characters may be a part of a password.
    if (!/^\w{1,40}$/.test(name)) unreadable()
    return name === 'ssl' ? ['sslmode', SSL_WORDS[value] ?? value] : [name, value]
  })
  return [...named, ...parameters].filter(([, value]) => value !== '')
}

/** Clients of JavaScript write `ssl=true` and its like. */
const SSL_WORDS: Readonly<Record<string, string>> = {
  true: 'verify-full',
  1: 'verify-full',
  false: 'disable',
  0: 'disable',
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return unreadable()
  }
}

function unreadable(): never {
  throw new AddressError(UNREADABLE)
}

/** Parameters whose values only the server or a file can judge. */
const USED = 'user password dbname options application_name sslrootcert sslcert sslkey sslpassword'.split(' ')

/** Parameters that change nothing: they are meant for other clients, or ask for what the drivers cannot do and connections need not have. */
const WITHOUT_EFFECT = [
  ...'channel_binding client_encoding fallback_application_name gssdelegation gsslib krbsrvname'.split(' '),
  ...'keepalives keepalives_count keepalives_idle keepalives_interval tcp_user_timeout'.split(' '),
  ...'load_balance_hosts sslcertmode sslcompression sslsni uselibpqcompat'.split(' '),
  ...'connection_limit pool_timeout schema sslaccept statement_cache_size supa'.split(' '),
]

const KNOWN: ReadonlySet<string> = new Set([...USED, ...WITHOUT_EFFECT])

/** Parameters that may have some values only. */
const LIMITED: ReadonlyMap<string, { readonly pattern: RegExp; readonly values: string }> = new Map([
  ['host', { pattern: /^[^,]+$/, values: 'a single one' }],
  ['port', { pattern: /^[1-9]\d{0,4}$/, values: 'a single number from 1 to 65535' }],
  ['connect_timeout', { pattern: /^[1-9]\d{0,3}$/, values: 'a number of seconds from 1 to 9999' }],
  ['sslmode', oneOf('disable', 'require', 'verify-ca', 'verify-full', 'no-verify')],
  ['sslnegotiation', oneOf('postgres')],
  ['gssencmode', oneOf('disable', 'prefer')],
  ['target_session_attrs', oneOf('any', 'read-write', 'primary', 'prefer-standby')],
  ['pgbouncer', oneOf('true', 'false')],
])

function oneOf(...values: string[]) {
  return { pattern: new RegExp(`^(${values.join('|')})$`), values: values.join(', ') }
}

function checkParameters(given: Given): void {
  for (const [name, value] of given) {
    const limited = LIMITED.get(name)
    if (limited && !limited.pattern.test(value)) {
      throw new AddressError(`has a ${name} that cannot be used: it may be ${limited.values}.`)
    }
    if (!limited && !KNOWN.has(name)) {
      throw new AddressError(
        `has the parameter ${name}, which Mneme does not know. Settings of sessions are written as options=-c%20name=value.`,
      )
    }
  }
}

/** Where Supabase's pooler listens whose sessions last for one transaction. */
const SUPABASE_PORT = 6543

function refuseSharedSessions(host: string, port: number, given: Given): void {
  const isSupabase = port === SUPABASE_PORT && /\.supabase\.(co|com)$/.test(host)
  if (!isSupabase && given.get('pgbouncer') !== 'true') return
  throw new AddressError(
    `leads to a pooler of transactions, and Mneme needs sessions of its own: give the address of the database itself or of a pooler of sessions${isSupabase ? ', which has port 5432' : ', without pgbouncer=true'}.`,
  )
}

/** The modes mean the same as to libpq. */
function tlsOf(host: string, given: Given): false | ConnectionOptions {
  const root = given.get('sslrootcert')
  const ofSystem = root === 'system'
  const mode = ofSystem ? 'verify-full' : (given.get('sslmode') ?? (root ? 'verify-full' : 'disable'))
  if (mode === 'disable') return false
  const files = {
    ...(ofSystem ? {} : pem('ca', 'sslrootcert', given)),
    ...pem('cert', 'sslcert', given),
    ...pem('key', 'sslkey', given),
    ...(given.has('sslpassword') ? { passphrase: given.get('sslpassword') } : {}),
  }
  if (Object.keys(files).length > 0) checkCertificates(files)
  if (mode === 'verify-full') return { ...files, rejectUnauthorized: true, host }
  if (mode === 'no-verify') return { ...files, rejectUnauthorized: false }
  if ('ca' in files) return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined }
  if (mode === 'require') return { ...files, rejectUnauthorized: false }
  // Anyone gets a certificate from an authority that everybody trusts.
  throw new AddressError('has sslmode=verify-ca, which needs the file of the authority in sslrootcert.')
}

function pem(
  option: 'ca' | 'cert' | 'key',
  name: string,
  given: Given,
): Partial<Record<'ca' | 'cert' | 'key', string>> {
  const path = given.get(name)
  if (path === undefined) return {}
  try {
    return { [option]: readFileSync(path, 'utf8') }
  } catch (error) {
    throw new AddressError(`names a file in ${name} that cannot be read: ${path}.`, error)
  }
}

function checkCertificates(files: ConnectionOptions): void {
  try {
    createSecureContext(files)
  } catch (error) {
    throw new AddressError('names files whose certificates or key cannot be read.', error)
  }
}
