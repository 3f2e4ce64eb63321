import { readTime } from 'text-reader/facts'

/** A date that a model states, as `2021`, `2021-03` or `2021-03-05`; null for what is none. */
export function isoDate(date: string | null): string | null {
  return date !== null && /^[\d-]+$/.test(date) && readTime(date) ? date : null
}
