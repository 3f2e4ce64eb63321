import type { ClearingHook } from '../memories/contract.ts'
import { removeUnfinished } from './queries/remove-unfinished.ts'

/** All memories of somebody are deleted: what they said before and nobody has read yet makes no new ones. */
export const clearUnfinished: ClearingHook = {
  id: 'conversations',
  cleared: removeUnfinished,
}
