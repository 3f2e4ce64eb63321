import type { Fragment, Tx } from '../../db/database.ts'

/** After so many wrong tries of one account from one place, that place is locked out until the window ends. */
const WRONG_MAX_HERE = 5
/**
 * One place may make so many wrong tries in a window across all accounts, so that nobody tries one password on all of
 * them. Accounts whose right password came from there are not locked with it: a whole office may share an address.
 */
const WRONG_MAX_OF_PLACE = 50
/** The largest number that the count of a place can hold. */
const WRONG_COUNTED_MAX = 2 ** 31 - 1
/** From so many wrong tries of one account in a window on, from anywhere, its tries are taken one after the other. */
const WRONG_MAX_ANYWHERE = 50
const WINDOW_MINUTES = 15
/** Seconds between two tries of an account that is under attack. */
const PACE_SECONDS = 2
/** So many tries of one account may wait for their turn, over all servers. */
const WAITING_MAX = 10
/** For so long, wrong tries of others do not hold up an account's tries from a place from which the right password came. */
const KNOWN_DAYS = 30

const LOCKED_LISTED_MAX = 10

/** Stands for all places in the count of an account, and for all accounts in that of a place. */
const ALL = '*'

/** One try of a password. */
export interface PasswordTry {
  /** The account's id, or a stand-in for an account that does not exist. */
  readonly subject: string
  /** The key or the address that the try comes from. */
  readonly place: string
}

/** With `lockedSeconds` the try is refused for so long; else it may be made after `waitSeconds`. */
export type Admission = { readonly lockedSeconds: number } | { readonly waitSeconds: number }

/**
 * Counts a try as wrong for the time being and says when it may be made. A window begins with its first wrong try. One
 * statement takes each count, so that concurrent tries cannot all pass.
 */
export async function admitTry(tx: Tx, { subject, place }: PasswordTry): Promise<Admission> {
  const here = { subject, place, max: WRONG_MAX_HERE }
  const atAnyAccount = { subject: ALL, place, max: WRONG_MAX_OF_PLACE }
  // Made-up accounts would leave a row each otherwise.
  const placeLockedSeconds = await lockedSeconds(tx, atAnyAccount, subject)
  if (placeLockedSeconds > 0) return { lockedSeconds: placeLockedSeconds }
  const counted = await countTry(tx, here)
  if (!counted) return { lockedSeconds: await secondsLeft(tx, here) }
  // A right try takes its own count back and nobody else's, so tries that a locked place lets through are counted, too.
  const atOpenPlace = { ...atAnyAccount, max: counted.isKnown ? WRONG_COUNTED_MAX : WRONG_MAX_OF_PLACE }
  if (!(await countTry(tx, atOpenPlace))) return { lockedSeconds: await secondsLeft(tx, atAnyAccount) }
  return takeTurn(tx, subject, counted.isKnown)
}

/** @returns undefined when there were too many; `isKnown`: the right password came from there before */
async function countTry(
  tx: Tx,
  { subject, place, max }: PasswordTry & { max: number },
): Promise<{ isKnown: boolean } | undefined> {
  const [counted] = await tx<{ is_known: boolean }[]>`
    insert into core.password_attempt (subject, place, wrong, window_ends_at)
    values (${subject}, ${place}, 1, now() + make_interval(mins => ${WINDOW_MINUTES}))
    on conflict (subject, place) do update
    set wrong = case when password_attempt.window_ends_at <= now() then 1 else password_attempt.wrong + 1 end,
      window_ends_at = case
        when password_attempt.window_ends_at <= now() or password_attempt.wrong = 0 then excluded.window_ends_at
        else password_attempt.window_ends_at
      end
    where password_attempt.window_ends_at <= now()
      or password_attempt.wrong < ${max}
    returning coalesce(password_attempt.right_at > now() - make_interval(days => ${KNOWN_DAYS}), false) as is_known`
  return counted && { isKnown: counted.is_known }
}

/** @returns 0 unless there were too many tries, and for an account that the place is known to */
async function lockedSeconds(tx: Tx, { subject, place, max }: PasswordTry & { max: number }, account: string) {
  const [row] = await tx<{ seconds: number }[]>`
    select ceil(extract(epoch from password_attempt.window_ends_at - now()))::int as seconds
    from core.password_attempt
    where password_attempt.subject = ${subject}
      and password_attempt.place = ${place}
      and password_attempt.wrong >= ${max}
      and not exists (
        select from core.password_attempt as known
        where known.subject = ${account}
          and known.place = ${place}
          and known.right_at > now() - make_interval(days => ${KNOWN_DAYS})
      )`
  return Math.max(0, row?.seconds ?? 0)
}

