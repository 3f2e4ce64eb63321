/**
 * Tests what the code expects of its database, as clients see it. It runs on the embedded one, and on a native server when
 * TEST_DATABASE_URL names one (as a superuser).
 *
 * Left out because the embedded database cannot do it (see packages/embedded-postgres/README.md): cancelling a statement,
 * `statement_timeout`, and session state of one's own (SET, temporary tables, session advisory locks).
 */
import { afterAll, beforeAll, describe } from 'bun:test'
import { copySuite } from './suites/copy.ts'
import { jobSuite } from './suites/jobs.ts'
import { notificationSuite } from './suites/notifications.ts'
import { roleSuite } from './suites/roles.ts'
import { statementSuite } from './suites/statements.ts'
import { transactionSuite } from './suites/transactions.ts'
import { vectorSuite } from './suites/vectors.ts'
import { embeddedTarget, nativeTarget, type Target } from './target.ts'

const nativeUrl = process.env.TEST_DATABASE_URL
const targets: [string, () => Promise<Target>][] = [['the embedded database', embeddedTarget]]
if (nativeUrl !== undefined && nativeUrl !== '') targets.push(['native Postgres', () => nativeTarget(nativeUrl)])

for (const [name, start] of targets) {
  describe(name, () => {
    let target: Target | undefined
    beforeAll(async () => {
      target = await start()
    })
    afterAll(() => target?.stop())
    const url = () => {
      if (target === undefined) throw new Error('the database did not start')
      return target.url
    }
    describe('transactions', () => transactionSuite(url))
    describe('statements', () => statementSuite(url))
    describe('notifications', () => notificationSuite(url))
    describe('copy', () => copySuite(url))
    describe('roles and row-level security', () => roleSuite(url))
    describe('vectors', () => vectorSuite(url))
    describe('jobs', () => jobSuite(url))
  })
}
