import { describe, expect, test } from 'bun:test'
import { fail } from '../errors.ts'
import { explainFailure, StartError } from './explain.ts'

const SERVER = { DATABASE_URL: 'postgres://app:S3CRET@db.internal:5432/mneme' }

/** Makes an error as a driver does, wrapped as the kernel wraps it. */
function databaseError(code: string, message: string): Error {
  const error = Object.assign(new Error(message), { code })
  return fail('SERVICE_UNAVAILABLE', { cause: error })
}

describe('what stopped a start is said in one sentence', () => {
  const cases: [what: string, error: unknown, environment: Record<string, string>, sentence: string][] = [
    [
      'a database that is not there',
      databaseError('3D000', 'database "mneme" does not exist'),
      SERVER,
      'the database at db.internal:5432 refuses: database "mneme" does not exist. Check DATABASE_URL.',
    ],
    [
      'another password',
      databaseError('28P01', 'password authentication failed for user "app"'),
      SERVER,
      'the database at db.internal:5432 refuses: password authentication failed for user "app". Check DATABASE_URL.',
    ],
    [
      'an address the database does not let in',
      databaseError('28000', 'no pg_hba.conf entry for host "10.0.0.9"'),
      SERVER,
      'the database at db.internal:5432 refuses: no pg_hba.conf entry for host "10.0.0.9". Check DATABASE_URL.',
    ],
    [
      'a connection pooler that takes no settings',
      Object.assign(new Error('unsupported startup parameter: tcp_keepalives_idle'), { code: '08P01' }),
      SERVER,
      'the connection pooler at db.internal:5432 refuses the settings of sessions: unsupported startup parameter: tcp_keepalives_idle. docs/operating.md has its settings.',
    ],
    [
      'a certificate that nobody vouches for',
      Object.assign(new Error('self-signed certificate in certificate chain'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' }),
      SERVER,
      'the certificate of the database at db.internal:5432 is not accepted: self-signed certificate in certificate chain. Check sslmode and sslrootcert in DATABASE_URL.',
    ],
    [
      'a database without TLS',
      new Error('The server does not support SSL connections'),
      SERVER,
      'the database at db.internal:5432 offers no TLS, which sslmode in DATABASE_URL asks for.',
    ],
    [
      'a missing right',
      databaseError('42501', 'permission denied to create role'),
      SERVER,
      'the role in DATABASE_URL lacks a right: permission denied to create role. The README says which ones it needs.',
    ],
    [
      "a full disk of the database's",
      databaseError('53100', 'could not extend file'),
      SERVER,
      'the disk of the database at db.internal:5432 is full. Make room there.',
    ],
    [
      'a database that does not answer',
      databaseError('ECONNREFUSED', 'connect ECONNREFUSED'),
      SERVER,
      'the database at db.internal:5432 cannot be reached. Check DATABASE_URL and that it runs.',
    ],
    [
      'a database whose address names no host',
      databaseError('ECONNREFUSED', 'connect ECONNREFUSED'),
      { DATABASE_URL: 'postgres:///x' },
      'the database at localhost (DATABASE_URL names no host) cannot be reached. Check DATABASE_URL and that it runs.',
    ],
    [
      'a full disk under the embedded database, as its thread tells',
      new Error("The embedded database failed: ENOSPC: no space left on device, copyfile 'a' -> 'b'"),
      { DATA_DIR: '/data' },
      'the disk that DATA_DIR (/data) lies on is full. Make room, or set DATA_DIR to another place.',
    ],
    ['a sentence that is there already', new StartError('it is Monday.'), {}, 'it is Monday.'],
  ]
  for (const [what, error, environment, sentence] of cases) {
    test(what, () => expect(explainFailure(error, environment)).toBe(`Mneme cannot start: ${sentence}`))
  }
})
