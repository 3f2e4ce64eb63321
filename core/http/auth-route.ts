import type { Sessions } from '../auth/sessions.ts'
import type { Method, Route } from './route.ts'

/** Mounts the session library's own endpoints; it parses and checks its requests itself. */
export function authRoute(sessions: Sessions): Route[] {
  const methods: Method[] = ['GET', 'POST']
  return methods.map(method => ({
    method,
    path: '/v1/auth/*',
    access: 'public',
    raw: true,
    summary: method === 'GET' ? 'Read the console session' : 'Sign in to the console and out',
    description:
      '`POST /v1/auth/sign-in/email` takes `{email, password}` and sets an HttpOnly cookie; `POST /v1/auth/sign-out` ends the session; `GET /v1/auth/get-session` shows it; `POST /v1/auth/change-password` takes `{currentPassword, newPassword, revokeOtherSessions}`.',
    tag: 'Sessions',
    responses: { 200: null },
    errors: [
      'VALIDATION_ERROR',
      'UNAUTHORIZED',
      'FORBIDDEN',
      'NOT_FOUND',
      'METHOD_NOT_ALLOWED',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'RATE_LIMITED',
    ],
    handle: ({ request }) => sessions.handler(request),
  }))
}
