/** A login is refused, as while its password is changed. */
const LOGIN_REFUSED: ReadonlySet<string> = new Set(['28000', '28P01'])

const DISK_FULL: ReadonlySet<string> = new Set(['53100'])

/** Connection failures, as postgres.js and Postgres name them; all mean "try again shortly". */
const UNAVAILABLE = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '25006', // read-only: a standby after a failover
  '3D000', // the database is gone for the moment, e.g. while it is restored
  '53200', // out of memory
  '55000', // not accepting connections
  '58030', // I/O error
  '53300', // too many connections
  '57P01', // terminated by an administrator
  '57P02', // crash of another backend
  '57P03', // cannot connect now: starting up
  '25P03', // idle-in-transaction limit
  '08001',
  '08004',
  '08006',
  '08003',
  ...LOGIN_REFUSED,
  ...DISK_FULL,
])

/** Others held what a transaction needed, or it took longer than it may. */
const CONTENDED = new Set([
  '40001', // serialisation failure
  '40P01', // deadlock
  '55P03', // a lock was not to be had in time
  '57014', // cancelled, by the limit of statements or by an administrator
])

/**
 * Tells whether an error, or one of its causes, says that the database is away. What a request to a user's URL met on its way is no such
 * cause, although sockets give the same codes: it says that the user's host is away.
 */
export function isUnavailable(error: unknown): boolean {
  return hasCode(error, UNAVAILABLE)
}

/** Tells whether an error, or one of its causes, says that the database has no room on its disk. */
export function isDiskFull(error: unknown): boolean {
  return hasCode(error, DISK_FULL)
}

/** Tells whether an error, or one of its causes, says that the database refused the login: it is away for whom it let in before. */
export function isLoginRefused(error: unknown): boolean {
  return hasCode(error, LOGIN_REFUSED)
}

/**
 * Tells whether an error, or one of its causes, says that a transaction lost to others or took too long. It most likely passes, but what
 * the work is about may be the cause as well: wait for it as for an outage, and not without end.
 */
export function isContended(error: unknown): boolean {
  return hasCode(error, CONTENDED)
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    if (current.name === 'OutgoingError') return false
    const code = Reflect.get(current, 'code')
    if (typeof code === 'string' && codes.has(code)) return true
  }
  return false
}
