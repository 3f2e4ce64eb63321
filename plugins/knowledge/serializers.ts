import type { Entry } from './queries/entries.ts'

/** An entry as the endpoints answer it. */
export function toEntry({ id, userId, category, content, version, createdAt, updatedAt }: Entry) {
  return {
    id,
    user_id: userId,
    category,
    content,
    version,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  }
}
