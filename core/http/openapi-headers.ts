/** Describes the headers of responses, by their names in `components`. */
export const HEADERS = {
  'X-Request-Id': {
    description: "The request's id, for questions about it: the caller's own `X-Request-Id`, if it sent a sane one.",
    schema: { type: 'string' },
    example: '5b0c2f6e-6d0f-4f0a-9a51-0c6b6d1f5a11',
  },
  'RateLimit-Limit': {
    description: 'Requests that the key may send in a minute. Absent where rate limits are off.',
    schema: { type: 'integer', minimum: 1 },
    example: 6000,
  },
  'RateLimit-Remaining': {
    description: 'How many of them are left.',
    schema: { type: 'integer', minimum: 0 },
    example: 5999,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the next window begins.',
    schema: { type: 'integer', minimum: 1 },
    example: 42,
  },
  'Retry-After': {
    description: 'Seconds after which the request may be sent again.',
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the kept response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Set-Cookie': {
    description: 'The console session: HttpOnly, SameSite=Strict, and Secure behind https.',
    schema: { type: 'string' },
    example: 'mneme.session_token=…; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict',
  },
  ETag: {
    description: 'Names this content, for `If-None-Match` and `If-Range`. Absent where the content has no name.',
    schema: { type: 'string' },
    example: '"3b5d5c3712955042212316173ccf37be"',
  },
  'Last-Modified': {
    description: 'When the content was made. Absent where nobody knows.',
    schema: { type: 'string' },
    example: 'Sun, 22 Nov 2026 10:30:00 GMT',
  },
  'Accept-Ranges': {
    description: '`bytes` where a part can be asked for with `Range`, else `none`.',
    schema: { type: 'string', enum: ['bytes', 'none'] },
    example: 'bytes',
  },
  'Content-Range': {
    description: 'Which part of the whole this is, or how long the whole is (416).',
    schema: { type: 'string' },
    example: 'bytes 0-1023/146515',
  },
  'Content-Disposition': {
    description: 'The name to save it as (RFC 6266). Absent where it has none.',
    schema: { type: 'string' },
    example: 'attachment; filename="notes.csv"',
  },
} as const
