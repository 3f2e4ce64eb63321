/** A date that a model states, as `2021`, `2021-03` or `2021-03-05`; null for what is none. */
export function isoDate(date: string | null): string | null {
  const isDate = date !== null && /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d\d)?)?$/.test(date)
  if (!isDate || Number.isNaN(Date.parse(date))) return null
  // Some engines take the 31st of February for a day of March.
  return new Date(date).toISOString().startsWith(date) ? date : null
}
