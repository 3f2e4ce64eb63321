import { storableText } from './storable-text.ts'

/** Returns the message of an error, and anything else that was thrown as a text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** Says to users why work was given up. Messages of the database are replaced, because they can quote statements and rows. */
export function failureReason(work: string, attempts: number, error: Error): string {
  const reason = error.name === 'PostgresError' ? 'the result could not be stored' : error.message
  return storableText(`${work} failed after ${attempts} attempts: ${reason}`, REASON_MAX)
}

const REASON_MAX = 500
