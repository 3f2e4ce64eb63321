import type { Tx } from '../../db/database.ts'

/** Wrong tries in a window that lock the caller out until the window is over. */
const WRONG_TRIES_MAX = 5
const WINDOW_MINUTES = 15

export interface Lock {
  readonly secondsLeft: number
}

/**
 * Counts a try as wrong for the time being, or says how long the caller is locked out. The window begins with the first
 * wrong try. One statement decides, so that tries at once cannot all pass.
 */
export async function admitTry(tx: Tx, caller: string): Promise<Lock | undefined> {
  const admitted = await tx`
    insert into core.password_attempt (caller, wrong, window_ends_at)
    values (${caller}, 1, now() + make_interval(mins => ${WINDOW_MINUTES}))
    on conflict (caller) do update
    set wrong = case when password_attempt.window_ends_at <= now() then 1 else password_attempt.wrong + 1 end,
      window_ends_at = case
        when password_attempt.window_ends_at <= now() or password_attempt.wrong = 0 then excluded.window_ends_at
        else password_attempt.window_ends_at
      end
    where password_attempt.window_ends_at <= now()
      or password_attempt.wrong < ${WRONG_TRIES_MAX}
    returning 1`
  if (admitted.length > 0) return undefined
  const [row] = await tx<{ seconds: number }[]>`
    select ceil(extract(epoch from password_attempt.window_ends_at - now()))::int as seconds
    from core.password_attempt
    where password_attempt.caller = ${caller}`
  return { secondsLeft: Math.max(1, row?.seconds ?? 1) }
}

/** Takes a try back that turned out right. Wrong ones before it still count: a lucky key holder may not reset them. */
export async function forgiveTry(tx: Tx, caller: string): Promise<void> {
  await tx`
    update core.password_attempt
    set wrong = greatest(0, password_attempt.wrong - 1)
    where password_attempt.caller = ${caller}`
}

export async function sweepTries(tx: Tx): Promise<void> {
  await tx`delete from core.password_attempt where password_attempt.window_ends_at <= now()`
}
