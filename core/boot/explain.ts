import { lacksRoom } from 'served-pglite'
import type { Environment } from '../config.ts'
import { isUnavailable } from '../db/database.ts'
import { messageOf } from '../failure-reason.ts'

/** A start that cannot go on, with the sentence for the operator as its message. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Says in one sentence for the operator why a start failed. */
export function explainFailure(error: unknown, environment: Environment): string {
  return `Mneme cannot start: ${reasonOf(error, environment)}`
}

function reasonOf(error: unknown, environment: Environment): string {
  if (error instanceof StartError) return error.message
  const codes = codesOf(error)
  const message = messageOf(error)
  if (codes.has('53100') || codes.has('ENOSPC')) return diskFull(environment)
  // These come before the question whether the database is away: it did reply, and waiting does not change that.
  const refused = answerOf(error, REFUSALS)
  if (refused) return `the database at ${hostOf(environment)} refuses: ${refused}. Check DATABASE_URL.`
  if (chainOf(error).some(link => link.message.includes('unsupported startup parameter'))) {
    return `the connection pooler at ${hostOf(environment)} refuses the settings of sessions: ${message}. docs/operating.md has its settings.`
  }
  const faulty = tlsFault(error, hostOf(environment))
  if (faulty) return faulty
  const denied = answerOf(error, new Set(['42501']))
  if (denied) return `the role in DATABASE_URL lacks a right: ${denied}. The README says which ones it needs.`
  if (!environment.DATABASE_URL && (isUnavailable(error) || message.startsWith('The embedded database failed'))) {
    return embeddedAway(environment, message)
  }
  if (isUnavailable(error)) {
    return `the database at ${hostOf(environment)} cannot be reached. Check DATABASE_URL and that it runs.`
  }
  return message
}

/**
 * Lists the codes of an error, its causes and its parts, and those that a message begins with, as the worker thread
 * passes them on.
 */
function codesOf(error: unknown): Set<string> {
  const codes = new Set<string>()
  for (const link of chainOf(error)) {
    const code = Reflect.get(link, 'code')
    if (typeof code === 'string') codes.add(code)
    const named = /(?:^|: )(E[A-Z]{3,15}): /.exec(link.message)?.[1]
    if (named) codes.add(named)
  }
  return codes
}

/** Postgres reports so that there is no such database, no such role or not from this address, or another password. */
const REFUSALS = new Set(['3D000', '28000', '28P01'])

/** Returns the database's own words, when its error has one of these SQLSTATEs. */
function answerOf(error: unknown, states: ReadonlySet<string>): string | undefined {
  for (const link of chainOf(error)) {
    const code = Reflect.get(link, 'code')
    if (typeof code === 'string' && states.has(code)) return link.message.replace(/\s+/g, ' ')
  }
  return undefined
}

/** Both runtimes name what is wrong with a certificate by the codes of OpenSSL and of their own check of names. */
const CERTIFICATE_CODE = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH)/

function tlsFault(error: unknown, host: string): string | undefined {
  for (const link of chainOf(error)) {
    if (CERTIFICATE_CODE.test(String(Reflect.get(link, 'code')))) {
      return `the certificate of the database at ${host} is not accepted: ${link.message}. Check sslmode and sslrootcert in DATABASE_URL.`
    }
    // This is how node-postgres says it, which connects first.
    if (link.message === 'The server does not support SSL connections') {
      return `the database at ${host} offers no TLS, which sslmode in DATABASE_URL asks for.`
    }
  }
  return undefined
}

function chainOf(error: unknown): Error[] {
  const chain: Error[] = []
  for (let link = error; link instanceof Error && chain.length < 5; link = link.cause) chain.push(link)
  return chain
}

function diskFull(environment: Environment): string {
  const { DATABASE_URL, DATA_DIR = '.data' } = environment
  return DATABASE_URL
    ? `the disk of the database at ${hostOf(environment)} is full. Make room there.`
    : `the disk that DATA_DIR (${DATA_DIR}) lies on is full. Make room, or set DATA_DIR to another place.`
}

/** The backend ends without a word to its clients when its log finds no room, so the disk is asked. */
function embeddedAway(environment: Environment, message: string): string {
  const { DATA_DIR = '.data' } = environment
  if (lacksRoom(DATA_DIR)) return diskFull(environment)
  return `the embedded database in DATA_DIR (${DATA_DIR}) does not answer: ${message}`
}

/** An address without a host means the one that the drivers take then. */
function hostOf({ DATABASE_URL = '', PGHOST = 'localhost' }: Environment): string {
  try {
    return new URL(DATABASE_URL).host || `${PGHOST} (DATABASE_URL names no host)`
  } catch {
    return 'DATABASE_URL'
  }
}
