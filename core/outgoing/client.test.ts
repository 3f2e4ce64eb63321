import { describe, test } from 'bun:test'
import { clientCases } from './cases/all.test-support.ts'
import { runCase } from './cases/case.test-support.ts'
import { refusesHostileAddresses } from './hostile-addresses.conformance.ts'
import { clientSubject } from './hostile-addresses.test-support.ts'

describe('the client', () => {
  for (const own of clientCases) test(own.name, () => runCase(own))
})

refusesHostileAddresses('the client that follows redirects', true, internet => clientSubject(internet, 5))
refusesHostileAddresses('the client that follows none', false, internet => clientSubject(internet, 0))
