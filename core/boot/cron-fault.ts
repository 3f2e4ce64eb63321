import { parseCronItem } from 'graphile-worker'
import { payloadReader } from '../jobs/payload.ts'
import type { CronEntry, Task } from '../jobs/task.ts'

/**
 * Says why an entry cannot be kept; undefined when it can.
 * @param tasks those of its plugin
 */
export function cronFault({ schedule, task }: CronEntry, tasks: readonly Task[]): string | undefined {
  if (!isSchedule(schedule))
    return 'is not a cron expression of five fields (minute, hour, day, month, weekday, in UTC), e.g. 17 3 * * *'
  const payload = tasks.find(({ name }) => name === task)?.payload
  const reading = payload && payloadReader(payload)({})
  if (!reading || reading.valid) return undefined
  return `gives its jobs the payload {}, which the task does not take: ${reading.faults.join(', ')}`
}

function isSchedule(schedule: string): boolean {
  try {
    parseCronItem({ match: schedule, task: 'x' })
    return true
  } catch {
    return false
  }
}
