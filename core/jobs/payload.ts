import type { TSchema } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

export type PayloadReading = { valid: true; value: unknown } | { valid: false; faults: string[] }

/** Schemas are compiled once. Cron jobs carry a `_cron` field of graphile-worker's, which tasks need not declare. */
export function payloadReader(schema: TSchema): (given: unknown) => PayloadReading {
  const compiled = TypeCompiler.Compile(schema)
  return given => {
    const value = withoutCron(given)
    if (compiled.Check(value)) return { valid: true, value }
    return { valid: false, faults: [...compiled.Errors(value)].map(error => error.path).slice(0, 10) }
  }
}

function withoutCron(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('_cron' in payload)) return payload
  const { _cron, ...rest } = payload
  return rest
}
