import { Type } from '@sinclair/typebox'
import { oneOf, textArray } from 'mneme/plugin'
import { memoryFilter } from '../contract.ts'
import { STATUSES } from '../schemas.ts'

/** `status` of lists and searches. Search engines do not know it, because it changes without the text, so the memories are asked. */
export const statusFilter = memoryFilter({
  id: 'memories.status',
  parameters: Type.Object({
    status: Type.Optional(
      Type.Array(oneOf(STATUSES), {
        minItems: 1,
        maxItems: STATUSES.length,
        description: 'Memories whose processing is in any of these states.',
        examples: [['FAILED']],
      }),
    ),
  }),
  passing: (_, { status }) =>
    status && {
      select: (tx, workspaceId) => tx`
        select memory.id
        from memories.memory
        where memory.workspace_id = ${workspaceId}
          and memory.live
          and memory.status = any(${textArray(status)}::text[])`,
    },
})
