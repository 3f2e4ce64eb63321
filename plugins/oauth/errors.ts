import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const oauthErrors = {
  APPLICATION_UNKNOWN: {
    status: 400,
    message: 'The application is not registered here. Remove the connection in the application, and add it again.',
  },
  CONNECTION_NOT_FOUND: { status: 404, message: 'The workspace has no connection with this id that you see to.' },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failOAuth = failWith(oauthErrors)
