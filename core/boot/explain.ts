import type { Environment } from '../config.ts'
import { isUnavailable } from '../db/database.ts'

/** One sentence for the operator about why a start failed. */
export function explainFailure(error: unknown, environment: Environment): string {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  if (code === 'EADDRINUSE' || /EADDRINUSE|address already in use|port \d+ in use/i.test(message)) {
    return `Mneme cannot start: port ${environment.PORT ?? 3000} is in use. Stop what uses it or set PORT.`
  }
  if (isUnavailable(error)) {
    return `Mneme cannot start: the database at ${hostOf(environment.DATABASE_URL)} cannot be reached. Check DATABASE_URL and that it runs.`
  }
  return `Mneme cannot start: ${message}`
}

function hostOf(url: string | undefined): string {
  if (!url) return 'DATA_DIR'
  try {
    return new URL(url).host
  } catch {
    return 'DATABASE_URL'
  }
}
