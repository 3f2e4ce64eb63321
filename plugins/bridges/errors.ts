import { AppError, type ErrorBody, type ErrorRegistry, failWith, type RelayedResponse } from 'mneme/plugin'
import type { BatchResult } from './service.ts'

export const bridgeErrors = {
  BRIDGE_UNSUPPORTED: { status: 501, message: 'Mneme has no counterpart for this.' },
  BRIDGE_OFF: { status: 404, message: 'This bridge is switched off on this server.' },
} as const satisfies ErrorRegistry

export const failBridge = failWith(bridgeErrors)

/** A call, or a part of one, that has no counterpart here. @param sentence tells the caller what to do instead */
export function unsupported(sentence: string): AppError {
  return failBridge('BRIDGE_UNSUPPORTED', { message: sentence })
}

/** Passes on why an operation of the service refused what a bridge asked of it. */
export function relayedFailure({ body, retryAfterSeconds }: RelayedResponse): AppError {
  // The kernel makes the body of every failure in this shape.
  const { status_code: status, error_code: code, message, details } = body as ErrorBody
  return new AppError(
    code,
    { status, message },
    { ...(details ? { details } : {}), ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
  )
}

/** Passes on why one item of a batch was refused, for a call that has no place for the failures of single items. */
export function itemFailure({ status, error }: Extract<BatchResult, { readonly error: unknown }>): AppError {
  return new AppError(error.error_code, { status, message: error.message })
}
