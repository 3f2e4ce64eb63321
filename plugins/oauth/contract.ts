import { definePort } from 'mneme/plugin'

/** Access tokens are for this endpoint and no other. */
export const RESOURCE_PATH = '/v1/mcp'

/** Tells applications where they get an access token. */
export interface SignInOfApplications {
  /** The `WWW-Authenticate` of a refusal by the endpoint. */
  challenge(request: Request): string
}

export const signInOfApplications = definePort<SignInOfApplications>('oauth.sign-in')
