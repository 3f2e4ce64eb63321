import type { RouteCheck } from 'mneme/plugin'
import { type PeriodQuery, periodFaults } from './figures/period.ts'

/** Rules on a period that schemas cannot express. The clock may have a part in them, because no GET is kept for repetitions. */
export const periodChecks: readonly RouteCheck<unknown, PeriodQuery, unknown>[] = [
  { fields: ['start_date', 'end_date', 'timezone'], faults: ({ query }) => periodFaults(query, new Date()) },
]
