import { expect, test } from 'bun:test'
import { OutgoingError, toOutgoingError } from '../outgoing/outgoing-error.ts'
import { isContended, isLoginRefused, isUnavailable } from './database.ts'

const CODES = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH']
const socketError = (code: string) => Object.assign(new Error(`connect ${code}`), { code })

test('a connection that the database refused, or lost, says that it is away, also as the cause of another error', () => {
  for (const code of CODES) {
    expect(isUnavailable(socketError(code))).toBe(true)
    expect(isUnavailable(new Error('the job failed', { cause: socketError(code) }))).toBe(true)
  }
})

test('a login that the database refuses says that it is away, also as the cause of another error', () => {
  for (const code of ['28P01', '28000']) {
    const refused = Object.assign(new Error('password authentication failed'), { code })
    for (const error of [refused, new Error('the job failed', { cause: refused })])
      expect([isLoginRefused(error), isUnavailable(error)]).toEqual([true, true])
  }
  expect(isLoginRefused(socketError('ECONNREFUSED'))).toBe(false)
})

test("a request to a user's host that is away says nothing of the database, also as the cause of another error", () => {
  for (const code of CODES) {
    const failures = [
      toOutgoingError(socketError(code), 'shop.example'),
      new OutgoingError('DNS_FAILED', 'The host name could not be resolved.', { cause: socketError(code) }),
    ]
    for (const failure of failures) {
      expect(isUnavailable(failure)).toBe(false)
      expect(isUnavailable(new Error('the page cannot be had', { cause: failure }))).toBe(false)
    }
  }
})

test('what lost to others or took too long is told from a database that is away, also as the cause of another error', () => {
  for (const code of ['40001', '40P01', '55P03', '57014']) {
    const error = new Error('not done', { cause: Object.assign(new Error('lost'), { code }) })
    expect([isContended(error), isUnavailable(error)]).toEqual([true, false])
  }
  expect(isContended(socketError('ECONNREFUSED'))).toBe(false)
  expect(isContended(Object.assign(new Error('twice'), { code: '23505' }))).toBe(false)
})