async function secondsLeft(tx: Tx, { subject, place }: PasswordTry): Promise<number> {
  const [row] = await tx<{ seconds: number }[]>`
    select ceil(extract(epoch from password_attempt.window_ends_at - now()))::int as seconds
    from core.password_attempt
    where password_attempt.subject = ${subject} and password_attempt.place = ${place}`
  return Math.max(1, row?.seconds ?? 1)
}

/**
 * Counts the try for its account. After too many wrong ones from anywhere, tries from unknown places take turns, and no
 * more of them wait than can be served soon.
 */
async function takeTurn(tx: Tx, subject: string, isKnown: boolean): Promise<Admission> {
  const [turn] = await tx<{ wait: number }[]>`
    insert into core.password_attempt as attempt (subject, place, wrong, window_ends_at, next_at)
    values (${subject}, ${ALL}, 1, now() + make_interval(mins => ${WINDOW_MINUTES}), now())
    on conflict (subject, place) do update
    set wrong = case when attempt.window_ends_at <= now() then 1 else attempt.wrong + 1 end,
      window_ends_at = case
        when attempt.window_ends_at <= now() or attempt.wrong = 0 then excluded.window_ends_at
        else attempt.window_ends_at
      end,
      next_at = case
        when attempt.window_ends_at <= now() or attempt.wrong < ${WRONG_MAX_ANYWHERE} then now()
        when ${isKnown}::bool then attempt.next_at
        else greatest(now(), attempt.next_at + make_interval(secs => ${PACE_SECONDS}))
      end
    where ${isKnown}::bool
      or attempt.window_ends_at <= now()
      or attempt.wrong < ${WRONG_MAX_ANYWHERE}
      or attempt.next_at <= now() + make_interval(secs => ${PACE_SECONDS * (WAITING_MAX - 1)})
    returning extract(epoch from attempt.next_at - now())::float8 as wait`
  if (!turn) return { lockedSeconds: PACE_SECONDS * WAITING_MAX }
  return { waitSeconds: isKnown ? 0 : Math.max(0, turn.wait) }
}

/**
 * Takes back a try that turned out right. Wrong ones before it still count: an attacker who guesses right may not reset
 * them.
 */
export async function forgiveTry(tx: Tx, { subject, place }: PasswordTry): Promise<void> {
  await uncountTry(
    tx,
    { subject, place },
    tx`case when password_attempt.subject = ${subject} and password_attempt.place = ${place} then now() end`,
  )
}

/** Takes back a try of which nobody knows whether it was right. */
export async function dropTry(tx: Tx, given: PasswordTry): Promise<void> {
  await uncountTry(tx, given, tx`password_attempt.right_at`)
}

async function uncountTry(tx: Tx, { subject, place }: PasswordTry, rightAt: Fragment): Promise<void> {
  await tx`
    update core.password_attempt
    set wrong = greatest(0, password_attempt.wrong - 1), right_at = ${rightAt}
    where (password_attempt.subject, password_attempt.place) in (
      (${subject}, ${place}), (${ALL}, ${place}), (${subject}, ${ALL})
    )`
}

/**
 * Forgets an account's wrong tries, and takes them back from the counts of the places that they came from. That the right
 * password came from a place stays known.
 */
export async function forgetTries(tx: Tx, subject: string): Promise<void> {
  await tx`
    update core.password_attempt as place
    set wrong = greatest(0, place.wrong - account.wrong)
    from core.password_attempt as account
    where account.subject = ${subject}
      and account.window_ends_at > now()
      and place.subject = ${ALL}
      and place.place = account.place`
  await tx`
    update core.password_attempt
    set wrong = 0, window_ends_at = now()
    where password_attempt.subject = ${subject}`
}

/** A place from which too many wrong tries at all accounts came. */
export interface LockedPlace {
  readonly place: string
  readonly seconds: number
}

/** Lists the places that are locked for every account, the one that stays so for longest first. */
export async function lockedPlaces(tx: Tx): Promise<LockedPlace[]> {
  return tx<LockedPlace[]>`
    select password_attempt.place, ceil(extract(epoch from password_attempt.window_ends_at - now()))::int as seconds
    from core.password_attempt
    where password_attempt.subject = ${ALL}
      and password_attempt.wrong >= ${WRONG_MAX_OF_PLACE}
      and password_attempt.window_ends_at > now()
    order by seconds desc, password_attempt.place
    limit ${LOCKED_LISTED_MAX}`
}

/** Removes counts whose window has ended. */
export async function sweepTries(tx: Tx): Promise<void> {
  await tx`
    delete from core.password_attempt
    where password_attempt.window_ends_at <= now()
      and coalesce(password_attempt.right_at < now() - make_interval(days => ${KNOWN_DAYS}), true)`
}
