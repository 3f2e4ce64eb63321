export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** For so long a response is sent again under its Idempotency-Key instead of running the request. */
export const RESPONSE_KEPT_HOURS = 24
