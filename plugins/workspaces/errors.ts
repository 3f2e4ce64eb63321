import { type ErrorRegistry, failWith } from 'mneme/plugin'

export const workspaceErrors = {
  API_KEY_NOT_FOUND: { status: 404, message: 'The account has no API key with this id.' },
  MEMBER_NOT_FOUND: { status: 404, message: 'The workspace has no member and no invitation with this id.' },
  HOLDER_STAYS: { status: 409, message: 'The workspace belongs to this account, which stays its owner.' },
  TOO_MANY_MEMBERS: {
    status: 409,
    message: 'The workspace has as many members and invitations as it may have; remove some.',
  },
  INVITATION_NOT_FOUND: {
    status: 404,
    message: 'The invitation was accepted, taken back, or has ended; ask for another one.',
  },
  ACCOUNT_EXISTS: { status: 409, message: 'There is an account with this address: sign in, and open the link again.' },
  LAST_WORKSPACE: { status: 409, message: "An account's last workspace cannot be deleted." },
} as const satisfies ErrorRegistry

/** This plugin's own failures. */
export const failWorkspaces = failWith(workspaceErrors)
