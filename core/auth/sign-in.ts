import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { hashPassword } from './password.ts'
import { SIGN_IN_PATH } from './session-endpoints.ts'

const signInBody = Type.Object({
  email: Type.String(),
  password: Type.String(),
  rememberMe: Type.Optional(Type.Boolean()),
})

/**
 * Sign-in in place of Better Auth's own, which refuses addresses without a top-level domain: on a private network
 * `admin@localhost` is a fair one. The response leaves the session's token out; it is in the cookie, where scripts cannot
 * read it.
 */
export const signIn = {
  id: 'sign-in',
  endpoints: {
    signInEmail: createAuthEndpoint(SIGN_IN_PATH, { method: 'POST' }, async ctx => {
      const { email, password, rememberMe } = parse(ctx.body)
      const found = await ctx.context.internalAdapter.findUserByEmail(email.toLowerCase(), { includeAccounts: true })
      const hash = found?.accounts.find(account => account.providerId === 'credential')?.password
      if (!found || !hash) {
        // This costs as much work as for a known address, so that the time does not tell which ones are known.
        await hashPassword(password)
        throw wrong()
      }
      if (!(await ctx.context.password.verify({ hash, password }))) throw wrong()
      const brief = rememberMe === false
      const session = await ctx.context.internalAdapter.createSession(found.user.id, brief)
      await setSessionCookie(ctx, { session, user: found.user }, brief)
      const { id, name } = found.user
      return ctx.json({ user: { id, email: found.user.email, name }, expires_at: session.expiresAt })
    }),
  },
} satisfies BetterAuthPlugin

function parse(body: unknown): Static<typeof signInBody> {
  // The handler before it has refused bad bodies in detail.
  if (!Value.Check(signInBody, body)) throw new APIError('BAD_REQUEST', { message: 'e-mail and password are required' })
  return body
}

function wrong(): APIError {
  return new APIError('UNAUTHORIZED', { message: 'The e-mail address or the password is wrong.' })
}
