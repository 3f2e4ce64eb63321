import { bodyCases } from './bodies.test-support.ts'
import type { ClientCase } from './case.test-support.ts'
import { limitCases } from './limits.test-support.ts'
import { redirectCases } from './redirects.test-support.ts'
import { requestCases } from './requests.test-support.ts'
import { tlsCases } from './tls.test-support.ts'
import { turnCases } from './turns.test-support.ts'

export const clientCases: readonly ClientCase[] = [
  ...requestCases,
  ...redirectCases,
  ...bodyCases,
  ...limitCases,
  ...tlsCases,
  ...turnCases,
]
