import { failWith } from 'mneme/plugin'
import { missingErrors } from './contract/memory-row.ts'
import { secretErrors } from './contract/secrets.ts'

export const memoryErrors = {
  ...missingErrors,
  DUPLICATE_MEMORY: {
    status: 409,
    message: 'Another memory of the workspace has this content already; change or delete that one.',
  },
  MEMORY_NOT_PROMOTABLE: { status: 409, message: 'Only a memory of the TASK layer can be promoted.' },
  MEMORY_CONSOLIDATED: { status: 409, message: 'This memory was merged into another one; change that one instead.' },
  MEMORY_NOT_CONSOLIDATED: { status: 409, message: 'Only a memory that was merged into another can be restored.' },
  ERASURE_NOT_FOUND: { status: 404, message: 'No erasure of a user in this workspace has this id.' },
  ...secretErrors,
  MEMORY_EXPIRED: { status: 410, message: 'This memory has expired.' },
} as const

export const memoryFailure = failWith(memoryErrors)
