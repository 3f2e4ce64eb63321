/**
 * Returns the code that begins every lexeme of a workspace. It keeps posting lists per workspace. Two workspaces that share one of the
 * 46,656 codes only slow each other down, because statements compare the workspace itself too.
 */
export function lexemePrefix(workspaceId: string): string {
  const random = Number.parseInt(workspaceId.slice(-8), 16)
  return (random % CODES).toString(36).padStart(3, '0')
}

const CODES = 36 ** 3
