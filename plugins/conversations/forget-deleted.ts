import { forgetsDeletedMemories } from '../memories/contract.ts'
import { forgetMemories } from './queries/forget-memories.ts'
import type { ConversationsScope } from './scope.ts'

/** Memories that are deleted leave their conversations too. */
export const forgetDeleted = forgetsDeletedMemories<ConversationsScope>(({ workspaceId, transaction }, ids) =>
  transaction(tx => forgetMemories(tx, workspaceId, ids)),
)
