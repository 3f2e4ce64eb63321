import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const workspaceErrors = {
  API_KEY_NOT_FOUND: { status: 404, message: 'The account has no API key with this id.' },
  LAST_WORKSPACE: { status: 409, message: "An account's last workspace cannot be deleted." },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failWorkspaces = failWith(workspaceErrors)
