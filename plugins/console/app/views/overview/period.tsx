import { Field } from '../../forms.tsx'

/** Days begin where the reader is. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const PERIODS = { 7: 'Last 7 days', 30: 'Last 30 days', 90: 'Last 90 days', 365: 'Last 365 days' }

/** The first instant of a day in the reader's zone, so many days from today. */
export function midnight(offset: number): Date {
  const now = new Date()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + offset)
}

/** The parameters of the API for the last days, whole ones of the reader and today. */
export const periodOf = (days: number) => ({ start_date: midnight(1 - days).toISOString(), timezone: ZONE })

/** The days of the period that the address names; 30 where it names none that can be chosen. */
export const daysOf = ({ days }: Readonly<Record<string, string>>) => Number(days && days in PERIODS ? days : '30')

/** Lets the period be chosen; the address keeps it. */
export const PeriodField = ({ days, set }: { days: number; set: (changes: { days: string }) => void }) => (
  <Field label="Period" name="days" options={PERIODS} value={String(days)} onValue={value => set({ days: value })} />
)
