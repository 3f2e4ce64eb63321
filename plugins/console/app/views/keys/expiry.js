/** The day of an instant in the reader's own zone, as a field for dates has it. */
export function dayOf(instant) {
  if (!instant) return ''
  const date = new Date(instant)
  const two = number => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The last moment of a day in the reader's own zone; null where no day is given. */
export function endOf(day) {
  return day === '' ? null : new Date(`${day}T23:59:59`).toISOString()
}
