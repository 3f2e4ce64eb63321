import { parseCronItem } from 'graphile-worker'

/** Says why a schedule cannot be kept; undefined when it can. */
export function cronFault(schedule: string): string | undefined {
  try {
    parseCronItem({ match: schedule, task: 'x' })
    return undefined
  } catch {
    return 'is not a cron expression of five fields (minute, hour, day, month, weekday, in UTC), e.g. 17 3 * * *'
  }
}
