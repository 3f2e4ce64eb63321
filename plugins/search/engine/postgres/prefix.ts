/**
 * The code that every lexeme of a workspace begins with. It keeps posting lists per workspace; two workspaces that share
 * one of the 46,656 codes only cost each other time, since the workspace itself is compared as well.
 */
export function lexemePrefix(workspaceId: string): string {
  const random = Number.parseInt(workspaceId.slice(-8), 16)
  return (random % CODES).toString(36).padStart(3, '0')
}

const CODES = 36 ** 3
