import type { EventDefinition } from 'mneme/plugin'

/** What happens to memories. No event carries their text. */
export const memoryEvents: readonly EventDefinition[] = [
  { kind: 'memory.created', description: 'A new memory was stored.', public: true },
  { kind: 'memory.updated', description: "A memory's content or priority changed.", public: true },
  { kind: 'memory.deleted', description: 'A memory was deleted, or many at once.', public: true },
  { kind: 'memory.consolidated', description: 'A memory was merged with an existing one.', public: true },
  { kind: 'memory.promoted', description: 'A TASK memory became permanent.', public: true },
  { kind: 'memory.expired', description: 'A TASK memory expired.', public: true },
  { kind: 'memory.feedback', description: 'A memory was given feedback.', public: true },
  { kind: 'memory.processed', description: "A memory's processing ended well.", public: false },
  { kind: 'memory.restored', description: 'A memory that was merged into another is back.', public: false },
  { kind: 'memory.failed', description: "A memory's processing failed for good.", public: false },
]
