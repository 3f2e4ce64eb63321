import { Type } from '@sinclair/typebox'
import { DAY_MS } from 'mneme/plugin'

export const memoriesConfig = Type.Object({
  TASK_TTL: Type.String({
    default: '7d',
    pattern: '^[1-9]\\d{0,8}[smhd]?$',
    errorMessage: 'must be a number of seconds, or a number with a unit, as 90m, 12h or 7d',
    description:
      'How long a TASK memory without `expires_at` lives: a number of seconds, or with a unit, as 90m, 12h or 7d. A workspace may set its own.',
  }),
})

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Longer durations are cut to a hundred years, so that every expiry is a valid date. */
const TTL_MS_MAX = 100 * 365.25 * DAY_MS

/** Parses `90m`, `12h`, `7d` or `604800` (seconds) into milliseconds, at most a hundred years. */
export function parseDuration(duration: string): number {
  const unit = duration.at(-1) ?? ''
  const factor = UNIT_MS[unit]
  const amount = Number(factor === undefined ? duration : duration.slice(0, -1))
  return Math.min(TTL_MS_MAX, amount * (factor ?? 1000))
}
